// Quantiles: SQLite has none, so the printer numbers each group's rows by value, and these pick the rows around the place they want.
import type { Literal } from '../../ir'
import { arrayOf, FLOAT, nullable, required, type Type } from '../../types'
import { refuse } from '../refuse'
import { argument, like } from '../returns'
import type { AggregateFunction, SqliteAggregateSite } from '../spec'
import { orDefault } from '../sqlite-values'

const MEDIAN = 0.5

function level(param: Literal | undefined, name: string): number {
  if (param === undefined) return MEDIAN
  if (typeof param === 'number' && param >= 0 && param <= 1) return param
  return refuse(`The level of '${name}' has to be a number from 0 to 1.`)
}

const floatOf = (args: readonly Type[]): Type => (argument(args, 0).nullable ? nullable(FLOAT) : FLOAT)

/** Between the two rows around the place, in proportion. */
function interpolated(value: string, at: number, site: SqliteAggregateSite): string {
  const distance = `abs(${site.rank.place} - 1 - ${site.bind(at)} * (${site.rank.count} - 1))`
  return site.apply(`sum(${value} * (1 - ${distance}))`, `${value} IS NOT NULL AND ${distance} < 1`)
}

/** The row at the place itself. */
function exact(value: string, at: number, site: SqliteAggregateSite): string {
  const { place, count } = site.rank
  const wanted = at < 1 ? `CAST(${site.bind(at)} * ${count} AS INTEGER)` : `${count} - 1`
  return site.apply(`max(${value})`, `${value} IS NOT NULL AND ${place} - 1 = ${wanted}`)
}

const byValue = () => ({ by: 0, descending: false })

const quantile = (name: string, clickhouse: string, ...aliases: string[]): AggregateFunction => ({
  kind: 'aggregate',
  name,
  aliases,
  params: { min: 0, max: 1 },
  takes: ['number'],
  window: false,
  returns: floatOf,
  ranked: byValue,
  sqlite: ([value], site) => interpolated(String(value), level(site.params[0], name), site),
  clickhouse: ([value], { params }) => `${clickhouse}(${level(params[0], name)})(${value})`,
})

const quantileExact = (name: string, ...aliases: string[]): AggregateFunction => ({
  kind: 'aggregate',
  name,
  aliases,
  params: { min: 0, max: 1 },
  takes: ['any'],
  window: false,
  returns: like(0),
  ranked: byValue,
  sqlite: ([value], site) => orDefault(exact(String(value), level(site.params[0], name), site), site.type),
  clickhouse: ([value], { params }) => `quantileExact(${level(params[0], name)})(${value})`,
})

const several = (
  name: string,
  clickhouse: string,
  one: typeof interpolated,
  of: (type: Type) => Type,
): AggregateFunction => ({
  kind: 'aggregate',
  name,
  params: { min: 1, max: 20 },
  takes: ['number'],
  window: false,
  returns: (args) => arrayOf(of(argument(args, 0))),
  ranked: byValue,
  sqlite: ([value], site) =>
    `json_array(${site.params.map((param) => one(String(value), level(param, name), site)).join(', ')})`,
  clickhouse: ([value], { params }) =>
    `${clickhouse}(${params.map((param) => level(param, name)).join(', ')})(${value})`,
})

const toFloat = (): Type => nullable(FLOAT)

export const QUANTILES: readonly AggregateFunction[] = [
  quantile('quantile', 'quantile', 'approx_quantile'),
  quantile('median', 'quantile', 'quantileInterpolated'),
  quantile('quantileTDigest', 'quantileTDigest', 'medianTDigest'),
  quantile('quantileExactInclusive', 'quantileExactInclusive'),
  quantileExact('quantileExact', 'medianExact'),
  several('quantiles', 'quantiles', interpolated, toFloat),
  several('quantilesExact', 'quantilesExact', exact, required),
]
