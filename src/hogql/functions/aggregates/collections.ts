// Aggregates that collect values without NULL into an array or a text.
import { reject } from '../../error'
import type { Literal } from '../../ir'
import { arrayOf, INTEGER, required, STRING, tupleOf } from '../../types'
import { aggregate } from '../define'
import { always, argument, elementOf, type Returns } from '../return-types'
import type { AggregateFunction, SqliteAggregateSite } from '../spec'
import { asElement, asText } from '../sqlite-values'

const collected: Returns = (args) => arrayOf(required(argument(args, 0)))

/** Collects the values that are not NULL, the first ones with a parameter, into an array. */
export function collect(value: string, distinct: boolean, site: SqliteAggregateSite): string {
  const [limit] = site.params
  const element = asElement(value, argument(site.types, 0))
  const call = `json_group_array(${distinct ? 'DISTINCT ' : ''}${element})`
  const isFirst = limit === undefined || distinct ? '' : ` AND ${site.rank.place} <= ${Number(limit)}`
  return `ifnull(${site.apply(call, `${value} IS NOT NULL${isFirst}`)}, '[]')`
}

/** Returns the distinct values with their numbers of rows, as pairs. */
function eachOnce(site: SqliteAggregateSite, value: string): string {
  const { place, count } = site.rank
  const pair = `json_array(${asElement(value, argument(site.types, 0))}, ${count})`
  return `ifnull(${site.apply(`json_group_array(${pair})`, `${value} IS NOT NULL AND ${place} = 1`)}, '[]')`
}

/** Returns the maximum number of elements, or null without a limit. */
export function limitOf([param]: readonly Literal[], name: string): number | null {
  if (param === undefined) return null
  if (typeof param === 'number' && Number.isSafeInteger(param) && param > 0) return param
  return reject(null, `'${name}' takes a positive number of elements.`)
}

const group = (names: string, name: string, isUnique: boolean): AggregateFunction =>
  aggregate(names, 'any', collected, (site, value) => collect(value, isUnique || site.distinct, site), {
    params: { min: 0, max: 1 },
    // An array of all values of a large group could exceed what D1 holds in one value.
    ranked: (_, { params, distinct }) =>
      params.length > 0 && !isUnique && !distinct ? { by: 'reading' } : null,
    isDistinct: isUnique,
    ofDistinct: true,
    keeps: {
      count: (params) => limitOf(params, name),
      sqlite: ([array, limit], site) =>
        `(SELECT json_group_array(${asElement('a.value', elementOf(site.type))}) FROM json_each(${array}) AS a WHERE a.key < ${limit})`,
    },
    clickhouse: ({ params, distinct }, value) => {
      const limit = limitOf(params, name)
      return `${isUnique || distinct ? 'groupUniqArray' : 'groupArray'}${limit === null ? '' : `(${limit})`}(${value})`
    },
  })

const DEFAULT_TOP = 10

export const COLLECTIONS: readonly AggregateFunction[] = [
  group('groupArray array_agg', 'groupArray', false),
  group('groupUniqArray', 'groupUniqArray', true),
  aggregate('topK', 'any', collected, eachOnce, {
    params: { min: 0, max: 1 },
    window: false,
    ranked: () => ({ amongEqual: 0, counted: true }),
    keeps: {
      count: (params) => limitOf(params, 'topK') ?? DEFAULT_TOP,
      gathered: (args) => arrayOf(tupleOf(required(argument(args, 0)), INTEGER)),
      // Equally frequent values are in ascending order.
      sqlite: ([array, limit], site) =>
        `(SELECT json_group_array(${asElement('b.value', elementOf(site.type))}) FROM (SELECT a.value ->> 0 AS value FROM json_each(${array}) AS a ` +
        `ORDER BY a.value ->> 1 DESC, value LIMIT ${limit}) AS b)`,
    },
    clickhouse: ({ params }, value) => `topK(${limitOf(params, 'topK') ?? DEFAULT_TOP})(${value})`,
  }),
  aggregate(
    'groupConcat string_agg group_concat',
    'any, string?',
    always(STRING),
    (site, value, separator = "''") => {
      const text = asText(value, argument(site.types, 0), site)
      if (site.distinct) reject(null, "DISTINCT in 'groupConcat' needs the ClickHouse engine.")
      return `ifnull(${site.apply(`group_concat(${text}, ${separator})`)}, '')`
    },
    {
      ofDistinct: true,
      clickhouse: ({ distinct, apply }, value, separator = "''") =>
        `arrayStringConcat(${apply(`groupArray(${distinct ? 'DISTINCT ' : ''}toString(${value}))`)}, ${separator})`,
    },
  ),
]
