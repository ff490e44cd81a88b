// Resolves maps, which are arrays of pairs of a key and a value.
import { reject } from '../../error'
import type { Expr } from '../../ir'
import { call, comparison, integer } from '../../ir-build'
import type { Located } from '../../parser/ast'
import { arrayOf, isMap, type MapType, tupleOf } from '../../types'
import type { Resolution } from '../context/resolution'
import { reconcile } from '../types/reconcile'
import { typeName } from '../types/type-names'

export type MapExpr = Expr & { type: MapType }

export const isMapExpr = (expr: Expr): expr is MapExpr => isMap(expr.type)

/** Makes a map of an array of pairs. */
export function mapOf(node: Located, pairs: Expr): Expr {
  const { type } = pairs
  if (type.kind !== 'array' || type.of.kind !== 'tuple' || type.of.of.length !== 2) {
    return reject(
      node,
      `A map is made of pairs of a key and a value, not of ${typeName(type)}`,
      'type_mismatch',
    )
  }
  return { ...pairs, type: { ...arrayOf(tupleOf(...type.of.of)), isMap: true } }
}

/** Returns the keys or the values, in order. */
export function partsOfMap(r: Resolution, map: MapExpr, part: 'key' | 'value'): Expr {
  const parameter = r.nextId()
  const body = partOf({ node: 'element', parameter, type: map.type.of }, map.type, part)
  return call('arrayMap', { node: 'lambda', parameters: [parameter], body, type: body.type }, map)
}

export const partOf = (pair: Expr, { of }: MapType, part: 'key' | 'value'): Expr => {
  const place = part === 'key' ? 1 : 2
  return { node: 'call', fn: 'tupleElement', args: [pair, integer(place)], type: of.of[place - 1]! }
}

/** Resolves `map[key]`: the first value of a key, or the default of its type without one. */
export function mapElement(r: Resolution, map: MapExpr, key: Expr, node: Located): Expr {
  const parameter = r.nextId()
  const own = partOf({ node: 'element', parameter, type: map.type.of }, map.type, 'key')
  const sides = reconcile(own, key, r.context.timezone)
  if (sides === undefined) {
    reject(
      node,
      `The keys of the map are ${typeName(own.type)}, and not ${typeName(key.type)}`,
      'type_mismatch',
    )
  }
  const body = comparison('=', ...sides)
  const found = call('arrayFilter', { node: 'lambda', parameters: [parameter], body, type: body.type }, map)
  return call('arrayElement', partsOfMap(r, found as MapExpr, 'value'), integer(1))
}
