// Functions that choose between values.
import { INTEGER, nullable, required } from '../types'
import { fn } from './define'
import { always, argument, commonType, like, type Returns } from './return-types'
import type { FunctionSpec, SqliteSite } from './spec'
import { orDefault, rejectUnordered } from './sqlite-values'

/** Returns the common type, which may be NULL only if all arguments may be. */
const oneOf: Returns = (args) => {
  const type = commonType(args)
  return args.some((arg) => !arg.nullable) ? required(type) : type
}

/**
 * Defines a function that ignores NULL, as in ClickHouse: another argument takes its place. SQLite's own function is NULL when one argument
 * is.
 */
const ofKnown =
  (name: 'max' | 'min') =>
  ({ types }: SqliteSite, ...args: string[]): string => {
    rejectUnordered(name === 'max' ? 'greatest' : 'least', types)
    if (args.length === 1) return String(args[0])
    if (!types.some((type) => type.nullable)) return `${name}(${args.join(', ')})`
    const rotated = args.map(
      (_, turn) => `coalesce(${[...args.slice(turn), ...args.slice(0, turn)].join(', ')})`,
    )
    return `${name}(${rotated.join(', ')})`
  }

export const CONDITIONALS: readonly FunctionSpec[] = [
  fn('coalesce', 'any, any...', oneOf, (_, ...args) =>
    args.length === 1 ? String(args[0]) : `coalesce(${args.join(', ')})`,
  ),
  // NaN is NULL in SQLite, and stays NULL even if the type has no NULL.
  fn('ifNull', 'any, any', oneOf, ({ types }, value, otherwise) =>
    argument(types, 0).nullable ? `ifnull(${value}, ${otherwise})` : value,
  ),
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
  fn('isZeroOrNull', 'number', always(INTEGER), '(ifnull($1, 0) = 0)'),
]
