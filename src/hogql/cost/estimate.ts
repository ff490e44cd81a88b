// Estimates a query's cost on D1: upper bounds of its time and of the bytes that it holds, as formulas over statistics that are read when
// it runs.
import type { Query, Expr, Select, SetOperation } from '../ir'
import { type Formula, createSteps, PAGE, least, product, sum } from './formula'
import {
  Costs,
  type Scope,
  type TableReads,
  withScopedCtes,
  type Estimate,
  type Frame,
  type Rows,
} from './scope'
import { boundsIn, isFoundByIndex } from './table-scans'
import type { Estimated, Terms } from './budget'
import { integer } from '../ir-build'
import { conjunctsOf } from '../joins'
import { ExprIndex } from '../expr-index'
import { contains, containsWindow, keyOf, sourcesOf } from '../ir-walk'
import { estimateExpr } from './expressions'
import { estimateFrom } from './cardinality'
import { BYTE, ROW_OVERHEAD, SORTED_ROW } from './rates'
import { frameOf, groupMeasure, measuredValue } from './measures'
import { totalBytes, filtered, eitherOf, rowBytes, type Width } from './width'

/**
 * @param query without the LIMIT and OFFSET of the run
 * @param before queries of texts that run before it
 * @param timezone the project's
 */
export function estimateCost(
  query: Query,
  before: readonly Query[],
  timezone: string,
): Estimated<TableReads, Query> {
  const all = Costs.empty(timezone)
  const { place, steps } = createSteps()
  const measures: Estimated<TableReads, Query>['measures'] = []
  const termsOf = (statement: Query, page: Formula | null): Terms => {
    const costs = all.ofStatement()
    estimateQuery(statement, scopeOf(costs, true), page)
    for (const measure of costs.shared.measures.slice(measures.length))
      measures.push({ query: measure, cost: place(costOf(measure, costs)) })
    return {
      parts: [...costs.parts].map(([label, amount]) => [label, place(amount)]),
      held: place(costs.held),
    }
  }
  const texts = before.map((each) => ({ ...termsOf(each, null), measures: measures.length }))
  const terms = termsOf(query, PAGE)
  const { reads } = all.shared
  return {
    ...terms,
    texts,
    statistics: reads,
    readsEvents: reads.some(({ table }) => table === 'events'),
    measures,
    steps,
  }
}

/** Returns the cost of a measure, in which only earlier joins are measured. */
function costOf(measure: Query, { shared }: Costs): Formula {
  const costs = new Costs(shared)
  estimateQuery(measure, scopeOf(costs, false))
  return costs.total
}

const scopeOf = (costs: Costs, canMeasure: boolean): Scope => ({
  costs,
  ctes: [],
  canMeasure,
  estimate: (query, scope) => estimateQuery(query, scope),
})

/**
 * Adds the cost of a query to the scope's costs.
 * @param page rows that the run asks for, besides the query's own LIMIT
 */
export function estimateQuery(query: Query, scope: Scope, page: Formula | null = null): Estimate {
  const inner = withScopedCtes(scope, query.ctes)
  return query.kind === 'set' ? estimateSet(query, inner) : estimateSelect(query, inner, page)
}

const limited = (rows: Formula, { limit, offset }: Pick<Query, 'limit' | 'offset'>): Formula =>
  limit === null ? rows : least(rows, limit + offset)

function estimateSelect(select: Select, scope: Scope, page: Formula | null): Estimate {
  const scanned = estimateFrom(select, scope, readsInOrder(select) ? lastOf(select, page) : null)
  if (select.where) estimateExpr(select.where, frameOf(scope, scanned, scannedRows(select)))
  const read = select.where ? passingRows(select, scanned, scope) : scanned
  const rows = page === null ? limited(read.rows, select) : least(limited(read.rows, select), page)
  const end = select.aggregated
    ? estimateGroups(select, read, scope)
    : frameOf(scope, stopsEarly(select) ? limitRows(read, rows) : read, readBy(select))
  const items = select.items.map(({ expr }) => {
    const width = estimateExpr(expr, end)
    return isOfTables(select) ? measuredValue(expr, width, end) : width
  })
  if (select.having) estimateExpr(select.having, end)
  const exprs = select.items.map(({ expr }) => expr)
  // Distinct rows of subqueries are mostly one side of a join, which is measured itself.
  const distinct =
    select.distinct && !select.aggregated && isOfTables(select) && !exprs.some(containsWindow)
      ? groupMeasure(select, exprs, end.rows, scope).groups
      : end.rows
  const given = least(distinct, rows)
  estimateOrder(select, items, end, given)
  return { rows: given, columns: items.map((item) => filtered(item, given)) }
}

/**
 * Returns the rows of tables that pass WHERE. Rows of subqueries are not measured, because the text of a measure would repeat at each level
 * all levels within.
 */
function passingRows(select: Select, scanned: Rows, scope: Scope): Rows {
  const { measure } = frameOf(scope, scanned, readBy(select))
  if (!measure || !isOfTables(select) || scope.ctes.length > 0) return scanned
  return limitRows(scanned, measure({ number: integer(1), fn: 'sum', of: 'rows' }, scanned.rows))
}

const isOfTables = (select: Select) => sourcesOf(select).every(({ kind }) => kind === 'table')

/** Returns the rows for which WHERE is evaluated. */
function scannedRows({ from, where }: Select) {
  const sources = from === null ? [] : [from.source, ...from.joins.map(({ source }) => source)]
  const found = conjunctsOf(where).filter((condition) =>
    sources.some((source) => isFoundByIndex(source, condition)),
  )
  return { from, where: found }
}

const readBy = ({ from, where }: Select) => ({ from, where: conjunctsOf(where) })

