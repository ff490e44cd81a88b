// Counts, sums, averages and the ends of a range.
import { FLOAT, INTEGER, nullable, required } from '../../types'
import { aggregate } from '../define'
import { always, argument, like, type Returns, unlessNull } from '../return-types'
import type { AggregateFunction, AggregateSite, SqliteAggregateSite } from '../spec'
import { asElement, mayBeNaN, orDefault, rejectUnordered } from '../sqlite-values'

/** The sum of integers is an integer; any other sum is a float. */
const sumType: Returns = (args) => {
  const type = argument(args, 0)
  const sum = type.kind === 'float' ? FLOAT : INTEGER
  return type.nullable ? nullable(sum) : sum
}

const distinctly = (value: string, { distinct }: Pick<AggregateSite, 'distinct'>) =>
  distinct ? `DISTINCT ${value}` : value

/** Without rows, the result is ClickHouse's default of a type that cannot be NULL. With rows, a float that is NULL is NaN. */
export const orEmpty = (found: string, site: SqliteAggregateSite): string =>
  mayBeNaN(site.type)
    ? `CASE WHEN ${site.apply('count(*)')} > 0 THEN ${found} ELSE 0 END`
    : orDefault(found, site.type)

const end = (name: 'min' | 'max'): AggregateFunction =>
  aggregate(
    name,
    'any',
    like(0),
    (site, value) => {
      rejectUnordered(name, site.types)
      return orEmpty(site.apply(`${name}(${value})`), site)
    },
    {
      clickhouse: `${name}($1)`,
      ofDistinct: true,
    },
  )

/** Defines an aggregate that returns whether any condition is true, or all are. NULL counts as false. */
const fold = (names: string, name: 'min' | 'max'): AggregateFunction =>
  aggregate(
    names,
    'condition',
    always(INTEGER),
    (site, condition) => `ifnull(${site.apply(`${name}(ifnull((${condition}) <> 0, 0))`)}, 0)`,
    { clickhouse: `${name}(ifNull($1 != 0, 0))`, ofDistinct: true },
  )

/** Defines an exact count, which is used for each of ClickHouse's estimates. */
const uniq = (names: string): AggregateFunction =>
  aggregate(
    names,
    'any, any...',
    always(INTEGER),
    (site, ...args) => site.apply(`count(DISTINCT ${asOne(args, site)})`),
    { isDistinct: true, ofDistinct: true },
  )

/**
 * Combines several values into one, which is NULL when one of them is. Floats have a point, because 1 and 1.0 would be two values
 * otherwise.
 */
function asOne(args: readonly string[], { types }: Pick<AggregateSite, 'types'>): string {
  const [first = '*', ...rest] = args
  if (rest.length === 0) return first
  const known = args.map((arg) => `${arg} IS NOT NULL`).join(' AND ')
  const isFloat = (index: number) => argument(types, index).kind === 'float'
  return `CASE WHEN ${known} THEN json_array(${args.map((arg, index) => asElement(isFloat(index) ? `(${arg}) * 1.0` : arg, argument(types, index))).join(', ')}) END`
}

/** Returns the type of an aggregate that returns one of the values of its first argument. Arrays are never NULL. */
export const valueType: Returns = (args) => {
  const type = argument(args, 0)
  if (type.kind === 'array') return type
  return args.some((arg) => arg.nullable) ? nullable(type) : required(type)
}

export const BASIC: readonly AggregateFunction[] = [
  aggregate(
    'count',
    'any...',
    always(INTEGER),
    (site, ...args) => {
      if (site.distinct) return site.apply(`count(DISTINCT ${asOne(args, site)})`)
      const [value] = args
      return site.apply(
        value === undefined || mayBeNaN(argument(site.types, 0)) ? 'count(*)' : `count(${value})`,
      )
    },
    {
      clickhouse: ({ distinct }, ...args) =>
        distinct ? `uniqExact(${args.join(', ')})` : `count(${args[0] ?? ''})`,
      ofDistinct: true,
    },
  ),
  aggregate(
    'sum',
    'number',
    sumType,
    (site, value) => orEmpty(site.apply(`sum(${distinctly(value, site)})`), site),
    {
      clickhouse: (site, value) => `sum(${distinctly(value, site)})`,
      ofDistinct: true,
    },
  ),
  // The average of no rows is NaN.
  aggregate('avg mean', 'number', 'float', (site, value) => site.apply(`avg(${distinctly(value, site)})`), {
    clickhouse: (site, value) => `avg(${distinctly(value, site)})`,
    ofDistinct: true,
  }),
  end('min'),
  end('max'),
  aggregate(
    'avgWeighted',
    'number, number',
    unlessNull(FLOAT),
    (site, value, weight) => {
      const both = `${value} IS NOT NULL AND ${weight} IS NOT NULL`
      return `${site.apply(`sum(${value} * 1.0 * ${weight})`, both)} * 1.0 / ${site.apply(`sum(${weight})`, both)}`
    },
    // Without the conversion, ClickHouse would convert a float and an integer to integers.
    { clickhouse: 'avgWeighted(toFloat64($1), toFloat64($2))' },
  ),
  fold('boolOr bool_or', 'max'),
  fold('boolAnd bool_and every', 'min'),
  uniq('uniq uniqTheta'),
  uniq('uniqExact countDistinct approx_distinct'),
  uniq('uniqHLL12'),
  uniq('uniqCombined'),
  uniq('uniqCombined64'),
  aggregate(
    'groupBitmap',
    'integer',
    always(INTEGER),
    (site, value) => site.apply(`count(DISTINCT ${value})`),
    { isDistinct: true, ofDistinct: true, clickhouse: 'uniqExact($1)' },
  ),
]
