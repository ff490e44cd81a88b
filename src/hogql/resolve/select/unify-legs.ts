// Finds a common type for each column of several queries.
import type { Expr, Item, Query, SetOperation } from '../../ir'
import type { Located } from '../../parser/ast'
import { reject } from '../../error'
import { call, text } from '../../ir-build'
import { contains } from '../../ir-walk'
import type { Type } from '../../types'
import type { Resolution } from '../context/resolution'
import { propertyTextOf } from '../types/properties'
import { noCommonType } from '../types/type-names'
import { unify, type Unified } from '../types/unify'

export type Leg = SetOperation['rest'][number]

export function checkWidth(one: Query, other: Query, node: Located): void {
  if (one.items.length === other.items.length) return
  reject(
    node,
    `The queries of a set operation have different numbers of columns: ${one.items.length} and ${other.items.length}`,
    'invalid_query',
  )
}

/** Returns a set operation whose columns have types that fit those of all legs. */
export function unifyLegs(r: Resolution, initial: Query, rest: readonly Leg[], node: Located): SetOperation {
  const queries = [initial, ...rest.map(({ query }) => query)]
  for (const query of queries) checkWidth(initial, query, node)
  let converted = queries
  const items = initial.items.map((item, index): Omit<Item, 'expr'> => {
    const unified = unify(
      converted.map((query) => columnOf(query, index)),
      r.context.timezone,
    )
    if (
      unified === undefined ||
      converted.some((query, place) => isUngrouped(query, index, unified.exprs[place]))
    ) {
      const types = queries.map((query) => query.items[index] ?? item)
      reject(node, noCommonType(`column '${item.name}' of a set operation`, types), 'type_mismatch')
    }
    converted = converted.map((query, place) =>
      withColumn(query, index, inZoneOf(r, unified, place, item.name, node)),
    )
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

/**
 * Converts a datetime of a leg to the zone of the column, which is that of the first leg: ClickHouse would write it in the zone of its own
 * leg.
 * @throws HogqlError when it cannot be converted
 */
function inZoneOf(
  r: Resolution,
  { exprs, type }: Unified,
  place: number,
  name: string,
  node: Located,
): Expr | undefined {
  const expr = exprs[place]
  if (expr === undefined || sameZones(expr.type, type)) return expr
  if (type.kind !== 'datetime' || isColumn(expr))
    reject(
      node,
      `Column '${name}' of a set operation has datetimes of several time zones. Convert them in each query with toTimeZone, to one zone`,
      'type_mismatch',
    )
  return call('toTimeZone', expr, text(type.zone ?? r.context.timezone))
}

/** Returns whether an expression stands for a column of a leg that is a set operation itself, whose columns are not converted. */
const isColumn = (expr: Expr): boolean => expr.node === 'element' && expr.parameter === -1

/** Returns whether the datetimes within two types have the same zones. */
function sameZones(one: Type, other: Type): boolean {
  if (one.kind === 'array') return other.kind !== 'array' || sameZones(one.of, other.of)
  if (one.kind === 'tuple')
    return other.kind !== 'tuple' || one.of.every((type, index) => sameZones(type, other.of[index] ?? type))
  return one.kind !== 'datetime' || other.kind !== 'datetime' || one.zone === other.zone
}

/** Returns whether a column reads, once it is converted, the text of a property of which its leg groups by another value. */
function isUngrouped(query: Query, index: number, expr: Expr | undefined): boolean {
  if (query.kind !== 'select' || !query.aggregated) return false
  const given = columnOf(query, index)
  return propertyTextOf(given) !== undefined && !contains(expr ?? given, (part) => part === given)
}

const columnOf = (query: Query, index: number): Expr =>
  query.kind === 'select'
    ? query.items[index]!.expr
    : { node: 'element', parameter: -1, type: query.items[index]!.type }

/** Returns the query with one expression replaced. */
function withColumn(query: Query, index: number, expr: Expr | undefined): Query {
  if (query.kind !== 'select' || expr === undefined || query.items[index]?.expr === expr) return query
  const items = query.items.map((item, place) =>
    place === index ? { ...item, expr, type: expr.type } : item,
  )
  return { ...query, items }
}