const limitRows = ({ columns }: Rows, rows: Formula): Rows => ({
  rows,
  columns: new Map([...columns].map(([id, column]) => [id, (key: string) => filtered(column(key), rows)])),
})

/** Returns whether rows after the last wanted one are never read: the rows are not sorted, or an index has them in order. */
function stopsEarly(select: Select): boolean {
  const { distinct, limitBy, items, orderBy } = select
  if (distinct || limitBy !== null || items.some(({ expr }) => containsWindow(expr))) return false
  return orderBy.length === 0 || isOrderOfIndex(select)
}

/** Returns the number of rows after which a page is full, or null when it has no limit. */
function lastOf({ limit, offset }: Select, page: Formula | null): Formula | null {
  if (limit === null) return page
  return page === null ? limit + offset : least(limit + offset, page)
}

/** Returns whether a query of events stops at its last row, because an index has them in its order and no condition leaves any out. */
function readsInOrder(select: Select): boolean {
  const { from, where, orderBy, aggregated } = select
  const first = orderBy[0]?.expr
  if (aggregated || from === null || first === undefined || !stopsEarly(select)) return false
  return conjunctsOf(where).every(
    (condition) => boundsIn(condition, (expr) => keyOf(expr) === keyOf(first)).length > 0,
  )
}

/** Returns whether ORDER BY is the order of an index on events: by time, for all names or for one, or by arrival. */
function isOrderOfIndex({ from, orderBy, where }: Select): boolean {
  const [first, ...rest] = orderBy
  if (!from || from.joins.length > 0 || first === undefined) return false
  const { source } = from
  if (source.kind !== 'table' || source.table !== 'events') return false
  const isColumn = (expr: Expr, ...names: string[]) =>
    expr.node === 'column' && expr.source === source.id && names.includes(expr.column)
  const conditions = conjunctsOf(where)
  const hasNames = conditions.some(
    (condition) => condition.node !== 'compare' && contains(condition, (part) => isColumn(part, 'event')),
  )
  if (hasNames) return false
  if (isColumn(first.expr, 'timestamp')) return rest.length === 0
  const isByArrival =
    isColumn(first.expr, 'created_at') &&
    rest.length <= 1 &&
    rest.every(({ expr, descending }) => isColumn(expr, 'uuid') && descending === first.descending)
  // SQLite then finds the rows by these columns, and sorts them.
  const isFoundOtherwise = conditions.some(
    (condition) =>
      (condition.node === 'compare' &&
        [condition.left, condition.right].some((side) =>
          isColumn(side, 'timestamp', 'distinct_id', 'uuid'),
        )) ||
      (condition.node === 'in' && isColumn(condition.left, 'timestamp', 'distinct_id', 'uuid')),
  )
  return isByArrival && !isFoundOtherwise
}

function estimateGroups(select: Select, read: Rows, scope: Scope): Frame {
  const { costs } = scope
  const frame: Frame = { ...frameOf(scope, read, readBy(select)), values: new Map() }
  const keys = select.groupBy.map((key) => estimateExpr(key, frame))
  const { groups: rows, largest } =
    keys.length === 0
      ? { groups: 1, largest: read.rows }
      : groupMeasure(select, select.groupBy, read.rows, scope)
  if (keys.length > 0) {
    const bytes = rowBytes(keys)
    costs.spend('GROUP BY', sum(product(read.rows, SORTED_ROW), product(bytes.sum, BYTE)))
    costs.hold(sum(bytes.sum, product(read.rows, ROW_OVERHEAD)))
  }
  const widths = new ExprIndex<Width>()
  for (const [index, key] of select.groupBy.entries()) widths.add(key, filtered(keys[index]!, rows))
  return {
    ...frame,
    rows,
    aggregated: { ...frame, largest },
    groupKey: (expr) => widths.find(expr),
    measure: null,
  }
}

/** Adds the costs of DISTINCT, ORDER BY and LIMIT BY. */
function estimateOrder(select: Select, items: readonly Width[], frame: Frame, given: Formula): void {
  const { costs, rows } = frame
  const keys = select.orderBy.map(({ expr }) => estimateExpr(expr, frame))
  const parts = (select.limitBy?.by ?? []).map((expr) => estimateExpr(expr, frame))
  const isSorted =
    select.distinct || select.limitBy !== null || (select.orderBy.length > 0 && !isOrderOfIndex(select))
  if (!isSorted) return
  const bytes = rowBytes([...items, ...keys, ...parts])
  // A sort holds only the rows that are returned.
  const held =
    select.distinct || select.limitBy !== null ? bytes.sum : least(bytes.sum, product(given, bytes.max))
  const passes = select.limitBy === null ? 1 : 2
  costs.spend(
    'ORDER BY',
    sum(product(rows, SORTED_ROW * passes), product(totalBytes([...items, ...keys]).sum, BYTE / 2)),
  )
  costs.hold(sum(held, product(least(rows, given), ROW_OVERHEAD)))
}

function estimateSet(set: SetOperation, scope: Scope): Estimate {
  const { costs } = scope
  const legs = [set.initial, ...set.rest.map(({ query }) => query)].map((query) =>
    estimateQuery(query, scope),
  )
  const rows = sum(...legs.map((leg) => leg.rows))
  const columns = set.items.map((_, index) => eitherOf(legs.map((leg) => leg.columns[index]!)))
  const bytes = totalBytes(columns).sum
  if (set.rest.some(({ operator }) => operator !== 'union all')) {
    costs.spend('set operations', sum(product(rows, SORTED_ROW), product(bytes, BYTE)))
    costs.hold(sum(bytes, product(rows, ROW_OVERHEAD)))
  }
  const given = limited(rows, set)
  return { rows: given, columns: columns.map((column) => filtered(column, given)) }
}
