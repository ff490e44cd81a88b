// A common type for each column of several queries.
import type { Expr, Item, Query, SetOperation } from '../../ir'
import type { Located } from '../../parser/ast'
import { reject } from '../../error'
import type { Resolution } from '../context/resolution'
import { noCommonType } from '../types/type-names'
import { unify } from '../types/unify'

export type Leg = SetOperation['rest'][number]

export function checkWidth(one: Query, other: Query, node: Located): void {
  if (one.items.length === other.items.length) return
  reject(
    node,
    `The queries of a set operation have different numbers of columns: ${one.items.length} and ${other.items.length}`,
    'invalid_query',
  )
}

/** A set operation whose columns have types that fit those of all legs. */
export function unifyLegs(r: Resolution, initial: Query, rest: readonly Leg[], node: Located): SetOperation {
  const queries = [initial, ...rest.map(({ query }) => query)]
  for (const query of queries) checkWidth(initial, query, node)
  let converted = queries
  const items = initial.items.map((item, index): Omit<Item, 'expr'> => {
    const unified = unify(
      converted.map((query) => columnOf(query, index)),
      r.context.timezone,
    )
    if (unified === undefined) {
      const types = queries.map((query) => query.items[index] ?? item)
      reject(node, noCommonType(`column '${item.name}' of a set operation`, types), 'type_mismatch')
    }
    converted = converted.map((query, place) => withColumn(query, index, unified.exprs[place]))
    return { name: item.name, type: unified.type }
  })
  const [first = initial, ...others] = converted
  return {
    kind: 'set',
    ctes: [],
    initial: first,
    rest: rest.map((leg, place) => ({ ...leg, query: others[place] ?? leg.query })),
    items,
    limit: null,
    offset: 0,
  }
}

const columnOf = (query: Query, index: number): Expr =>
  query.kind === 'select'
    ? query.items[index]!.expr
    : { node: 'element', parameter: -1, type: query.items[index]!.type }

/** The query with one expression replaced. */
function withColumn(query: Query, index: number, expr: Expr | undefined): Query {
  if (query.kind !== 'select' || expr === undefined || query.items[index]?.expr === expr) return query
  const items = query.items.map((item, place) =>
    place === index ? { ...item, expr, type: expr.type } : item,
  )
  return { ...query, items }
}
