// Names of types in messages.
import type { Expected } from '../../functions/spec'
import { isMap, isNumber, isTemporal, isText, type Kind, type Type } from '../../types'

const NAMES: Record<Kind | Expected, string> = {
  any: 'a value',
  number: 'a number',
  condition: 'a condition',
  temporal: 'a date or datetime',
  lambda: 'a lambda',
  integer: 'an integer',
  float: 'a number',
  string: 'a string',
  boolean: 'a boolean',
  datetime: 'a datetime',
  date: 'a date',
  json: 'a JSON document',
  null: 'NULL',
  array: 'an array',
  tuple: 'a tuple',
}

/** Returns the name of a type in a sentence: `a string`, `an array`. */
export const typeName = (type: Type): string => (isMap(type) ? 'a map' : NAMES[type.kind])

export const expectedName = (expected: Expected): string => NAMES[expected]

export function noCommonType(what: string, exprs: readonly { type: Type }[]): string {
  const kinds = [...new Set(exprs.map(({ type }) => typeName(type)))]
  return `There is no common type for ${what}: ${kinds.join(', ')}${conversionHint(exprs.map(({ type }) => type))}`
}

/** Says by which functions values become of one type, for a text beside numbers or dates. */
export function conversionHint(types: readonly Type[]): string {
  if (!types.some(isText)) return ''
  const isBeside = (test: (type: Type) => boolean) =>
    types.every((type) => isText(type) || type.kind === 'null' || test(type))
  const hint = (fn: string) => `. Convert with toString(…) or ${fn}(…)`
  if (isBeside(isNumber)) return hint('toFloat')
  return isBeside(isTemporal) ? hint('toDateTime') : ''
}
