// Aggregates that SQLite computes from an array of the arguments of all rows.
import { reject } from '../../error'
import { arrayOf, FLOAT, INTEGER, isTemporal, required, tupleOf, type Type } from '../../types'
import { aggregate } from '../define'
import { argument, elementOf } from '../return-types'
import { collect, limitOf } from './collections'
import type { AggregateFunction, SqliteAggregateSite } from '../spec'
import { asElement, momentOf, orderTerms, secondsOf } from '../sqlite-values'

/** Collects the arguments of each row into an array. */
const rowsOf = (values: readonly string[], known: string, site: SqliteAggregateSite): string =>
  `ifnull(${site.apply(`json_group_array(json_array(${values.join(', ')}))`, known)}, '[]')`

const gatheredRows = (args: readonly Type[]): Type => arrayOf(tupleOf(...args))

const MICROSECONDS = 1_000_000

function windowOf([seconds]: readonly unknown[]): number {
  return typeof seconds === 'number' && seconds >= 0
    ? seconds
    : reject(null, "'windowFunnel' takes its window in seconds: windowFunnel(3600)(timestamp, …).")
}

/** Returns SQL of the time of a funnel's event. A date is converted to microseconds. */
function funnelTime(sql: string, type: Type, site: SqliteAggregateSite): string {
  if (!isTemporal(type)) return sql
  const utc = momentOf(sql, type, site)
  return `(${secondsOf(utc)} * ${MICROSECONDS} + CAST(substr(${utc}, 21, 6) AS INTEGER))`
}

/**
 * Returns SQL of the longest chain of events that met the conditions in order, all within the window of the first event. `s<n>` is the
 * start of the latest chain of n events.
 */
function levelReached(rows: string, window: number, levels: number): string {
  const numbers = Array.from({ length: levels }, (_, index) => index + 1)
  const over = 'OVER (ORDER BY t, l, i ROWS UNBOUNDED PRECEDING)'
  const met =
    `SELECT e.value ->> 0 AS t, l.value AS l, e.key AS i FROM json_each(${rows}) AS e, json_each('[${numbers.join(',')}]') AS l ` +
    `WHERE e.value ->> l.value`
  const chains = numbers.reduce((from, level) => {
    const start =
      level === 1
        ? 'CASE WHEN l = 1 THEN t END'
        : `CASE WHEN l = ${level} AND t <= s${level - 1} + ${window} THEN s${level - 1} END`
    const before = numbers.slice(0, level - 1).map((each) => `, s${each}`)
    return `SELECT t, l, i${before.join('')}, max(${start}) ${over} AS s${level} FROM (${from})`
  }, met)
  const whens = numbers.toReversed().map((level) => `WHEN s${level} IS NOT NULL THEN ${level}`)
  return `(SELECT ifnull(max(CASE ${whens.join(' ')} ELSE 0 END), 0) FROM (${chains}))`
}

const windowFunnel = aggregate(
  'windowFunnel',
  'any, condition, condition...',
  (args) => {
    const [time] = args
    return time && (isTemporal(time) || time.kind === 'integer')
      ? INTEGER
      : reject(null, "'windowFunnel' takes a date, a datetime or an integer, and conditions.")
  },
  (site, time, ...conditions) =>
    rowsOf(
      [
        funnelTime(time ?? '', argument(site.types, 0), site),
        ...conditions.map((condition) => `ifnull((${condition}) <> 0, 0)`),
      ],
      `${time} IS NOT NULL`,
      site,
    ),
  {
    params: { min: 1, max: 1 },
    window: false,
    keeps: {
      count: (params) => windowOf(params),
      gathered: gatheredRows,
      sqlite: ([rows = ''], { types, constants }) => {
        const row = elementOf(argument(types, 0))
        const [time, ...conditions] = row.kind === 'tuple' ? row.of : []
        const window = Number(constants[1]) * (time && isTemporal(time) ? MICROSECONDS : 1)
        return levelReached(rows, window, conditions.length)
      },
    },
    clickhouse: ({ params, types, zone }, time = '', ...conditions) => {
      const first = argument(types, 0)
      const moment = first.kind === 'date' ? `toDateTime64(${time}, 6, '${zone.name}')` : time
      const at = isTemporal(first) ? `toUnixTimestamp64Micro(${moment})` : time
      const window = windowOf(params) * (isTemporal(first) ? MICROSECONDS : 1)
      const met = conditions.map((condition) => `ifNull(isNotNull(${time}) AND ${condition} != 0, 0)`)
      // ClickHouse's times are unsigned here. All are moved by half of their range, so that negative ones come first.
      return `windowFunnel(${window})(bitXor(reinterpretAsUInt64(ifNull(toInt64(${at}), 0)), 9223372036854775808), ${met.join(', ')})`
    },
  },
)

