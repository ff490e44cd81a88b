import type { Expr, Item, Order, Select } from '../../ir'
import { selectOf } from '../../ir-build'
import type { Resolution } from '../context/resolution'

/**
 * QUALIFY: wraps the SELECT in one with the condition as its WHERE. Sorting and limits move to the outer SELECT, over columns of the
 * inner one.
 */
export function qualified(r: Resolution, select: Select, qualify: Expr): Select {
  const id = r.nextId()
  const items = [...select.items]
  const read = (index: number, { type }: Item): Expr => ({
    node: 'column',
    source: id,
    column: `c${index}`,
    type,
  })
  const carry = (expr: Expr): Expr => {
    const item: Item = { name: '', expr, type: expr.type }
    items.push(item)
    return read(items.length - 1, item)
  }
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
    items: select.items.map((item, index) => ({ ...item, expr: read(index, item) })),
    from: { source: { kind: 'query', id, query: inner }, joins: [] },
    where,
    orderBy,
    limitBy,
    limit: select.limit,
    offset: select.offset,
  })
}
