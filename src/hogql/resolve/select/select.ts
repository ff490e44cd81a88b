// Resolves the clauses of SELECT in the order in which their names become known.
import type { Expr, From, Item, Order, Select, Source } from '../../ir'
import type { Expression, SelectQuery } from '../../parser/ast'
import { resolveArrayJoinClause } from '../expressions/array-join'
import { constantCount, rejectUnsupported } from './clauses'
import { all, call } from '../../ir-build'
import { allOf, asCondition } from '../expressions/conditions'
import type { Resolution } from '../context/resolution'
import { resolveCtes } from '../names/ctes'
import { resolveFrom } from './from'
import { checkGrouped, rejectAggregates, rejectWindows } from './grouping'
import { checkGroupingSets, groupingSetsOf } from './grouping-sets'
import { containsAggregate } from '../../ir-walk'
import { joiningLate, lateArraysOf, readsElements, rejectLateElements } from './late-arrays'
import { resultName, resolveOrder } from '../context/source-text'
import { qualified } from './qualify'
import { reject } from '../../error'
import { findInSources } from '../names/columns'
import { exchangeCheck } from '../names/exchanged-names'
import { addAlias, emptyScope, type Environment, type Scope } from '../context/scope'
import { starColumns } from '../names/star'

/** An expression with its part of the tree. */
interface Placed {
  expr: Expr
  node: Expression
}

type PlacedItem = Item & Placed

export function resolveSelect(
  r: Resolution,
  node: SelectQuery,
  environment: Environment,
  outer: Scope | null,
): Select {
  rejectUnsupported(node)
  const sets = groupingSetsOf(node)
  const ctes = resolveCtes(r, node.ctes ?? [], environment)
  const scope = emptyScope(ctes.environment, outer)
  scope.windows = new Map(Object.entries(node.window_exprs ?? {}))

  const from = node.select_from ? resolveFrom(r, node.select_from, scope) : null
  resolveArrayJoinClause(r, node, scope)
  const items = resolveItems(r, node, scope)
  const where = resolveWhere(r, node, scope)
  const groupBy = resolveGroupBy(r, sets ? { ...node, group_by: [...sets.keys] } : node, scope, items)
  const having = node.having ? placed(r, node.having, scope) : null
  const qualify = node.qualify ? placed(r, node.qualify, scope) : null
  const orderBy = resolveOrderBy(r, node, scope, items)
  const limitBy = resolveLimitBy(r, node, scope, items)

  const late = lateArraysOf(scope)
  const arrays = late.map(({ array }) => ({ expr: array, node }))
  const later = [...items, ...some(having), ...some(qualify), ...orderBy, ...(limitBy?.by ?? []), ...arrays]
  const aggregated = groupBy.length > 0 || sets !== null || later.some(({ expr }) => containsAggregate(expr))
  checkGroupingSets(node, sets, groupBy, later)
  if (aggregated) checkGrouped(later, groupBy, scope)
  if (having) rejectWindows(having.expr, 'HAVING', having.node)

  const select: Select = {
    kind: 'select',
    ctes: ctes.used(),
    distinct: node.distinct === true,
    items: items.map(({ name, expr, type }) => ({ name, expr, type })),
    from: withArrays(from, scope, late),
    // Without aggregation, HAVING is a condition on rows.
    where: aggregated ? where : allOf(where, conditionOf(r, having)),
    groupBy,
    ...(sets && { groupingSets: { word: sets.word, sets: sets.sets } }),
    aggregated,
    having: aggregated ? conditionOf(r, having) : null,
    orderBy: [
      ...(sets?.hasTotals ? [{ expr: call('grouping', ...groupBy), descending: false }] : []),
      ...orderBy.map(({ expr, descending }) => ({ expr, descending })),
    ],
    limitBy: limitBy && { ...limitBy, by: limitBy.by.map(({ expr }) => expr) },
    limit: constantCount(node.limit, 'LIMIT'),
    offset: constantCount(node.offset, 'OFFSET') ?? 0,
  }
  const condition = conditionOf(r, qualify)
  if (late.length > 0) {
    rejectLateElements(select, condition, late, node)
    return joiningLate(r, select, late)
  }
  return condition ? qualified(r, select, condition) : select
}

const some = <T>(value: T | null): T[] => (value === null ? [] : [value])

const placed = (r: Resolution, node: Expression, scope: Scope): Placed => ({
  expr: r.expr(node, scope),
  node,
})

const conditionOf = (r: Resolution, given: Placed | null): Expr | null =>
  given && asCondition(r, given.expr, given.node)

/** The most columns of a SELECT. When each of several nested subqueries has `*` twice, their number doubles with each. */
export const MAX_COLUMNS = 1_000

