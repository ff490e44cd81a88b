// Lifts compared variables to columns: one column and one place per variable.
import { findTable } from '../../../hogql/tables/tables'
import type { Expression, Field, SelectQuery, Selection } from '../../../hogql/parser/ast'
import { type Comparison, isRange, scopesOf } from './comparisons'
import { reject } from './reasons'
import { isSame, unaliased } from './tree'
import { expressionText } from '../../../hogql/parser/write-query'
import { walk } from '../../../hogql/parser/walk'

/** Functions that truncate the bounds of a range, by their names in the API. */
export const BUCKETS = {
  minute: 'toStartOfMinute',
  fifteen_minutes: 'toStartOfFifteenMinutes',
  hour: 'toStartOfHour',
  day: 'toStartOfDay',
  week: 'toStartOfWeek',
  month: 'toStartOfMonth',
} as const

type Bucket = keyof typeof BUCKETS
export type BucketOverrides = Readonly<Record<string, string>> | null

/** A variable that becomes a column of the rows. */
export interface Lifted {
  codeName: string
  comparisons: readonly Comparison[]
  column: Expression
  columnKey: string | null
  /** The function that rounds the values. It is null for exact values. */
  bucket: string | null
  scope: string | null
}

/** Returns the variables in the order of the query. @throws Rejection for several columns or places, or a name that is taken */
export function liftedFrom(
  tree: Selection,
  comparisons: readonly Comparison[],
  overrides: BucketOverrides,
): Lifted[] {
  const byName = Map.groupBy(comparisons, ({ codeName }) => codeName)
  const selects = new Map(scopesOf(tree).map(([scope, select]) => [scope, new Names(select)]))
  return [...byName].map(([codeName, all]) => {
    const [first] = all as [Comparison, ...Comparison[]]
    requireOnePlace(all)
    if (all.some(({ column }) => !isSame(column, first.column))) {
      reject('severalColumns')
    }
    const { column, columnKey, scope } = first
    const bucket = all.some(({ operator }) => isRange(operator)) ? bucketOf(first, overrides) : null
    const names = selects.get(scope)
    if (names) requireFreeName(names, codeName, first)
    return { codeName, comparisons: all, column, columnKey, bucket, scope }
  })
}

function requireOnePlace(all: readonly Comparison[]): void {
  const scopes = new Set(all.map(({ scope }) => scope))
  if (scopes.size === 1) return
  reject(scopes.has(null) ? 'insideCteAndTop' : 'insideSeveralCtes')
}

/** The bucket of a column: its override, or days for a datetime column. */
function bucketOf({ column, columnKey }: Comparison, overrides: BucketOverrides): string | null {
  if (columnKey === null) return null
  const override = overrides && overrideFor(columnKey, overrides)
  if (override !== undefined && override !== null) return BUCKETS[override as Bucket] ?? null
  return column.node === 'Field' && isDatetime(columnKey) ? BUCKETS.day : null
}

/** Finds an override by the full name of the column, or by its name without the table. */
function overrideFor(columnKey: string, overrides: Readonly<Record<string, string>>): string | undefined {
  const bare = columnKey.split('.').at(-1)!
  return overrides[columnKey] ?? (columnKey.includes('properties.') ? undefined : overrides[bare])
}

/** Whether a column is a datetime by its name. Columns of known tables with other types are excluded. */
function isDatetime(columnKey: string): boolean {
  const parts = columnKey.split('.')
  if (parts.includes('properties')) return false
  return !NOT_DATETIME.has(parts.at(-1)!)
}

const NOT_DATETIME = new Set(
  (['events', 'persons', 'person_distinct_ids', 'groups', 'sessions', 'cohort_people'] as const).flatMap(
    (table) =>
      [...(findTable(table)?.fields ?? [])].flatMap(([name, field]) =>
        'type' in field && field.type.kind !== 'datetime' && field.type.kind !== 'date' ? [name] : [],
      ),
  ),
)

/** The names of a SELECT that a column may not take. Each SELECT is walked once, and not for every variable. */
class Names {
  /** Items by alias. */
  readonly aliased: ReadonlyMap<string, readonly Expression[]>
  /** Fields by the first name of their chain, except those of subqueries and placeholders. */
  readonly fields: ReadonlyMap<string, readonly Field[]>

  constructor(select: SelectQuery) {
    const items = select.select.filter((item) => item.node === 'Alias')
    this.aliased = Map.groupBy(items, ({ alias }) => alias)
    const fields: Field[] = []
    walk(select, (node) => {
      if (node.node === 'SelectQuery' && node !== select) return false
      if (node.node === 'Placeholder') return false
      if (node.node === 'Field') fields.push(node)
    })
    this.fields = Map.groupBy(fields, ({ chain }) => String(chain[0]))
  }
}

/** The column must not take the name of another column, or of anything that the SELECT reads. */
function requireFreeName({ aliased, fields }: Names, codeName: string, { column }: Comparison): void {
  const text = expressionText(column)
  const isOther = (node: Expression) => expressionText(unaliased(node)) !== text
  const items = aliased.get(codeName)
  if ((items ?? fields.get(codeName))?.some(isOther)) reject('takenName', { variable: codeName })
}
