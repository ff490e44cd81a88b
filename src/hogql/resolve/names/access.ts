// Resolves access into values: into documents by path, and into tuples and arrays by index.
import type { Expr, Literal } from '../../ir'
import type { Located } from '../../parser/ast'
import { call, integer, literalOf, text } from '../../ir-build'
import type { Resolution } from '../context/resolution'
import { typeName } from '../types/type-names'
import { readProperty } from '../types/properties'
import { isMapExpr, mapElement } from './maps'
import { reject } from '../../error'

/** The most steps of a path into a document. */
const MAX_PATH_STEPS = 50

/** Resolves `base.a.b`. */
export function accessPath(
  r: Resolution,
  base: Expr,
  path: readonly (string | number)[],
  node: Located,
): Expr {
  if (path.length === 0) return base
  if (path.length > MAX_PATH_STEPS) {
    reject(node, `A path may have at most ${MAX_PATH_STEPS} steps`)
  }
  if (base.type.kind === 'json' && String(path[0]).startsWith('$virt_'))
    reject(node, `The property '${path[0]}' is computed by PostHog, and not supported`)
  if (base.type.kind === 'json') return readProperty(r, base, path, node)
  const property = asProperty(base)
  if (property !== undefined) {
    const longer = [...property.path, ...path]
    return readProperty(r, property.document, longer, node)
  }
  return reject(node, `Unable to resolve field: ${path.join('.')} of ${typeName(base.type)}`, 'unknown_field')
}

/** Returns the property that a path continues inside, whose text is then a document again. */
const asProperty = (base: Expr): Extract<Expr, { node: 'property' }> | undefined =>
  base.node === 'property' ? base : undefined

/**
 * Resolves `tuple.2`, which counts from 1. For an array of tuples it is the array of these elements, and for a list in a property its
 * element.
 */
export function elementsAt(r: Resolution, value: Expr, index: number, node: Located): Expr {
  requireFromOne(index, node, 'array.1')
  if (value.type.kind === 'json' || value.node === 'property') return accessPath(r, value, [index], node)
  if (value.type.kind !== 'array' || value.type.of.kind !== 'tuple') return tupleElement(value, index, node)
  const parameter = r.nextId()
  const body = tupleElement({ node: 'element', parameter, type: value.type.of }, index, node)
  return call('arrayMap', { node: 'lambda', parameters: [parameter], body, type: body.type }, value)
}

/** Rejects an index that is written for lists whose first element is 0: no list has it, and the result would be empty without a word. */
function requireFromOne(index: Literal | undefined, node: Located, example: string): void {
  if (index === 0) reject(node, `SQL indexes start from one, not from zero. E.g: ${example}`, 'invalid_query')
}

/** Resolves `tuple.2`, which counts from 1. */
export function tupleElement(tuple: Expr, index: number, node: Located): Expr {
  if (tuple.type.kind !== 'tuple') {
    reject(node, `${typeName(tuple.type)} has no element .${index}`.replace(/^a/, 'A'), 'type_mismatch')
  }
  const type = tuple.type.of[index - 1]
  if (type === undefined) {
    reject(node, `The tuple has ${tuple.type.of.length} elements, and none is .${index}`, 'type_mismatch')
  }
  if (tuple.node === 'tuple') return tuple.items[index - 1] ?? tuple
  return { node: 'call', fn: 'tupleElement', args: [tuple, integer(index)], type }
}

/** Resolves `array[n]`. */
export function subscript(r: Resolution, array: Expr, index: Expr, node: Located): Expr {
  if (!isMapExpr(array)) requireFromOne(literalOf(index), node, 'array[1]')
  return arrayElement(r, array, index, node)
}

/** Resolves `arrayElement(array, n)`, which counts from 1, or from the end when negative. ClickHouse has a default for 0. */
export function arrayElement(r: Resolution, array: Expr, index: Expr, node: Located): Expr {
  if (isMapExpr(array)) return mapElement(r, array, index, node)
  if (array.type.kind === 'tuple' && index.node === 'literal' && typeof index.value === 'number') {
    return tupleElement(array, index.value, node)
  }
  if (index.node === 'literal' && typeof index.value === 'string')
    return accessPath(r, array, [index.value], node)
  if (array.type.kind === 'json' || array.node === 'property') {
    if (index.node === 'literal' && Number.isInteger(index.value))
      return accessPath(r, array, [Number(index.value)], node)
    if (array.node === 'property' && index.type.kind === 'integer')
      return call('arrayElement', listIn(array), index)
    reject(node, 'Properties are reached by a constant name, or by an index')
  }
  if (array.type.kind !== 'array') {
    reject(node, `${typeName(array.type)} has no elements`.replace(/^a/, 'A'), 'type_mismatch')
  }
  if (index.type.kind !== 'integer') {
    reject(node, `An array is indexed by an integer, not by ${typeName(index.type)}`, 'type_mismatch')
  }
  return call('arrayElement', array, index)
}

/** Returns the texts of a list in a property. */
export const listIn = ({ document, path }: Extract<Expr, { node: 'property' }>): Expr =>
  call(
    'JSONExtract',
    document,
    ...path.map((step) => (typeof step === 'number' ? integer(step) : text(step))),
    text('Array(String)'),
  )

/** Resolves `array[first:last]`, which includes both. */
export function arraySlice(given: Expr, first: Expr, last: Expr | null, node: Located): Expr {
  const array = given.node === 'property' ? listIn(given) : given
  if (array.type.kind !== 'array') {
    reject(node, `A slice is of an array, not of ${typeName(array.type)}`, 'type_mismatch')
  }
  const [from, to] = [literalOf(first), last ? literalOf(last) : Infinity]
  if (typeof from !== 'number' || typeof to !== 'number' || from < 1 || to < 1) {
    reject(
      node,
      'The bounds of a slice are whole numbers from 1 on, such as [1:3]. For others use arraySlice(…)',
    )
  }
  if (to === Infinity) return call('arraySlice', array, integer(from))
  return call('arraySlice', array, integer(from), integer(Math.max(0, to - from + 1)))
}
