// Describes when a function of the catalogue returns NULL, by its result's type.
import { HogqlError } from '../hogql/error'
import type { Constants, Expected, FunctionSpec } from '../hogql/functions/spec'
import { arrayOf, DATETIME, INTEGER, nullable, STRING, type Type } from '../hogql/types'
import type { Literal } from '../hogql/ir'

/** Constants to try for functions that read one: a unit, a type, an index or a time zone. */
const CONSTANTS: readonly Literal[] = ['day', 'String', 1, 'UTC']

const sampleOf = (expected: Expected): Type => {
  switch (expected) {
    case 'array':
      return arrayOf(INTEGER)
    case 'any':
    case 'string':
    case 'json':
      return STRING
    case 'temporal':
    case 'datetime':
    case 'date':
      return DATETIME
    default:
      return INTEGER
  }
}

/** Returns `never`, `of NULL` (when an argument is), or `possible`. */
export function nullsOf(spec: FunctionSpec): string {
  const { takes, rest } = spec
  const types = [...takes, ...(rest ? [rest] : [])].map(sampleOf)
  const isNullable = (args: readonly Type[]) => resultOf(spec, args)?.nullable
  const known = isNullable(types)
  if (known === undefined || known) return 'possible'
  return isNullable(types.map(nullable)) ? 'of NULL' : 'never'
}

/** Returns the type for the first constants that the function accepts, if there are any. */
function resultOf({ returns }: FunctionSpec, types: readonly Type[]): Type | undefined {
  const choices: Constants[] = [[], ...CONSTANTS.map((constant) => types.map(() => constant))]
  for (const constants of choices) {
    try {
      return returns(types, constants)
    } catch (error) {
      if (!(error instanceof HogqlError)) throw error
    }
  }
  return undefined
}
