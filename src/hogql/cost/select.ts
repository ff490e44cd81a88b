// Queries: how many rows they give, how large these are, and what computing them takes.
import type { Expr, Query, Select, SetOperation } from '../ir'
import { conjunctsOf } from '../joins'
import { contains, containsWindow, isCorrelated, keyOf } from '../resolve/ir-walk'
import { type Amount, least, product, sum } from './amount'
import { sizeOf } from './expressions'
import { estimateFrom } from './from'
import { BYTE, ROW_OVERHEAD, SORTED_ROW } from './rates'
import { frameOf } from './frame'
import { entered, type Estimate, type Frame, type Rows, type Scope } from './scope'
import { isFoundByIndex } from './table-reads'
import { allOf, inSome, oneOf, rowBytes, type Sized } from './sized'

/**
 * Estimates a query. What running it once takes goes to the scope's ledger; where it reads the row around it, that for each of its rows.
 * @param page how many rows are asked for, besides the query's own LIMIT.
 */
export function estimateQuery(query: Query, scope: Scope, page: Amount | null = null): Estimate {
  const { outer } = scope
  const times = outer !== null && isCorrelated(query) ? outer.rows : 1
  const ledger = scope.ledger.fork()
  const inner = entered(
    { ...scope, ledger, outer: times === 1 ? null : outer, canMeasure: scope.canMeasure && times === 1 },
    query.ctes,
  )
  const found = query.kind === 'set' ? estimateSet(query, inner) : estimateSelect(query, inner, page)
  scope.ledger.add(ledger, times)
  return found
}

/** The rows that a query gives at most, of those that it has. */
const limited = (rows: Amount, { limit, offset }: Pick<Query, 'limit' | 'offset'>): Amount =>
  limit === null ? rows : least(rows, limit + offset)

function estimateSelect(select: Select, scope: Scope, page: Amount | null): Estimate {
  const read = estimateFrom(select, scope)
  if (select.where) sizeOf(select.where, frameOf(scope, read, scanned(select)))
  const rows = page === null ? limited(read.rows, select) : least(limited(read.rows, select), page)
  const end = select.aggregated
    ? grouped(select, read, scope)
    : frameOf(scope, stopsEarly(select) ? few(read, rows) : read, readBy(select))
  const items = select.items.map(({ expr }) => sizeOf(expr, end))
  if (select.having) sizeOf(select.having, end)
  const given = least(end.rows, rows)
  order(select, items, end, given)
  return { rows: given, columns: items.map((item) => inSome(item, given)) }
}

/** The rows that WHERE is evaluated for. */
function scanned({ from, where }: Select) {
  const sources = from === null ? [] : [from.source, ...from.joins.map(({ source }) => source)]
  const found = conjunctsOf(where).filter((condition) =>
    sources.some((source) => isFoundByIndex(source, condition)),
  )
  return { from, where: found }
}

const readBy = ({ from, where }: Select) => ({ from, where: conjunctsOf(where) })

const few = ({ columns }: Rows, rows: Amount): Rows => ({
  rows,
  columns: new Map([...columns].map(([id, column]) => [id, (key: string) => inSome(column(key), rows)])),
})

/** Whether the rows behind the last one that is wanted are never looked at: nothing puts rows in order, or an index has them in order. */
function stopsEarly(select: Select): boolean {
  const { distinct, limitBy, items, orderBy } = select
  if (distinct || limitBy !== null || items.some(({ expr }) => containsWindow(expr))) return false
  return orderBy.length === 0 || isOrderOfIndex(select)
}

/** Whether events are wanted in the order of an index: by time, of all names or of one. */
function isOrderOfIndex({ from, orderBy, where }: Select): boolean {
  const [first, ...rest] = orderBy
  if (!from || from.joins.length > 0 || first === undefined || rest.length > 0) return false
  const { source } = from
  const isColumn = (expr: Expr, name: string) =>
    expr.node === 'column' && expr.source === source.id && expr.column === name
  const hasNames = conjunctsOf(where).some(
    (condition) => condition.node !== 'compare' && contains(condition, (part) => isColumn(part, 'event')),
  )
  return (
    source.kind === 'table' && source.table === 'events' && isColumn(first.expr, 'timestamp') && !hasNames
  )
}

/** The groups of a SELECT with aggregates. */
function grouped(select: Select, read: Rows, scope: Scope): Frame {
  const { ledger } = scope
  const frame = frameOf(scope, read, readBy(select))
  const keys = select.groupBy.map((key) => sizeOf(key, frame))
  const rows = keys.length === 0 ? 1 : read.rows
  if (keys.length > 0) {
    const bytes = rowBytes(keys)
    ledger.spend('GROUP BY', sum(product(read.rows, SORTED_ROW), product(bytes.sum, BYTE)))
    ledger.hold(sum(bytes.sum, product(read.rows, ROW_OVERHEAD)))
  }
  return {
    ...frame,
    rows,
    aggregated: frame,
    known: new Map(select.groupBy.map((key, index) => [keyOf(key), inSome(keys[index]!, rows)])),
    measure: null,
  }
}

/** DISTINCT, ORDER BY and LIMIT BY. */
function order(select: Select, items: readonly Sized[], frame: Frame, given: Amount): void {
  const { ledger, rows } = frame
  const keys = select.orderBy.map(({ expr }) => sizeOf(expr, frame))
  const parts = (select.limitBy?.by ?? []).map((expr) => sizeOf(expr, frame))
  const isSorted =
    select.distinct || select.limitBy !== null || (select.orderBy.length > 0 && !isOrderOfIndex(select))
  if (!isSorted) return
  const bytes = rowBytes([...items, ...keys, ...parts])
  // Of rows that are only put in order, no more are held than are given.
  const held =
    select.distinct || select.limitBy !== null ? bytes.sum : least(bytes.sum, product(given, bytes.max))
  const passes = select.limitBy === null ? 1 : 2
  ledger.spend(
    'ORDER BY',
    sum(product(rows, SORTED_ROW * passes), product(allOf([...items, ...keys]).sum, BYTE / 2)),
  )
  ledger.hold(sum(held, product(least(rows, given), ROW_OVERHEAD)))
}

function estimateSet(set: SetOperation, scope: Scope): Estimate {
  const { ledger } = scope
  const legs = [set.initial, ...set.rest.map(({ query }) => query)].map((query) =>
    estimateQuery(query, scope),
  )
  const rows = sum(...legs.map((leg) => leg.rows))
  const columns = set.items.map((_, index) => oneOf(legs.map((leg) => leg.columns[index]!)))
  const bytes = allOf(columns).sum
  if (set.rest.some(({ operator }) => operator !== 'union all')) {
    ledger.spend('set operations', sum(product(rows, SORTED_ROW), product(bytes, BYTE)))
    ledger.hold(sum(bytes, product(rows, ROW_OVERHEAD)))
  }
  const given = limited(rows, set)
  return { rows: given, columns: columns.map((column) => inSome(column, given)) }
}
