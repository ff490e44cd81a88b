// Conversions between types. A text that cannot be converted becomes NULL.
import { reject } from '../error'
import {
  BOOLEAN,
  databaseTypeOf,
  FLOAT,
  INTEGER,
  isNumber,
  isText,
  nullable,
  STRING,
  type Type,
} from '../types'
import { fn } from './define'
import { always, argument, unlessText } from './return-types'
import type { ScalarFunction, SqliteSite } from './spec'
import { asText, secondsOf } from './sqlite-values'

/**
 * A text up to this is a number: SQLite compares a text that is entirely a number as that number, and sorts any other text after all
 * numbers.
 */
const INFINITY = 'CAST(9e999 AS REAL)'

/** Returns SQL of a text as a float. SQLite accepts blanks around a number; ClickHouse does not. */
export const textToFloat = (value: string): string =>
  `CASE WHEN ${value} <= ${INFINITY} AND ${value} = trim(${value}, ' ' || char(9, 10, 11, 12, 13)) THEN CAST(${value} AS REAL) END`

/** SQL of a text as an integer. Beyond 64 bits, SQLite gives the nearest bound, and ClickHouse NULL. */
export const textToInteger = (value: string): string =>
  `CASE WHEN ${value} <= ${INFINITY} AND ${value} NOT GLOB '*[^0-9+-]*' AND (abs(CAST(${value} AS REAL)) < 9.2e18 ` +
  `OR CAST(CAST(${value} AS INTEGER) AS TEXT) = ltrim(${value}, '+')) THEN CAST(${value} AS INTEGER) END`

const TRUE = "'true', '1', 'yes', 'on', 't', 'y', 'enable', 'enabled'"
const FALSE = "'false', '0', 'no', 'off', 'f', 'n', 'disable', 'disabled'"

export const textToBoolean = (value: string): string =>
  `CASE WHEN lower(${value}) IN (${TRUE}) THEN 1 WHEN lower(${value}) IN (${FALSE}) THEN 0 END`

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
      return secondsOf(sql)
    case 'date':
      return `(${secondsOf(sql)} / 86400)`
    case 'null':
      return 'NULL'
    case 'array':
    case 'tuple':
      return reject(null, `An ${from.kind} cannot be converted to a number.`)
  }
}

const orZero = (names: string, to: 'integer' | 'float', clickhouse: string): ScalarFunction =>
  fn(
    names,
    'string',
    to,
    (site, value) =>
      `CASE WHEN ${value} IS NOT NULL THEN ifnull(${toNumber(value, argument(site.types, 0), to, site)}, 0) END`,
    { clickhouse },
  )

/** Writes the seconds of a datetime since 1970. ClickHouse's own function takes none before it. */
export const clickhouseSecondsOf = (datetime: string): string =>
  `toInt64(floor(toUnixTimestamp64Micro(${datetime}) / 1000000))`

/** Writes a conversion to a number: a datetime becomes seconds since 1970, a date days. */
function clickhouseNumber(value: string, { kind }: Type, type: 'Int64' | 'Float64'): string {
  if (kind === 'datetime') return `to${type}(${clickhouseSecondsOf(value)})`
  // A float is the integer's nearest one, which an accurate cast would reject.
  const isDirect = kind === 'date' || (kind === 'integer' && type === 'Float64')
  return isDirect ? `to${type}(${value})` : `accurateCastOrNull(${value}, '${type}')`
}

const WITH_DASHES = [1, 9, 13, 17, 21]
  .map((start, index) => `substr(t, ${start}, ${[8, 4, 4, 4, 12][index]})`)
  .join(` || '-' || `)

export const UUID = [
  'length(v) = 36',
  "substr(v, 9, 1) || substr(v, 14, 1) || substr(v, 19, 1) || substr(v, 24, 1) = '----'",
  "length(replace(v, '-', '')) = 32",
  "replace(v, '-', '') NOT GLOB '*[^0-9a-f]*'",
].join(' AND ')

/** Writes a value as text. A datetime has its fraction only when it is not zero. */
export const clickhouseText = (value: string, type: Type): string =>
  type.kind === 'datetime'
    ? `replaceOne(toString(${value}), '.000000', '')`
    : `toString(${plainDatetimes(value, type)})`