/** Aggregates of numbers by key. */
const BY_KEY = { sumMap: 'sum', minMap: 'min', maxMap: 'max' } as const

/** The parameter of an aggregate over a map: `sumMap` keeps the keys whose sum is 0, which it leaves out of two arrays. */
export const OVER_MAP = 1

export const isByKey = (name: string): boolean => Object.hasOwn(BY_KEY, name)

/** Defines an aggregate of numbers by key. Its result is two parallel arrays, of keys and of numbers. */
const byKey = (name: keyof typeof BY_KEY): AggregateFunction =>
  aggregate(
    name,
    'array, array',
    (args) => {
      const [keys, values] = [elementOf(argument(args, 0)), elementOf(argument(args, 1))]
      const isNumeric = ['integer', 'float', 'boolean', 'null'].includes(values.kind)
      if (!isNumeric || (values.nullable && name !== 'sumMap'))
        return reject(
          null,
          `'${name}' takes an array of keys, and one of numbers${name === 'sumMap' ? '' : ' that are not NULL'}.`,
        )
      return tupleOf(arrayOf(required(keys)), arrayOf(values.kind === 'float' ? FLOAT : INTEGER))
    },
    (site, keys, values) => rowsOf([`json(${keys})`, `json(${values})`], `${keys} IS NOT NULL`, site),
    {
      window: false,
      keeps: {
        count: ([overMap = 0]) => Number(overMap),
        gathered: gatheredRows,
        sqlite: ([rows], { type, constants }) => {
          const [key, value] = type.kind === 'tuple' ? type.of.map(elementOf) : []
          const leavesOut = name === 'sumMap' && constants[1] !== OVER_MAP
          const isOfItems = key?.kind === 'array' || key?.kind === 'tuple'
          const order = isOfItems ? orderTerms(name, 'p.k', key, 'ASC').join(', ') : 'p.k'
          const folded =
            `SELECT p.k, ifnull(${BY_KEY[name]}(p.v), 0) AS s FROM (SELECT max(iif(side.key = 0, each.value, NULL)) AS k, max(iif(side.key = 1, each.value, NULL)) AS v ` +
            `FROM json_each(${rows}) AS e, json_each(e.value) AS side, json_each(side.value) AS each GROUP BY e.key, each.key HAVING count(*) = 2) AS p ` +
            `GROUP BY p.k${leavesOut ? ' HAVING s <> 0' : ''} ORDER BY ${order}`
          return `(SELECT json_array(json(json_group_array(${asElement('k', key ?? INTEGER)})), json(json_group_array(${asElement('s', value ?? INTEGER)}))) FROM (${folded}))`
        },
      },
      // Of values that may be NULL, ClickHouse would not leave out sums of 0.
      clickhouse: ({ types, params, apply }, keys, values = '') => {
        const known = elementOf(argument(types, 1)).nullable
          ? `arrayMap(x -> ifNull(x, 0), ${values})`
          : values
        if (params[0] !== OVER_MAP) return `${name}(${keys}, ${known})`
        const map = apply(`${name}(mapFromArrays(${keys}, ${known}))`)
        return `arrayMap(m -> (mapKeys(m), mapValues(m)), [${map}])[1]`
      },
    },
  )

/**
 * Defines an array of sums, of the values of each row and of those before it: of as many as the parameter says, or of all rows. An average
 * is the sum by that number, also where there are fewer values.
 */
const moving = (name: string, isAverage: boolean): AggregateFunction =>
  aggregate(
    name,
    'number',
    (args) => arrayOf(isAverage || argument(args, 0).kind === 'float' ? FLOAT : INTEGER),
    (site, value) => collect(value, false, { ...site, params: [] }),
    {
      params: { min: 0, max: 1 },
      window: false,
      keeps: {
        count: (params) => limitOf(params, name) ?? ALL_ROWS,
        gathered: (args) => arrayOf(required(argument(args, 0))),
        sqlite: ([array], { constants, type }) => {
          const size = Number(constants[1])
          const rows = size === ALL_ROWS ? 'UNBOUNDED' : size - 1
          const divisor = size === ALL_ROWS ? 'count(*) OVER ()' : size
          const sum = `sum(a.value) OVER (ORDER BY a.key ROWS ${rows} PRECEDING)`
          const value = isAverage ? `${sum} * 1.0 / ${divisor}` : sum
          const sums = `SELECT ${value} AS v FROM json_each(${array}) AS a ORDER BY a.key`
          return `(SELECT json_group_array(${asElement('s.v', elementOf(type))}) FROM (${sums}) AS s)`
        },
      },
    },
  )

const ALL_ROWS = 0

export const GATHERED: readonly AggregateFunction[] = [
  moving('groupArrayMovingSum', false),
  moving('groupArrayMovingAvg', true),
  windowFunnel,
  byKey('sumMap'),
  byKey('minMap'),
  byKey('maxMap'),
]
