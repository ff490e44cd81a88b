// From comparisons to variables that become columns: each compared with one column, in one place (reference/endpoints-api.md §5.2, §5.3).
import { findTable } from '../../../hogql/tables/tables'
import { isObject } from '../../../hogql/tables/schema'
import type { SelectQuery, Selection } from '../../../hogql/parser/ast'
import { isRange, scopesOf } from './comparisons'
import {
  BUCKETS,
  type Bucket,
  type BucketOverrides,
  type Comparison,
  type Lifted,
  refuse,
} from './analysis-types'
import { isSame, unaliased } from './tree'
import { walk } from '../../../hogql/parser/walk'

/**
 * The variables of a query, in the order in which they stand in it.
 * @throws Refusal for one that is compared with several columns, in several places, or that has the name of something else.
 */
export function liftedFrom(
  tree: Selection,
  comparisons: readonly Comparison[],
  overrides: BucketOverrides,
): Lifted[] {
  const byName = Map.groupBy(comparisons, ({ codeName }) => codeName)
  const selects = new Map(scopesOf(tree))
  return [...byName].map(([codeName, all]) => {
    const [first] = all as [Comparison, ...Comparison[]]
    requireOnePlace(all)
    if (all.some(({ column }) => !isSame(column, first.column))) {
      refuse('Variable compared against multiple columns is not supported for materialization')
    }
    const { column, columnKey, scope } = first
    const bucket = all.some(({ operator }) => isRange(operator)) ? bucketOf(first, overrides) : null
    const select = selects.get(scope)
    if (select) requireFreeName(select, codeName, first)
    return { codeName, comparisons: all, column, columnKey, bucket, scope }
  })
}

function requireOnePlace(all: readonly Comparison[]): void {
  const scopes = new Set(all.map(({ scope }) => scope))
  if (scopes.size === 1) return
  if (scopes.has(null))
    refuse('Variable used in both CTE and top-level query is not supported for materialization')
  refuse('Variable used in multiple CTEs is not supported for materialization')
}

/** The truncation of a range's bounds: an override by the column's name, else days for a column of moments. */
function bucketOf({ column, columnKey }: Comparison, overrides: BucketOverrides): string | null {
  if (columnKey === null) return null
  const override = overrides && overrideFor(columnKey, overrides)
  if (override !== undefined && override !== null) return BUCKETS[override as Bucket] ?? null
  return column.node === 'Field' && isMoment(columnKey) ? BUCKETS.day : null
}

/** By the column's whole name, or without the name of its table. */
function overrideFor(columnKey: string, overrides: Readonly<Record<string, string>>): string | undefined {
  const bare = columnKey.split('.').at(-1)!
  return overrides[columnKey] ?? (columnKey.includes('properties.') ? undefined : overrides[bare])
}

/** Whether a column holds moments, as far as its name tells: those of the known tables that do not are known. */
function isMoment(columnKey: string): boolean {
  const parts = columnKey.split('.')
  if (parts.includes('properties')) return false
  return !NO_MOMENTS.has(parts.at(-1)!)
}

const NO_MOMENTS = new Set(
  (['events', 'persons', 'person_distinct_ids', 'groups', 'sessions', 'cohort_people'] as const).flatMap(
    (table) =>
      [...(findTable(table)?.fields ?? [])].flatMap(([name, field]) =>
        !isObject(field) && field.type.kind !== 'datetime' && field.type.kind !== 'date' ? [name] : [],
      ),
  ),
)

/** The new column must not take the name of another, nor of anything that the SELECT reads. */
function requireFreeName(select: SelectQuery, codeName: string, { column }: Comparison): void {
  const conflict = () =>
    refuse(
      `Variable '${codeName}' conflicts with an existing SELECT alias for a different expression. Rename the variable or the alias.`,
    )
  for (const item of select.select) {
    if (item.node === 'Alias' && item.alias === codeName && !isSame(unaliased(item), column)) conflict()
  }
  walk(select, (node) => {
    if (node.node === 'SelectQuery' && node !== select) return false
    if (node.node === 'Placeholder') return false
    if (
      node.node === 'Field' &&
      String(node.chain[0]) === codeName &&
      !isSame(node, column) &&
      !isAliasOf(select, codeName)
    ) {
      conflict()
    }
  })
}

const isAliasOf = (select: SelectQuery, name: string): boolean =>
  select.select.some((item) => item.node === 'Alias' && item.alias === name)
