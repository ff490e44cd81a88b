// Lowers window functions and LIMIT BY to SELECTs around the one that has the rows.
import { HogqlError } from '../error'
import type { Expr, Select } from '../ir'
import { isConstant } from '../joins'
import { all, comparison, integer, selectOf, windowCall } from '../ir-build'
import { contains, containsWindow, mapParts, sourcesOf } from '../ir-walk'
import { orderByItems } from './lower-order'
import { mapResult, replacing, resultOf, Stage, standsInPlace } from './stage'

const isWindow = ({ node }: Expr): boolean => node === 'window'

/** Lowers calls of other functions with window functions: the latter become columns of an inner SELECT. Aggregates are lowered before. */
export function lowerWindows(select: Select, nextId: () => number): Select {
  if (resultOf({ ...select, having: null }).every((expr) => standsInPlace(expr, isWindow))) return select
  return inStages(select, nextId, isWindow)
}

/** Returns a SELECT over an inner one that has its rows, and the window functions that `isInside` finds. */
function inStages(select: Select, nextId: () => number, isInside: (expr: Expr) => boolean): Select {
  const rows = new Stage(nextId())
  const sources = new Set(sourcesOf(select).map(({ id }) => id))
  const change = replacing(
    (expr) => {
      const isOfRow = isInside(expr) || !contains(expr, ({ node }) => node === 'window' || node === 'element')
      return isOfRow && !isConstant(expr) ? rows.column(expr) : null
    },
    (expr) => (expr.node === 'column' && sources.has(expr.source) ? rows.column(expr) : null),
  )
  const { from, where, groupBy, aggregated, having } = select
  const result = mapResult({ ...select, having: null }, change)
  const inner = rows.from({ from, where, groupBy, aggregated, having })
  return { ...select, ...result, from: inner, where: null, groupBy: [], aggregated: false }
}

/** Functions that return the first or the last value of the frame that is not NULL. */
const EDGES: ReadonlyMap<string, { native: string; byRow: string }> = new Map([
  ['any', { native: 'first_value', byRow: 'argMin' }],
  ['first_value', { native: 'first_value', byRow: 'argMin' }],
  ['anyLast', { native: 'last_value', byRow: 'argMax' }],
  ['last_value', { native: 'last_value', byRow: 'argMax' }],
])

/**
 * Lowers the first and the last value. SQLite's functions for them return a NULL like any value. If there may be one, an inner SELECT
 * numbers the rows, and the value is that of the row with the least or the greatest number.
 */
export function lowerEdges(select: Select, nextId: () => number): Select {
  const numbers = new Set<Expr>()
  const lowered = (expr: Expr): Expr => {
    const edge = expr.node === 'window' ? EDGES.get(expr.fn) : undefined
    if (expr.node !== 'window' || edge === undefined) {
      return mapParts(expr, { expr: lowered, query: (query) => query })
    }
    const { partitionBy, orderBy, frame } = expr.over
    if (expr.filter === null && expr.args.every(({ type }) => !type.nullable))
      return { ...expr, fn: edge.native }
    const number = windowCall('row_number', { partitionBy, orderBy, frame: null })
    numbers.add(number)
    // With the frame of ROWS, rows of equal order count one by one, in a fixed order.
    const numbered = frame?.unit === 'rows' ? [{ expr: number, descending: false }] : orderBy
    return {
      ...expr,
      fn: edge.byRow,
      args: [...expr.args, number],
      over: { partitionBy, orderBy: numbered, frame },
    }
  }
  const result = mapResult(select, { expr: lowered })
  const changed = { ...select, ...result }
  return numbers.size === 0 ? changed : inStages(changed, nextId, (expr) => numbers.has(expr))
}

/** Lowers LIMIT BY: rows are numbered within their combination, in the order of the whole. */
export function lowerLimitBy(given: Select, nextId: () => number): Select {
  if (!given.limitBy) return given
  // DISTINCT comes first: equal rows are numbered as one. A window function cannot be in the window that numbers the rows.
  const isSeparate =
    given.distinct || [...given.orderBy.map(({ expr }) => expr), ...given.limitBy.by].some(containsWindow)
  const { ctes, limit, offset, limitBy, ...rows } = isSeparate ? separated(given, nextId) : given
  const orderBy = orderByItems(rows.orderBy)
  const numbered = new Stage(nextId(), rows.items)
  const items = rows.items.map((item) => ({ ...item, expr: numbered.column(item.expr) }))
  const outerOrder = orderBy.map((order) => ({ ...order, expr: numbered.column(order.expr) }))
  const place = numbered.column(
    windowCall('row_number', { partitionBy: limitBy?.by ?? [], orderBy, frame: null }),
  )
  const { count, offset: skipped } = given.limitBy
  const where = all([
    comparison('>', place, integer(Math.trunc(skipped))),
    comparison('<=', place, integer(Math.trunc(skipped + count))),
  ])
  return selectOf({
    ctes,
    items,
    from: numbered.from({ ...rows, orderBy: [] }),
    where,
    orderBy: outerOrder,
    limit,
    offset,
  })
}

/** Returns a SELECT over an inner one that has its rows, with its items and its keys of ORDER BY as columns. */
function separated(select: Select, nextId: () => number): Select {
  const rows = new Stage(nextId(), select.items)
  const sources = new Set(sourcesOf(select).map(({ id }) => id))
  const column = (expr: Expr) => {
    if (!select.distinct || rows.has(expr)) return rows.column(expr)
    const isOfRow =
      expr.node === 'column' ? sources.has(expr.source) : ['aggregate', 'window'].includes(expr.node)
    if (isOfRow) {
      throw new HogqlError(
        'LIMIT BY with SELECT DISTINCT needs the ClickHouse engine where it, or ORDER BY, takes an expression that is no column of the result. In the built-in database, select it, too.',
      )
    }
    return null
  }
  const change = replacing(column, () => null)
  const { ctes, limit, offset, limitBy: _, orderBy: __, ...inner } = select
  const result = mapResult({ ...select, having: null }, change)
  return selectOf({ ctes, limit, offset, ...result, from: rows.from(inner) })
}
