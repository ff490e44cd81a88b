// From one type to another. What a text does not stand for becomes NULL.
import { BOOLEAN, databaseTypeOf, FLOAT, INTEGER, nullable, STRING, type Type } from '../types'
import { refuse } from './refuse'
import { argument, unlessNull } from './returns'
import type { ScalarFunction, SqliteSite } from './spec'
import { asText, isText, secondsOf } from './sqlite-values'

/** A text may stand for no such thing; everything else keeps what it is. */
const unlessText =
  (type: Type) =>
  (args: readonly Type[]): Type => {
    const from = argument(args, 0)
    return from.nullable || isText(from) ? nullable(type) : type
  }

/** Comparing gives a text that is a number, all of it, the number's place; any other text comes after all numbers. */
const INFINITY = 'CAST(9e999 AS REAL)'

/** Blanks around a number would do for SQLite, not for ClickHouse. */
export const textToFloat = (value: string): string =>
  `CASE WHEN ${value} <= ${INFINITY} AND ${value} = trim(${value}, ' ' || char(9, 10, 11, 12, 13)) THEN CAST(${value} AS REAL) END`

const textToInteger = (value: string): string =>
  `CASE WHEN ${value} <= ${INFINITY} AND ${value} NOT GLOB '*[^0-9+-]*' THEN CAST(${value} AS INTEGER) END`

const TRUE = ['true', '1', 'yes', 'on', 't', 'y', 'enable', 'enabled']
const FALSE = ['false', '0', 'no', 'off', 'f', 'n', 'disable', 'disabled']

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ')

/** SQL for the boolean that a text stands for, or NULL. */
export const textToBoolean = (value: string): string =>
  `CASE WHEN lower(${value}) IN (${quoted(TRUE)}) THEN 1 WHEN lower(${value}) IN (${quoted(FALSE)}) THEN 0 END`

/** Seconds since 1970 for a datetime, days for a date. */
const sinceEpoch = (sql: string, { kind }: Type): string =>
  kind === 'date' ? `(${secondsOf(sql)} / 86400)` : secondsOf(sql)

function toNumber(sql: string, from: Type, to: 'integer' | 'float', site: SqliteSite): string {
  switch (from.kind) {
    case 'string':
    case 'json':
      return site.once(sql, to === 'float' ? textToFloat : textToInteger)
    case 'float':
      return to === 'float' ? sql : `CAST(${sql} AS INTEGER)`
    case 'integer':
    case 'boolean':
      return to === 'float' ? `CAST(${sql} AS REAL)` : sql
    case 'datetime':
    case 'date':
      return sinceEpoch(sql, from)
    case 'null':
      return 'NULL'
    case 'array':
    case 'tuple':
      return refuse(`An ${from.kind} is no number.`)
  }
}

function toBoolean(sql: string, from: Type, site: SqliteSite): string {
  if (isText(from)) return site.once(sql, textToBoolean)
  return from.kind === 'boolean' ? sql : `(${sql} <> 0)`
}

/** ClickHouse's cast of a value to a type, NULL where it does not work out. */
const cast = (value: string, type: string) => `accurateCastOrNull(${value}, '${type}')`

/** A moment is a number of seconds, a date one of days. */
function asNumber(value: string, { kind }: Type, type: 'Int64' | 'Float64'): string {
  if (kind === 'datetime') return `to${type}(toUnixTimestamp(${value}))`
  return kind === 'date' ? `to${type}(${value})` : cast(value, type)
}

const UUID = [
  'length(v) = 36',
  "substr(v, 9, 1) || substr(v, 14, 1) || substr(v, 19, 1) || substr(v, 24, 1) = '----'",
  "length(replace(v, '-', '')) = 32",
  "replace(v, '-', '') NOT GLOB '*[^0-9a-f]*'",
].join(' AND ')

