// The query that reads the materialized rows: it filters by variables, and aggregates again where several stored rows make one row of the
// result.
import type { Expression, OrderExpr, Selection, SelectQuery } from '../../../hogql/parser/ast'
import { expressionText } from '../../../hogql/parser/write-query'
import { mergeOf, mergeOfCall } from './reaggregation'
import type { Lifted } from './lift-variables'
import { reject } from './reasons'
import { hasTotals } from './propagate'
import {
  aggregatesIn,
  aliased,
  allOf,
  call,
  compared,
  field,
  isTotal,
  NOWHERE,
  replaced,
  unaliased,
} from './tree'

/** The column with the position of a row in the stored order. */
export const ROW_ORDER = '__row'

export interface Reading {
  tree: SelectQuery
  /** Whether to run the query itself when no row is found: it may aggregate to one row without input. */
  inlineWhenEmpty: boolean
}

/**
 * Whether a run aggregates the stored rows again: several of them may make one row of the result, or a total needs a row where none is
 * stored.
 * @param merges whether several stored rows may make one row
 */
export const isTogether = (tree: Selection, variables: readonly Lifted[], merges: boolean): boolean =>
  tree.node === 'SelectQuery' &&
  variables.length > 0 &&
  (merges || (isTotal(tree) && tree.select.every((item) => mergeOf(item) !== undefined)))

/** Positions of the items of a SELECT by their texts. Of several with the same text, it is that of the first. */
type Places = ReadonlyMap<string, number>

const placesOf = ({ select }: SelectQuery): Places =>
  new Map(select.map((item, index) => [expressionText(unaliased(item)), index] as const).toReversed())

const isColumn = (expr: Expression, columns: ReadonlySet<string>): boolean =>
  expr.node === 'Field' && expr.chain.length === 1 && columns.has(String(expr.chain[0]))

/** @throws Rejection for a group that the result does not show: its rows would be put together */
function requireGroups(
  { group_by: groups }: SelectQuery,
  columns: ReadonlySet<string>,
  places: Places,
): void {
  const isShown = (group: Expression) =>
    (group.node === 'Constant' && typeof group.value === 'number') ||
    isColumn(group, columns) ||
    places.has(expressionText(group))
  const missing = groups?.find((group) => !isShown(group))
  if (missing) reject('groupColumn', { expression: expressionText(missing) })
}

/**
 * A bound is exact for stored rows only at the start of a period. A value inside a period therefore finds no row, and the query itself
 * runs.
 * @param columns of the result, in order
 * @param merges whether several stored rows may make one row of the result
 * @throws Rejection for an ORDER BY or HAVING that the stored columns cannot answer
 */
export function readTree(
  tree: Selection,
  variables: readonly Lifted[],
  { table, columns, merges }: { table: string; columns: readonly string[]; merges: boolean },
): Reading {
  const names = new Set(columns)
  if (names.size < columns.length) reject('sameNames')
  const select = tree.node === 'SelectQuery' && variables.length > 0 ? tree : null
  const isRounded = variables.some(({ bucket }) => bucket !== null)
  const isWhole = select !== null && isTotal(select)
  const together = isTogether(tree, variables, merges)
  // The row of a total is stored only where something matches.
  const mayLackRows = isRounded || (select !== null && hasTotals(select, variables))
  const places = together ? placesOf(select!) : new Map<string, number>()
  if (together) requireGroups(select!, names, places)
  const items = columns.map((name, index): Expression => {
    if (!together) return field(name)
    const item = select!.select[index]!
    const merge = mergeOf(item)
    if (merge) return aliased(call(merge, field(name)), name)
    // An item beside aggregates without groups can only be a constant.
    return isWhole ? aliased(structuredClone(unaliased(item)), name) : field(name)
  })
  const groups =
    together && !isWhole
      ? columns.filter((_, index) => mergeOf(select!.select[index]!) === null).map((name) => field(name))
      : []
  return {
    tree: {
      ...NOWHERE,
      node: 'SelectQuery',
      distinct: select?.distinct ?? null,
      select: items,
      select_from: { ...NOWHERE, node: 'JoinExpr', alias: null, table: field(table) },
      where: allOf(variables.flatMap(conditionsOf)),
      group_by: groups.length > 0 ? groups : null,
      having: havingOf(
        together && select?.having ? storedCondition(select.having, places, columns) : null,
        mayLackRows && together && isWhole,
      ),
      order_by: orderOf(tree, columns, together ? places : null),
      limit_by: select?.limit_by ?? null,
      limit: tree.node === 'SelectQuery' ? (tree.limit ?? null) : null,
      offset: variables.length > 0 && tree.node === 'SelectQuery' ? (tree.offset ?? null) : null,
    },
    inlineWhenEmpty: mayLackRows || (isWhole && !together),
  }
}

function conditionsOf({ codeName, comparisons, bucket }: Lifted): Expression[] {
  return comparisons.flatMap(({ operator, value }): Expression[] => {
    if (bucket === null) return [compared(operator, field(codeName), value)]
    // `> v` excludes moments of the period of v that the stored row has, and `<= v` includes the first one.
    if (operator === '>' || operator === '<=') reject('roundedBound', { variable: codeName, operator })
    const moment = call('toDateTime', value)
    const start = call(bucket, structuredClone(moment))
    return [
      compared(operator, field(codeName), start),
      // The bucket of a week and of longer periods is a date, not a datetime.
      compared('==', call('toDateTime', structuredClone(start)), moment),
    ]
  })
}

/** Without groups the query returns a row also where none is found, unless a HAVING removes it. */
function havingOf(condition: Expression | null, needsRows: boolean): Expression | null {
  if (!needsRows) return condition
  const zero: Expression = { ...NOWHERE, node: 'Constant', value: 0 }
  const found = compared('>', { ...NOWHERE, node: 'Call', name: 'count', args: [] }, zero)
  return condition ? { ...NOWHERE, node: 'And', exprs: [condition, found] } : found
}

/** Rewrites a HAVING over aggregates to their stored columns. @throws Rejection for an aggregate that is not stored */
function storedCondition(condition: Expression, places: Places, columns: readonly string[]): Expression {
  const missing = aggregatesIn(condition).find(
    (each) => mergeOfCall(each) === undefined || !places.has(expressionText(each)),
  )
  if (missing) reject('havingColumn', { expression: expressionText(missing) })
  return replaced(condition, (node) => {
    const index = places.get(expressionText(node))
    return index === undefined ? undefined : field(columns[index]!)
  })
}

/**
 * Rows that are read as stored keep their order; others are sorted by their columns.
 * @param places null for rows that are read as stored
 */
function orderOf(tree: Selection, columns: readonly string[], places: Places | null): OrderExpr[] | null {
  const orders = tree.node === 'SelectQuery' ? (tree.order_by ?? []) : []
  if (places === null) {
    return orders.length > 0 || tree.node === 'SelectSetQuery'
      ? [{ ...NOWHERE, node: 'OrderExpr', expr: field(ROW_ORDER), order: 'ASC' }]
      : null
  }
  const names = new Set(columns)
  const mapped = orders.map((order) => {
    const { expr } = order
    if (expr.node === 'Constant' && typeof expr.value === 'number') return order
    if (isColumn(expr, names)) return order
    const index = places.get(expressionText(expr))
    if (index === undefined) return reject('orderColumn', { expression: expressionText(expr) })
    return { ...order, expr: field(columns[index]!) }
  })
  return mapped.length > 0 ? mapped : null
}
