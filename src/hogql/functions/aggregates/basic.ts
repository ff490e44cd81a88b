// Counting, adding up, and the ends of a range.
import { FLOAT, INTEGER, nullable, required, type Type } from '../../types'
import { always, argument, like } from '../returns'
import type { AggregateFunction, AggregateSite, SqliteAggregateSite } from '../spec'
import { orDefault } from '../sqlite-values'

/** Integers add up to an integer, everything else to a float. */
const total = (args: readonly Type[]): Type => {
  const type = argument(args, 0)
  const sum = type.kind === 'float' ? FLOAT : INTEGER
  return type.nullable ? nullable(sum) : sum
}

const distinctly = (sql: string, { distinct }: Pick<AggregateSite, 'distinct'>) =>
  distinct ? `DISTINCT ${sql}` : sql

/** Of nothing, what ClickHouse gives of a column that cannot be NULL. */
const orOfNothing = (call: string, site: SqliteAggregateSite): string =>
  orDefault(site.apply(call), site.type)

/** An average of nothing is no number. */
const mean = (args: readonly Type[]): Type => (argument(args, 0).nullable ? nullable(FLOAT) : FLOAT)

/** Whether some condition holds, or all of them. NULL does not hold. */
const fold = (name: string, fn: 'min' | 'max', ...aliases: string[]): AggregateFunction => ({
  kind: 'aggregate',
  name,
  aliases,
  takes: ['condition'],
  window: true,
  returns: always(INTEGER),
  sqlite: ([condition], site) => `ifnull(${site.apply(`${fn}(ifnull((${condition}) <> 0, 0))`)}, 0)`,
  clickhouse: ([condition]) => `${fn}(ifNull(toInt64(${condition}) != 0, 0))`,
})

export const BASIC: readonly AggregateFunction[] = [
  {
    kind: 'aggregate',
    name: 'count',
    takes: [],
    rest: 'any',
    window: true,
    returns: always(INTEGER),
    sqlite: (args, site) => {
      if (!site.distinct) return site.apply(`count(${args[0] ?? '*'})`)
      return site.apply(`count(DISTINCT ${oneOf(args)})`)
    },
    clickhouse: (args, { distinct }) => {
      if (!distinct) return `count(${args[0] ?? ''})`
      return `uniqExact(${args.join(', ')})`
    },
  },
  {
    kind: 'aggregate',
    name: 'sum',
    takes: ['number'],
    window: true,
    returns: total,
    sqlite: ([value], site) => orOfNothing(`sum(${distinctly(String(value), site)})`, site),
    clickhouse: ([value], site) => `sum(${distinctly(String(value), site)})`,
  },
  {
    kind: 'aggregate',
    name: 'avg',
    aliases: ['mean'],
    takes: ['number'],
    window: true,
    returns: mean,
    sqlite: ([value], site) => site.apply(`avg(${distinctly(String(value), site)})`),
    clickhouse: ([value], site) => `avg(${distinctly(String(value), site)})`,
  },
  {
    kind: 'aggregate',
    name: 'min',
    takes: ['any'],
    window: true,
    returns: like(0),
    sqlite: ([value], site) => orOfNothing(`min(${value})`, site),
    clickhouse: ([value]) => `min(${value})`,
  },
  {
    kind: 'aggregate',
    name: 'max',
    takes: ['any'],
    window: true,
    returns: like(0),
    sqlite: ([value], site) => orOfNothing(`max(${value})`, site),
    clickhouse: ([value]) => `max(${value})`,
  },
  {
    kind: 'aggregate',
    name: 'avgWeighted',
    takes: ['number', 'number'],
    window: true,
    returns: (args) => (args.some((arg) => arg.nullable) ? nullable(FLOAT) : FLOAT),
    sqlite: ([value, weight], site) => {
      const both = `${value} IS NOT NULL AND ${weight} IS NOT NULL`
      return `${site.apply(`sum(${value} * ${weight})`, both)} * 1.0 / ${site.apply(`sum(${weight})`, both)}`
    },
    // Of a float and an integer it would make integers.
    clickhouse: ([value, weight]) => `avgWeighted(toFloat64(${value}), toFloat64(${weight}))`,
  },
  fold('boolOr', 'max', 'bool_or'),
  fold('boolAnd', 'min', 'bool_and', 'every'),
]

/** Several values as one, NULL where one of them is. */
export function oneOf(args: readonly string[]): string {
  const [first = '*', ...rest] = args
  if (rest.length === 0) return first
  const known = args.map((arg) => `${arg} IS NOT NULL`).join(' AND ')
  return `CASE WHEN ${known} THEN json_array(${args.join(', ')}) END`
}

/** The type of an aggregate that gives one of its arguments' values: NULL of nothing only where NULL is among them. */
export const among = (args: readonly Type[]): Type => {
  const type = argument(args, 0)
  return args.some((arg) => arg.nullable) ? nullable(type) : required(type)
}