export const CONVERSIONS: readonly ScalarFunction[] = [
  {
    kind: 'scalar',
    name: 'toInt',
    aliases: ['toInteger', 'toIntOrNull', 'toInt64OrNull', 'toInt32OrNull'],
    takes: ['any'],
    // A number with a fraction is none that an integer could be.
    returns: (args) => {
      const from = argument(args, 0)
      return from.nullable || from.kind === 'float' || isText(from) ? nullable(INTEGER) : INTEGER
    },
    sqlite: ([value], site) => {
      const from = argument(site.types, 0)
      if (from.kind !== 'float') return toNumber(String(value), from, 'integer', site)
      return site.once(
        String(value),
        (v) => `CASE WHEN ${v} = CAST(${v} AS INTEGER) THEN CAST(${v} AS INTEGER) END`,
      )
    },
    clickhouse: ([value], { types }) => asNumber(String(value), argument(types, 0), 'Int64'),
  },
  {
    kind: 'scalar',
    name: 'toInt64',
    aliases: [
      'toInt32',
      'toInt16',
      'toInt8',
      'toUInt64',
      'toUInt32',
      'toUInt16',
      'toUInt8',
      '_toInt64',
      '_toInt32',
      '_toInt16',
      '_toInt8',
    ],
    takes: ['any'],
    returns: unlessText(INTEGER),
    sqlite: ([value], site) => toNumber(String(value), argument(site.types, 0), 'integer', site),
    clickhouse: ([value], { types }) =>
      argument(types, 0).kind === 'float'
        ? `toInt64(${value})`
        : asNumber(String(value), argument(types, 0), 'Int64'),
  },
  {
    kind: 'scalar',
    name: 'toIntOrZero',
    aliases: ['toInt64OrZero', 'toInt32OrZero'],
    takes: ['string'],
    returns: unlessNull(INTEGER),
    sqlite: ([value], site) => orZero(String(value), 'integer', site),
    clickhouse: ([value]) => `toInt64OrZero(${value})`,
  },
  {
    kind: 'scalar',
    name: 'toFloat',
    aliases: [
      'toFloat64',
      'toFloat32',
      'toFloatOrNull',
      'toFloat64OrNull',
      'toFloat32OrNull',
      'toDecimal',
      '_toFloat64',
    ],
    takes: ['any', 'integer'],
    optional: 1,
    returns: unlessText(FLOAT),
    sqlite: ([value], site) => toNumber(String(value), argument(site.types, 0), 'float', site),
    clickhouse: ([value], { types }) => asNumber(String(value), argument(types, 0), 'Float64'),
  },
  {
    kind: 'scalar',
    name: 'toFloatOrZero',
    aliases: ['toFloat64OrZero', 'toFloat32OrZero'],
    takes: ['string'],
    returns: unlessNull(FLOAT),
    sqlite: ([value], site) => orZero(String(value), 'float', site),
    clickhouse: ([value]) => `toFloat64OrZero(${value})`,
  },
  {
    kind: 'scalar',
    name: 'toBool',
    aliases: ['toBoolean'],
    takes: ['any'],
    returns: unlessText(BOOLEAN),
    sqlite: ([value], site) => toBoolean(String(value), argument(site.types, 0), site),
    clickhouse: ([value]) => cast(String(value), 'Bool'),
  },
  {
    kind: 'scalar',
    name: 'toString',
    aliases: ['_toString'],
    takes: ['any'],
    returns: unlessNull(STRING),
    sqlite: ([value], site) => asText(String(value), argument(site.types, 0), site),
    // Only a moment's own fraction is worth showing.
    clickhouse: ([value], { types }) =>
      argument(types, 0).kind === 'datetime'
        ? `replaceOne(toString(${value}), '.000000', '')`
        : `toString(${value})`,
  },
  {
    kind: 'scalar',
    name: 'toUUID',
    aliases: ['toUUIDOrNull', '_toUUID'],
    takes: ['string'],
    returns: () => nullable(STRING),
    sqlite: ([value]) => `(SELECT CASE WHEN ${UUID} THEN v END FROM (SELECT lower(${value}) AS v))`,
    clickhouse: ([value]) => `toString(toUUIDOrNull(${value}))`,
  },
  {
    kind: 'scalar',
    name: 'toTypeName',
    takes: ['any'],
    returns: () => STRING,
    sqlite: (_, site) => site.bind(databaseTypeOf(argument(site.types, 0))),
    clickhouse: (_, site) => site.bind(databaseTypeOf(argument(site.types, 0))),
  },
]

const orZero = (value: string, to: 'integer' | 'float', site: SqliteSite): string =>
  `CASE WHEN ${value} IS NOT NULL THEN ifnull(${toNumber(value, argument(site.types, 0), to, site)}, 0) END`
