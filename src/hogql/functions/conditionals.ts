// Functions that choose between values.
import { INTEGER, nullable, required } from '../types'
import { fn } from './define'
import { always, argument, commonType, like, type Returns } from './return-types'
import type { FunctionSpec, SqliteSite } from './spec'
import { mayBeNaN, orDefault, rejectUnordered } from './sqlite-values'

/** Returns the common type, which may be NULL only if all arguments may be. */
const oneOf: Returns = (args) => {
  const type = commonType(args)
  return args.some((arg) => !arg.nullable) ? required(type) : type
}

/** Writes the greater or the lesser of two numbers. As in ClickHouse, it is the second one when one of them is NaN. */
export const ofTwo =
  (name: 'max' | 'min') =>
  ({ types, constants, once }: SqliteSite, one: string, other: string): string => {
    const isEitherNaN = types.some((type, index) => mayBeNaN(type, constants[index]))
    if (!isEitherNaN || types.some((type) => type.nullable)) return `${name}(${one}, ${other})`
    const operator = name === 'max' ? '>' : '<'
    return once(one, (a) => once(other, (b) => `CASE WHEN ${a} ${operator} ${b} THEN ${a} ELSE ${b} END`))
  }

/**
 * Defines a function that ignores NULL, as in ClickHouse: another argument takes its place. SQLite's own function is NULL when one argument
 * is.
 */
const ofKnown =
  (name: 'max' | 'min') =>
  (site: SqliteSite, ...args: string[]): string => {
    const { types } = site
    rejectUnordered(name === 'max' ? 'greatest' : 'least', types)
    const [one, other] = args
    if (one === undefined || other === undefined) return String(one)
    const mayBeNull = types.some((type) => type.nullable)
    if (!mayBeNull && args.length === 2) return ofTwo(name)(site, one, other)
    if (!mayBeNull && !types.some((type) => mayBeNaN(type))) return `${name}(${args.join(', ')})`
    const rotated = args.map(
      (_, turn) => `coalesce(${[...args.slice(turn), ...args.slice(0, turn)].join(', ')})`,
    )
    return `${name}(${rotated.join(', ')})`
  }

/** Writes the first argument that is not NULL. One that has no NULL is the last to be read: its NULL in SQLite is NaN. */
function firstKnown({ types }: SqliteSite, ...args: string[]): string {
  const last = types.findIndex((type) => !type.nullable)
  const read = last < 0 ? args : args.slice(0, last + 1)
  return read.length === 1 ? String(read[0]) : `coalesce(${read.join(', ')})`
}

export const CONDITIONALS: readonly FunctionSpec[] = [
  fn('coalesce', 'any, any...', oneOf, firstKnown),
  fn('ifNull', 'any, any', oneOf, firstKnown),
  fn('nullIf', 'any, any', (args) => nullable(argument(args, 0)), 'nullif($*)'),
  fn(
    'assumeNotNull',
    'any',
    (args) => required(argument(args, 0)),
    ({ types, type }, value) => (argument(types, 0).nullable ? orDefault(value, type) : value),
  ),
  fn('toNullable', 'any', (args) => nullable(argument(args, 0)), '$1'),
  fn('identity', 'any', like(0), '$1'),
  // The sign removes the affinity of a column.
  fn('materialize', 'any', like(0), '+$1'),
  fn('greatest', 'any, any...', oneOf, ofKnown('max')),
  fn('least', 'any, any...', oneOf, ofKnown('min')),
  fn('xor', 'condition, condition', 'integer', '(($1 <> 0) <> ($2 <> 0))'),
  fn('isZeroOrNull', 'number', always(INTEGER), ({ types }, value) =>
    argument(types, 0).nullable ? `(ifnull(${value}, 0) = 0)` : `ifnull(${value} = 0, 0)`,
  ),
]
