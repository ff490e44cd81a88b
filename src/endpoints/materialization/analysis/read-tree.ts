// The query that a run asks of the kept rows: those of its variables' values, put together where several make one (§5.5).
import type { Expression, OrderExpr, Selection, SelectQuery } from '../../../hogql/parser/ast'
import { expressionText } from '../../../hogql/text/write-query'
import { mergeOf, mergeOfCall } from './reaggregation'
import { type Lifted, refuse } from './analysis-types'
import { aggregates, aggregatesIn, aliased, allOf, call, field, isSame, unaliased } from './tree'

const NOWHERE = { start: null, end: null }

/** The column that numbers rows as they are kept. */
export const KEPT_ORDER = '__row'

export interface Reading {
  tree: SelectQuery
  /** Whether a run of the query itself is the answer where no row is kept: it gives a row, of which nothing says what is in it. */
  inlineWhenEmpty: boolean
}

/**
 * The tree of the reading.
 * @param columns names of the result's columns, in order
 * @param merges whether several kept rows may make one of the result
 * @throws Refusal for an order or a HAVING that the kept columns do not tell
 */
export function readTree(
  tree: Selection,
  variables: readonly Lifted[],
  { table, columns, merges }: { table: string; columns: readonly string[]; merges: boolean },
): Reading {
  if (new Set(columns).size < columns.length)
    refuse('Several columns have the same name: give each an alias of its own')
  const select = tree.node === 'SelectQuery' && variables.length > 0 ? tree : null
  const isTotal = select !== null && aggregates(select) && !select.group_by?.length
  const mergeable = select !== null && select.select.every((item) => mergeOf(item) !== undefined)
  const together = select !== null && (merges || (isTotal && mergeable))
  const items = columns.map((name, index): Expression => {
    const merge = together ? mergeOf(select!.select[index]!) : null
    return merge ? aliased(call(merge, field(name)), name) : field(name)
  })
  const groups =
    together && !isTotal
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
      having: together && select?.having ? kept(select.having, select, columns) : null,
      order_by: orderOf(tree, columns, together),
      limit_by: select?.limit_by ?? null,
      limit: tree.node === 'SelectQuery' ? (tree.limit ?? null) : null,
      offset: variables.length > 0 && tree.node === 'SelectQuery' ? (tree.offset ?? null) : null,
    },
    inlineWhenEmpty: isTotal && !together,
  }
}

/** The conditions of a variable: its column holds what was compared, rounded down where it is. */
function conditionsOf({ codeName, comparisons, bucket }: Lifted): Expression[] {
  return comparisons.map(({ operator, value }) => ({
    ...NOWHERE,
    node: 'CompareOperation',
    op: operator,
    left: field(codeName),
    right: bucket === null ? value : call(bucket, call('toDateTime', value)),
  }))
}

/** A condition on aggregates as one on what is kept of them. @throws Refusal for one that is not kept. */
function kept(condition: Expression, select: SelectQuery, columns: readonly string[]): Expression {
  const replace = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(replace)
    if (typeof node !== 'object' || node === null) return node
    const index =
      'node' in node ? select.select.findIndex((item) => isSame(unaliased(item), node as Expression)) : -1
    // The name stands for what is put together.
    if (index >= 0) return field(columns[index]!)
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, replace(value)]))
  }
  const missing = aggregatesIn(condition).find(
    (each) => mergeOfCall(each) === undefined || !select.select.some((item) => isSame(unaliased(item), each)),
  )
  if (missing)
    refuse(
      `HAVING looks at ${expressionText(missing)}, which is no column of the result that can be re-aggregated`,
    )
  return replace(condition) as Expression
}

/** The order of the result. Rows that are given as they are kept keep their order; others are ordered by their columns. */
function orderOf(tree: Selection, columns: readonly string[], together: boolean): OrderExpr[] | null {
  const orders = tree.node === 'SelectQuery' ? (tree.order_by ?? []) : []
  if (!together) {
    return orders.length > 0 || tree.node === 'SelectSetQuery'
      ? [{ ...NOWHERE, node: 'OrderExpr', expr: field(KEPT_ORDER), order: 'ASC' }]
      : null
  }
  const select = tree as SelectQuery
  const mapped = orders.map((order) => {
    const { expr } = order
    if (expr.node === 'Constant' && typeof expr.value === 'number') return order
    if (expr.node === 'Field' && expr.chain.length === 1 && columns.includes(String(expr.chain[0])))
      return order
    const index = select.select.findIndex((item) => isSame(unaliased(item), expr))
    if (index < 0)
      refuse(
        `ORDER BY ${expressionText(expr)} is no column of the result, which is needed to put rows together`,
      )
    return { ...order, expr: field(columns[index]!) }
  })
  return mapped.length > 0 ? mapped : null
}
