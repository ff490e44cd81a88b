// Functions that only stand before OVER.
import { FLOAT, INTEGER, nullable, type Type } from '../types'
import type { Literal } from '../ir'
import { refuse } from './refuse'
import { always, argument, commonType, like } from './returns'
import type { WindowFunction } from './spec'

const rank = (name: string, type: Type, ...aliases: string[]): WindowFunction => ({
  kind: 'window',
  name,
  aliases,
  takes: [],
  returns: always(type),
  sqlite: () => `${name}()`,
})

/** NULL beyond the ends, unless it is told what else. */
const beyond = (args: readonly Type[]): Type =>
  args.length > 2 ? commonType([argument(args, 0), argument(args, 2)]) : nullable(argument(args, 0))

const neighbour = (name: 'lag' | 'lead'): WindowFunction => ({
  kind: 'window',
  name,
  takes: ['any', 'integer', 'any'],
  optional: 2,
  returns: beyond,
  sqlite: (args) => `${name}(${args.join(', ')})`,
  clickhouse: ([value, ...rest]) =>
    `${name}(toNullable(${value})${rest.map((each) => `, ${each}`).join('')})`,
})

/** Only within the frame, and beyond it what the type has for no value. The printer looks after both. */
const neighbourInFrame = (name: 'lagInFrame' | 'leadInFrame', sqlite: 'lag' | 'lead'): WindowFunction => ({
  kind: 'window',
  name,
  takes: ['any', 'integer', 'any'],
  optional: 2,
  returns: (args) =>
    args.length > 2 ? commonType([argument(args, 0), argument(args, 2)]) : argument(args, 0),
  sqlite: (args) => `${sqlite}(${args.join(', ')})`,
})

const edge = (name: 'first_value' | 'last_value', ...aliases: string[]): WindowFunction => ({
  kind: 'window',
  name,
  aliases,
  takes: ['any'],
  returns: like(0),
  sqlite: ([value]) => `${name}(${value})`,
  clickhouse: ([value]) => `${name}_respect_nulls(${value})`,
})

/** A number that has to be a literal on ClickHouse, and more than zero everywhere. */
function literal(constant: Literal | undefined, name: string): string {
  if (typeof constant === 'number' && Number.isSafeInteger(constant) && constant > 0) return String(constant)
  return refuse(`'${name}' takes a constant positive number.`)
}

export const WINDOWS: readonly WindowFunction[] = [
  rank('row_number', INTEGER),
  rank('rank', INTEGER),
  rank('dense_rank', INTEGER, 'denseRank'),
  rank('percent_rank', FLOAT, 'percentRank'),
  rank('cume_dist', FLOAT),
  {
    kind: 'window',
    name: 'ntile',
    takes: ['integer'],
    returns: always(INTEGER),
    sqlite: (_, site) => `ntile(${literal(site.constants[0], 'ntile')})`,
    clickhouse: (_, site) => `ntile(${literal(site.constants[0], 'ntile')})`,
  },
  neighbour('lag'),
  neighbour('lead'),
  neighbourInFrame('lagInFrame', 'lag'),
  neighbourInFrame('leadInFrame', 'lead'),
  edge('first_value', 'firstValue'),
  edge('last_value', 'lastValue'),
  {
    kind: 'window',
    name: 'nth_value',
    takes: ['any', 'integer'],
    returns: (args) => nullable(argument(args, 0)),
    sqlite: ([value], site) => `nth_value(${value}, ${literal(site.constants[1], 'nth_value')})`,
    clickhouse: ([value], site) =>
      `nth_value(toNullable(${value}), ${literal(site.constants[1], 'nth_value')})`,
  },
]
