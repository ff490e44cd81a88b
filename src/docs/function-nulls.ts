// Describes when a function returns NULL, by its result's type.
import { HogqlError } from '../hogql/error'
import type { Constants, Expected, FunctionSpec } from '../hogql/functions/spec'
import { arrayOf, DATETIME, INTEGER, nullable, STRING, type Type } from '../hogql/types'
import type { Literal } from '../hogql/ir'
import type { SelectQuery } from '../hogql/parser/ast'
import { parseQuery } from '../hogql/parser/parse'

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

/** Returns `never`, `of NULL` (when an argument is), `of all NULL` (when all are, or all values of an aggregate), or `possible`. */
export function nullsOf(spec: FunctionSpec): string {
  const { takes, rest, optional = 0, kind } = spec
  const types = [...takes, ...(rest ? [rest] : [])].map(sampleOf)
  const isNullable = (args: readonly Type[]) => resultOf(spec, args)?.nullable
  const known = [isNullable(types), isNullable(types.slice(0, takes.length - optional + (rest ? 1 : 0)))]
  if (known[0] === undefined || known.includes(true)) return 'possible'
  return nullsBy(types.length, kind === 'aggregate', (isNull) =>
    isNullable(types.map((type, place) => (isNull(place) ? nullable(type) : type))),
  )
}

/** Arguments of these are never NULL. */
const NEVER_NULL = new Set(['Lambda', 'Array', 'Tuple', 'Dict'])

/**
 * Returns the same of a function that is written with others, by a call of it.
 * @param typeOf compiles an expression, and returns its type, or undefined when that is an error
 */
export function nullsOfCall(call: string, typeOf: (expression: string) => Type | undefined): string {
  const before = 'SELECT '
  const { select } = parseQuery(before + call) as SelectQuery
  const [item] = select
  if (item?.node !== 'Call') throw new Error(`${call} is no call`)
  const args = item.args.map(({ node, start, end }) => {
    const text = call.slice(start! - before.length, end! - before.length)
    return { text, optional: NEVER_NULL.has(node) ? text : `nullIf(${text}, ${text})` }
  })
  if (typeOf(call)?.nullable) return 'possible'
  return nullsBy(
    args.length,
    false,
    (isNull) =>
      typeOf(
        `${item.name}(${args.map(({ text, optional }, place) => (isNull(place) ? optional : text)).join(', ')})`,
      )?.nullable,
  )
}

/** @param isNullable returns whether the result may be NULL when these arguments may be, or undefined when they cannot */
function nullsBy(
  count: number,
  isAggregate: boolean,
  isNullable: (isNull: (place: number) => boolean) => boolean | undefined,
): string {
  const isOfOne = Array.from({ length: count }, (_, only) => isNullable((place) => place === only))
  if (isOfOne.includes(true) && !isAggregate) return 'of NULL'
  return isNullable(() => true) ? 'of all NULL' : 'never'
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
