// Functions that may only stand before OVER.
import { reject } from '../error'
import type { Literal } from '../ir'
import { FLOAT, INTEGER, nullable, type Type } from '../types'
import { windowFunction } from './define'
import { always, argument, commonType, like } from './return-types'
import type { Site, WindowFunction } from './spec'

const withDefault = (args: readonly Type[]): Type => commonType([argument(args, 0), argument(args, 2)])

/** Defines `lag` or `lead`. Beyond the ends, the value is NULL or the given default. */
const neighbour = (name: 'lag' | 'lead'): WindowFunction =>
  windowFunction(
    name,
    'any, integer?, any?',
    (args) => (args.length > 2 ? withDefault(args) : nullable(argument(args, 0))),
    `${name}($*)`,
    (_, value, ...rest) => `${name}(${[`toNullable(${value})`, ...rest].join(', ')})`,
  )

const ofBoth = (value: string, type: Type): string => {
  const own = type.kind === 'integer' ? `toInt64(${value})` : value
  return type.nullable ? `toNullable(${own})` : own
}

/** Defines a neighbour within the frame, which is the type's default beyond it: the printers ensure both. */
const neighbourInFrame = (name: string, sqlite: string): WindowFunction =>
  windowFunction(
    name,
    'any, integer?, any?',
    (args) => (args.length > 2 ? withDefault(args) : argument(args, 0)),
    sqlite,
    ({ type }, value = '', ...rest) => {
      // ClickHouse requires of a default that the value has the type of both.
      const own = rest.length > 1 ? ofBoth(value, type) : value
      // ClickHouse may regard a value as nullable, in which case its default would be NULL.
      return `${name}(${[type.nullable ? own : `assumeNotNull(${own})`, ...rest].join(', ')})`
    },
  )

/**
 * Defines the first or the last value of the frame that is not NULL. SQLite's own function also returns NULL, so that lowering replaces it
 * for values that may be NULL.
 */
const edge = (names: string, name: string): WindowFunction =>
  windowFunction(names, 'any', like(0), `${name}($1)`, `${name}($1)`)

/** Returns a positive number, which must be a literal on ClickHouse. */
function literal(constant: Literal | undefined, name: string): string {
  if (typeof constant === 'number' && Number.isSafeInteger(constant) && constant > 0) return String(constant)
  return reject(null, `'${name}' takes a constant positive number.`)
}

const ntile = ({ constants }: Pick<Site, 'constants'>) => `ntile(${literal(constants[0], 'ntile')})`

export const WINDOWS: readonly WindowFunction[] = [
  windowFunction('row_number', '', always(INTEGER)),
  windowFunction('rank', '', always(INTEGER)),
  windowFunction('dense_rank denseRank', '', always(INTEGER)),
  windowFunction('percent_rank percentRank', '', always(FLOAT)),
  windowFunction('cume_dist', '', always(FLOAT)),
  windowFunction('ntile', 'integer', always(INTEGER), ntile, ntile),
  neighbour('lag'),
  neighbour('lead'),
  neighbourInFrame('lagInFrame', 'lag($*)'),
  neighbourInFrame('leadInFrame', 'lead($*)'),
  edge('first_value firstValue', 'first_value'),
  edge('last_value lastValue', 'last_value'),
  windowFunction(
    'nth_value',
    'any, integer',
    like(0),
    ({ constants }, value) => `nth_value(${value}, ${literal(constants[1], 'nth_value')})`,
    ({ constants, type }, value = '') =>
      `nth_value(${type.nullable ? value : `assumeNotNull(${value})`}, ${literal(constants[1], 'nth_value')})`,
  ),
]