function resolveItems(r: Resolution, node: SelectQuery, scope: Scope): PlacedItem[] {
  const items: PlacedItem[] = []
  const checkExchange = exchangeCheck(scope.sources)
  for (const item of node.select) {
    if (items.length > MAX_COLUMNS) reject(item, `A SELECT has at most ${MAX_COLUMNS} columns`)
    const columns = starColumns(r, item, scope)
    if (columns !== undefined) {
      items.push(...columns.map(({ name, expr }) => ({ name, expr, type: expr.type, node: item })))
      continue
    }
    const expr = r.expr(item.node === 'Alias' ? item.expr : item, scope)
    checkExchange(item)
    if (item.node === 'Alias') addAlias(scope, item, expr)
    items.push({ name: resultName(r, item), expr, type: expr.type, node: item })
  }
  const last = items[MAX_COLUMNS]
  if (last) reject(last.node, `A SELECT has at most ${MAX_COLUMNS} columns`)
  return items
}

function resolveWhere(r: Resolution, node: SelectQuery, scope: Scope): Expr | null {
  const conditions = [node.prewhere, node.where].flatMap((clause) => {
    if (!clause) return []
    const condition = asCondition(r, r.expr(clause, scope), clause)
    rejectAggregates(condition, 'WHERE', clause)
    return [condition]
  })
  return conditions.length === 0 ? null : all(conditions)
}

/** Resolves an expression, or returns the item at a numbered position. */
function byPosition(r: Resolution, node: Expression, scope: Scope, items: readonly PlacedItem[]): Expr {
  if (node.node !== 'Constant' || typeof node.value !== 'number' || !Number.isInteger(node.value)) {
    return r.expr(node, scope)
  }
  const item = items[node.value - 1]
  return item
    ? r.reuse(item.expr, node)
    : reject(node, `Position ${node.value} is not in the SELECT list`, 'invalid_query')
}

function resolveGroupBy(
  r: Resolution,
  node: SelectQuery,
  scope: Scope,
  items: readonly PlacedItem[],
): Expr[] {
  if (node.group_by_mode === 'all') {
    const late = lateArraysOf(scope)
    return items
      .map(({ expr }) => expr)
      .filter((expr) => !containsAggregate(expr) && !readsElements(expr, late))
  }
  const keys = (node.group_by ?? []).map((key) => {
    scope.isKey = key.node === 'Field' && key.chain.length === 1
    const expr = byPosition(r, key, scope, items)
    rejectAggregates(expr, 'GROUP BY', key)
    return expr
  })
  scope.isKey = false
  return keys
}

type PlacedOrder = Order & Placed

function resolveOrderBy(
  r: Resolution,
  node: SelectQuery,
  scope: Scope,
  items: readonly PlacedItem[],
): PlacedOrder[] {
  return (node.order_by ?? []).flatMap((order): PlacedOrder[] => {
    const term = (resolve: (expr: Expression) => Expr) => ({
      ...resolveOrder(order, resolve),
      node: order.expr,
    })
    if (isAll(r, order.expr, scope)) return items.map(({ expr }) => term(() => expr))
    return [term((expr) => byPosition(r, expr, scope, items))]
  })
}

/** Returns whether ORDER BY is `ORDER BY ALL`, unless a column has that name. */
const isAll = (r: Resolution, node: Expression, scope: Scope): boolean =>
  node.node === 'Field' &&
  node.chain.length === 1 &&
  String(node.chain[0]).toLowerCase() === 'all' &&
  !scope.aliases.has(String(node.chain[0])) &&
  findInSources(r, scope, String(node.chain[0]), node) === undefined

function resolveLimitBy(
  r: Resolution,
  { limit_by: limitBy }: SelectQuery,
  scope: Scope,
  items: readonly PlacedItem[],
): { count: number; offset: number; by: Placed[] } | null {
  if (!limitBy) return null
  return {
    count: constantCount(limitBy.n, 'LIMIT BY') ?? 0,
    offset: constantCount(limitBy.offset_value, 'LIMIT BY') ?? 0,
    by: limitBy.exprs.map((node) => ({ expr: byPosition(r, node, scope, items), node })),
  }
}

/** Returns FROM with the arrays of arrayJoin() as its last sources, without those that are read later. */
function withArrays(from: From | null, { arrayJoins }: Scope, late: readonly Source[]): From | null {
  const sources = (arrayJoins?.values ?? []).filter((source) => !late.includes(source))
  const [first, ...rest] = sources
  if (first === undefined) return from
  const cross = (list: typeof sources) => list.map((source) => ({ kind: 'cross' as const, source, on: null }))
  return from ? { ...from, joins: [...from.joins, ...cross(sources)] } : { source: first, joins: cross(rest) }
}
