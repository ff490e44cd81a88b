import type { Expr, Order, Select } from '../../ir'
import { column, columnsOf, selectOf, unnamed } from '../../ir-build'
import type { Resolution } from '../context/resolution'

/**
 * Resolves QUALIFY: wraps the SELECT in one with the condition as its WHERE. Sorting and limits move to the outer SELECT, over columns of
 * the inner one.
 */
export function qualified(r: Resolution, select: Select, qualify: Expr): Select {
  const id = r.nextId()
  const items = [...select.items]
  const carry = (expr: Expr): Expr => column(id, `c${items.push(unnamed(expr)) - 1}`, expr.type)
  const where = carry(qualify)
  const orderBy = select.orderBy.map((order): Order => ({ ...order, expr: carry(order.expr) }))
  const limitBy = select.limitBy && { ...select.limitBy, by: select.limitBy.by.map(carry) }
  const inner: Select = {
    ...select,
    ctes: [],
    distinct: false,
    items,
    orderBy: [],
    limitBy: null,
    limit: null,
    offset: 0,
  }
  return selectOf({
    ctes: select.ctes,
    distinct: select.distinct,
    items: columnsOf(select, id),
    from: { source: { kind: 'query', id, query: inner }, joins: [] },
    where,
    orderBy,
    limitBy,
    limit: select.limit,
    offset: select.offset,
  })
}
