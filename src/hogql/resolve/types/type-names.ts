// Names of types in messages.
import type { Expected } from '../../functions/spec'
import type { Kind, Type } from '../../types'

const NAMES: Record<Kind, string> = {
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

/** `a string`, `an array`. */
export const typeName = ({ kind }: Type): string => NAMES[kind]

export function expectedName(expected: Expected): string {
  switch (expected) {
    case 'any':
      return 'a value'
    case 'number':
      return 'a number'
    case 'condition':
      return 'a condition'
    case 'temporal':
      return 'a date or datetime'
    case 'lambda':
      return 'a lambda'
    case 'integer':
    case 'float':
    case 'string':
    case 'boolean':
    case 'datetime':
    case 'date':
    case 'json':
    case 'array':
      return NAMES[expected]
  }
}

export function noCommonType(what: string, exprs: readonly { type: Type }[]): string {
  const kinds = [...new Set(exprs.map(({ type }) => typeName(type)))]
  return `There is no common type for ${what}: ${kinds.join(', ')}`
}
