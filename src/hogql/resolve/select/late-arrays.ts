// Resolves arrayJoin() of an aggregate, as in `arrayJoin(topK(3)(event))`: the rows of the groups, once for each element.
import type { Expr, Item, Select, Source } from '../../ir'
import type { Located } from '../../parser/ast'
import { ExprIndex } from '../../expr-index'
import { column, selectOf, unnamed } from '../../ir-build'
import { contains, containsAggregate, containsWindow, mapParts, partsOf } from '../../ir-walk'
import { reject } from '../../error'
import type { Resolution } from '../context/resolution'
import type { Scope } from '../context/scope'

type Elements = Extract<Source, { kind: 'elements' }>

/** Returns the arrays of arrayJoin() that aggregates compute. */
export function lateArraysOf({ arrayJoins }: Pick<Scope, 'arrayJoins'>): Elements[] {
  const late: Elements[] = []
  for (const source of arrayJoins?.values ?? []) {
    if (containsAggregate(source.array) || readsElements(source.array, late)) late.push(source)
  }
  return late
}

export const readsElements = (expr: Expr, sources: readonly Elements[]): boolean =>
  contains(expr, (part) => part.node === 'column' && sources.some(({ id }) => id === part.source))

/** Rejects the elements in what is computed before the arrays, and what the engines compute in another order. */
export function rejectLateElements(
  select: Select,
  qualify: Expr | null,
  late: readonly Elements[],
  node: Located,
): void {
  const result = [...select.items, ...select.orderBy].map(({ expr }) => expr)
  const inside = [...result, ...late.map(({ array }) => array)].flatMap(aggregatesIn)
  const before = [...inside, ...select.groupBy, select.where, select.having]
  const isEarly = before.some((expr) => expr !== null && readsElements(expr, late))
  if (isEarly || qualify || select.groupingSets || result.some(containsWindow)) {
    reject(
      node,
      'arrayJoin of an aggregate is only supported in SELECT and ORDER BY, without window functions, QUALIFY and GROUPING SETS: aggregate in a subquery',
    )
  }
}

const aggregatesIn = (expr: Expr): Expr[] =>
  expr.node === 'aggregate' ? [expr] : partsOf(expr).flatMap(aggregatesIn)

/** Wraps the SELECT that aggregates in one that reads its arrays. Sorting and limits move to the outer SELECT. */
export function joiningLate(r: Resolution, select: Select, late: readonly Elements[]): Select {
  const id = r.nextId()
  const items: Item[] = []
  const known = new ExprIndex<Expr>()
  const carried = (expr: Expr): Expr => {
    const found = known.find(expr) ?? column(id, `c${items.push(unnamed(expr)) - 1}`, expr.type)
    known.add(expr, found)
    return found
  }
  // What reads elements, also those of a lambda, is computed outside.
  const isOutside = (expr: Expr) =>
    expr.node === 'lambda' || readsElements(expr, late) || contains(expr, ({ node }) => node === 'element')
  const outer = (expr: Expr): Expr => {
    if (expr.node === 'literal' || (expr.node === 'column' && readsElements(expr, late))) return expr
    return isOutside(expr) ? mapParts(expr, { expr: outer, query: (query) => query }) : carried(expr)
  }
  const result = {
    items: select.items.map((item) => ({ ...item, expr: outer(item.expr) })),
    orderBy: select.orderBy.map((order) => ({ ...order, expr: outer(order.expr) })),
    limitBy: select.limitBy && { ...select.limitBy, by: select.limitBy.by.map(outer) },
  }
  const joins = late.map((source) => ({
    kind: 'cross' as const,
    source: { ...source, array: outer(source.array) },
    on: null,
  }))
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
  const { ctes, distinct, limit, offset } = select
  const from = { source: { kind: 'query' as const, id, query: inner }, joins }
  return selectOf({ ctes, distinct, limit, offset, ...result, from })
}