/** Writes datetimes inside arrays and tuples as texts, because ClickHouse would write them in the format of a response. */
function plainDatetimes(value: string, type: Type): string {
  if (!hasDatetime(type)) return value
  switch (type.kind) {
    case 'array':
      return `arrayMap(x -> ${plainDatetimes('x', type.of)}, ${value})`
    case 'tuple':
      return `tuple(${type.of.map((of, index) => plainDatetimes(`tupleElement(${value}, ${index + 1})`, of)).join(', ')})`
    default:
      return `toString(${value})`
  }
}

function hasDatetime(type: Type): boolean {
  if (type.kind === 'array') return hasDatetime(type.of)
  return type.kind === 'tuple' ? type.of.some(hasDatetime) : type.kind === 'datetime'
}

export const CONVERSIONS: readonly ScalarFunction[] = [
  fn(
    'toInt toInteger toIntOrNull toInt64OrNull toInt32OrNull',
    'any',
    // A number with a fraction cannot be converted to an integer.
    (args) => {
      const from = argument(args, 0)
      return from.nullable || from.kind === 'float' || isText(from) ? nullable(INTEGER) : INTEGER
    },
    (site, value) => {
      const from = argument(site.types, 0)
      if (from.kind !== 'float') return toNumber(value, from, 'integer', site)
      return site.once(value, (v) => `CASE WHEN ${v} = CAST(${v} AS INTEGER) THEN CAST(${v} AS INTEGER) END`)
    },
    { clickhouse: ({ types }, value) => clickhouseNumber(value, argument(types, 0), 'Int64') },
  ),
  fn(
    'toInt64 toInt32 toInt16 toInt8 toUInt64 toUInt32 toUInt16 toUInt8 _toInt64 _toInt32 _toInt16 _toInt8',
    'any',
    unlessText(INTEGER),
    (site, value) => toNumber(value, argument(site.types, 0), 'integer', site),
    {
      clickhouse: ({ types }, value) =>
        argument(types, 0).kind === 'float'
          ? `toInt64(${value})`
          : clickhouseNumber(value, argument(types, 0), 'Int64'),
    },
  ),
  orZero('toIntOrZero toInt64OrZero toInt32OrZero', 'integer', 'toInt64OrZero($1)'),
  fn(
    'toFloat toFloat64 toFloat32 toFloatOrNull toFloat64OrNull toFloat32OrNull toDecimal _toFloat64',
    'any',
    unlessText(FLOAT),
    (site, value) => toNumber(value, argument(site.types, 0), 'float', site),
    { clickhouse: ({ types }, value) => clickhouseNumber(value, argument(types, 0), 'Float64') },
  ),
  orZero('toFloatOrZero toFloat64OrZero toFloat32OrZero', 'float', 'toFloat64OrZero($1)'),
  fn(
    'toBool toBoolean',
    'any',
    (args, constants) => {
      const from = argument(args, 0)
      return isNumber(from) || isText(from) || from.kind === 'null'
        ? unlessText(BOOLEAN)(args, constants)
        : reject(null, `A value of type ${from.kind} cannot be converted to a boolean.`)
    },
    (site, value) => {
      const from = argument(site.types, 0)
      if (isText(from)) return site.once(value, textToBoolean)
      return from.kind === 'boolean' ? value : `(${value} <> 0)`
    },
    {
      clickhouse: ({ type }, value) =>
        type.nullable
          ? `accurateCastOrNull(${value}, 'Bool')`
          : `assumeNotNull(accurateCastOrNull(${value}, 'Bool'))`,
    },
  ),
  fn('toString _toString', 'any', 'string', (site, value) => asText(value, argument(site.types, 0), site), {
    clickhouse: ({ types }, value) => clickhouseText(value, argument(types, 0)),
  }),
  fn(
    'toUUID toUUIDOrNull _toUUID',
    'string',
    always(nullable(STRING)),
    `(SELECT CASE WHEN ${UUID} THEN v END FROM (SELECT CASE WHEN length(t) = 32 THEN ${WITH_DASHES} ELSE t END AS v FROM (SELECT lower($1) AS t)))`,
    { clickhouse: 'toString(toUUIDOrNull($1))' },
  ),
  fn('toTypeName', 'any', always(STRING), (site) => site.bind(databaseTypeOf(argument(site.types, 0))), {
    clickhouse: (site) => site.bind(databaseTypeOf(argument(site.types, 0))),
  }),
]
