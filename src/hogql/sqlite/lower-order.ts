// Lowers the order of tuples: their JSON sorts in another order than their values.
import type { Expr, Order, Select } from '../ir'
import { call, integer } from '../ir-build'
import { mapParts } from '../ir-walk'
import { nullable } from '../types'
import { mapResult } from './stage'

/** Returns an order with each tuple replaced by its items, at any depth. */
export const orderByItems = (orderBy: readonly Order[]): Order[] =>
  orderBy.flatMap(({ expr, descending }) => {
    const items = itemsOf(expr)
    return items === null
      ? [{ expr, descending }]
      : orderByItems(items.map((item) => ({ expr: item, descending })))
  })

/** Lowers the orders of windows. Aggregates are lowered before: a tuple that is a key of groups is a column then. */
export function lowerWindowOrders(select: Select): Select {
  const lowered = (expr: Expr): Expr => {
    const mapped = mapParts(expr, { expr: lowered, query: (query) => query })
    if (mapped.node !== 'window') return mapped
    return { ...mapped, over: { ...mapped.over, orderBy: orderByItems(mapped.over.orderBy) } }
  }
  return { ...select, ...mapResult(select, { expr: lowered }) }
}

/** Returns the items of a tuple, or null for anything else. In an outer join, a tuple may be NULL, and so may its items. */
function itemsOf(expr: Expr): Expr[] | null {
  if (expr.node === 'tuple') return expr.items
  const { type } = expr
  if (type.kind !== 'tuple') return null
  return type.of.map((of, index) => ({
    ...call('tupleElement', expr, integer(index + 1)),
    type: type.nullable ? nullable(of) : of,
  }))
}
