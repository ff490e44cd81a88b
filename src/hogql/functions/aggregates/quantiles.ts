// Quantiles. The printer ranks each group's rows by value, and these functions pick the rows around the quantile's position.
import { reject } from '../../error'
import type { Literal } from '../../ir'
import { arrayOf, FLOAT, nullable, required, type Type } from '../../types'
import { aggregate } from '../define'
import { argument, elementOf, like } from '../return-types'
import type { AggregateFunction, SqliteAggregateSite } from '../spec'
import { orDefault } from '../sqlite-values'

const MEDIAN = 0.5

function levelOf(param: Literal | undefined, name: string): number {
  if (param === undefined) return MEDIAN
  if (typeof param === 'number' && param >= 0 && param <= 1) return param
  return reject(null, `The level of '${name}' has to be a number from 0 to 1.`)
}

/** Writes a level with a point: ClickHouse computes several levels together, and rejects integers beside other numbers. */
function clickhouseLevel(param: Literal | undefined, name: string): string {
  const level = levelOf(param, name)
  return Number.isInteger(level) ? `${level}.0` : String(level)
}

/** Interpolates between the two rows around the position. */
function interpolated(value: string, level: number, site: SqliteAggregateSite): string {
  const distance = `abs(${site.rank.place} - 1 - ${site.bind(level)} * (${site.rank.count} - 1))`
  return site.apply(`sum(${value} * (1 - ${distance}))`, `${value} IS NOT NULL AND ${distance} < 1`)
}

/** Returns the value of the row at the position. */
function exact(value: string, level: number, site: SqliteAggregateSite): string {
  const { count } = site.rank
  return at(level < 1 ? `CAST(${site.bind(level)} * ${count} AS INTEGER)` : `${count} - 1`, value, site)
}

/** Returns the value of the row at the position. It is the lower one of two in the middle. */
const exactLow = (value: string, level: number, site: SqliteAggregateSite): string =>
  level === MEDIAN ? at(`(${site.rank.count} - 1) / 2`, value, site) : exact(value, level, site)

function at(position: string, value: string, { rank: { place }, ...site }: SqliteAggregateSite): string {
  return site.apply(`max(${value})`, `${value} IS NOT NULL AND ${place} - 1 = ${position}`)
}

/** Returns SQL of a number with all its digits. It has no subselect, because an aggregate in one would read other rows. */
const inArray = (sql: string): string =>
  `CASE WHEN abs(${sql}) < 9e999 THEN json(printf('%!.17g', ${sql})) ELSE ${sql} END`

const RANKED = { ranked: () => ({ by: 0, descending: false, counted: true as const }) }
const ONE_LEVEL = { ...RANKED, params: { min: 0, max: 1 } }

const quantile = (names: string, name: string, clickhouse: string): AggregateFunction =>
  aggregate(
    names,
    'number',
    'float',
    (site, value) => interpolated(value, levelOf(site.params[0], name), site),
    {
      ...ONE_LEVEL,
      clickhouse: ({ params }, value) => `${clickhouse}(${clickhouseLevel(params[0], name)})(${value})`,
    },
  )

const quantileExact = (names: string, name: string, one: typeof exact): AggregateFunction =>
  aggregate(
    names,
    'any',
    like(0),
    (site, value) => {
      const found = one(value, levelOf(site.params[0], name), site)
      // Without rows, a float result is not a number, which is NULL.
      return site.type.kind === 'float' ? found : orDefault(found, site.type)
    },
    {
      ...ONE_LEVEL,
      clickhouse: ({ params }, value) => `${name}(${clickhouseLevel(params[0], name)})(${value})`,
    },
  )

const quantiles = (name: string, one: typeof interpolated, of: (type: Type) => Type): AggregateFunction =>
  aggregate(
    name,
    'number',
    (args) => arrayOf(of(argument(args, 0))),
    (site, value) =>
      `json_array(${site.params.map((param) => inArray(orDefault(one(value, levelOf(param, name), site), elementOf(site.type)))).join(', ')})`,
    {
      ...RANKED,
      params: { min: 1, max: 20 },
      clickhouse: ({ params }, value) =>
        `${name}(${params.map((param) => levelOf(param, name)).join(', ')})(${value})`,
    },
  )

export const QUANTILES: readonly AggregateFunction[] = [
  quantile('quantile approx_quantile', 'quantile', 'quantile'),
  quantile('median quantileInterpolated', 'median', 'quantile'),
  quantile('quantileTDigest medianTDigest', 'quantileTDigest', 'quantileTDigest'),
  quantile('quantileExactInclusive', 'quantileExactInclusive', 'quantileExactInclusive'),
  // The higher one of two values in the middle is that of `quantileExact`, too.
  quantileExact('quantileExact medianExact quantileExactHigh medianExactHigh', 'quantileExact', exact),
  quantileExact('quantileExactLow medianExactLow', 'quantileExactLow', exactLow),
  quantiles('quantiles', interpolated, () => nullable(FLOAT)),
  quantiles('quantilesExact', exact, required),
]
