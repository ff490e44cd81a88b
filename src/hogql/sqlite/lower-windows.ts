// Window functions and LIMIT BY: SELECTs around the one that has the rows.
import type { Expr, Select } from '../ir'
import { isConstant } from '../joins'
import { all, comparison, integer, selectOf, windowCall } from '../ir-build'
import { contains, containsWindow, sourcesOf } from '../ir-walk'
import { mapResult, replacing, resultOf, Stage, standsInPlace } from './stage'

const isWindow = ({ node }: Expr): boolean => node === 'window'

/** Makes window functions columns of a SELECT inside where functions are called with them. Aggregates are lowered before. */
export function lowerWindows(select: Select, nextId: () => number): Select {
  if (resultOf({ ...select, having: null }).every((expr) => standsInPlace(expr, isWindow))) return select
  const rows = new Stage(nextId())
  const sources = new Set(sourcesOf(select).map(({ id }) => id))
  const change = replacing(
    (expr) => {
      const isOfRow = isWindow(expr) || !contains(expr, ({ node }) => node === 'window' || node === 'element')
      return isOfRow && !isConstant(expr) ? rows.column(expr) : null
    },
    (expr) => (expr.node === 'column' && sources.has(expr.source) ? rows.column(expr) : null),
  )
  const { from, where, groupBy, aggregated, having } = select
  const result = mapResult({ ...select, having: null }, change)
  const inner = rows.from({ from, where, groupBy, aggregated, having })
  return { ...select, ...result, from: inner, where: null, groupBy: [], aggregated: false }
}

/** LIMIT BY: rows are numbered within their combination, in the order of the whole. */
export function lowerLimitBy(given: Select, nextId: () => number): Select {
  if (!given.limitBy) return given
  // DISTINCT comes first: rows that are alike are numbered as one. A window function cannot stand in the window that numbers the rows.
  const isSeparate =
    given.distinct || [...given.orderBy.map(({ expr }) => expr), ...given.limitBy.by].some(containsWindow)
  const { ctes, limit, offset, limitBy, orderBy, ...rows } = isSeparate ? separated(given, nextId) : given
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
  return selectOf({ ctes, items, from: numbered.from(rows), where, orderBy: outerOrder, limit, offset })
}

/** The SELECT over one that has its rows: its items, and what it orders by, are columns. */
function separated(select: Select, nextId: () => number): Select {
  const rows = new Stage(nextId(), select.items)
  const column = (expr: Expr) => (!select.distinct || rows.has(expr) ? rows.column(expr) : null)
  const change = replacing(column, () => null)
  const { ctes, limit, offset, limitBy: _, orderBy: __, ...inner } = select
  const result = mapResult({ ...select, having: null }, change)
  return selectOf({ ctes, limit, offset, ...result, from: rows.from(inner) })
}
