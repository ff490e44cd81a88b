// Conversions of texts and numbers to datetimes and dates.
import { DATE, DATETIME, isTemporal, nullable, type Type } from '../../types'
import { isZoneName } from '../../../time/zone'
import { reject } from '../../error'
import { UUID } from '../conversions'
import { fn } from '../define'
import { always, argument, type Returns } from '../return-types'
import type { Constants, ScalarFunction, Site, SqliteSite, SqliteZone } from '../spec'
import { momentOf } from '../sqlite-values'
import { isoText } from './best-effort'

const SECONDS = "'%Y-%m-%dT%H:%M:%S'"

/** Returns SQL of whether a text begins with a valid date. */
const isDate = (v: string): string =>
  `${v} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' AND substr(date(substr(${v}, 1, 10)), 9) = substr(${v}, 9, 2)`

/** Returns SQL of the stored form of a datetime's text. The fraction is cut out, because SQLite would round it to thousandths. */
function normalized(v: string): string {
  const behind = `ltrim(substr(${v}, 21), '0123456789')`
  const fraction = `substr(${v}, 21, length(${v}) - 20 - length(${behind}))`
  // The shift by nothing makes 24:00 the next day, which SQLite would otherwise leave as it is.
  return (
    `CASE WHEN substr(${v}, 20, 1) = '.' ` +
    `THEN strftime(${SECONDS}, substr(${v}, 1, 19) || ${behind}, '0 days') || '.' || substr(${fraction} || '000000', 1, 6) || 'Z' ` +
    `ELSE strftime(${SECONDS}, ${v}, '0 days') || '.000000Z' END`
  )
}

/**
 * Returns SQL of whether a text is this number of digits: ten are seconds since 1970, thirteen milliseconds, sixteen microseconds, and
 * nineteen nanoseconds.
 */
const digits = (v: string, count: number) => `length(${v}) = ${count} AND ${v} NOT GLOB '*[^0-9]*'`

/** Parses dates with or without time and offset, and seconds since 1970. Any other text is NULL. */
function fromText(text: string, zone: SqliteZone, site: SqliteSite): string {
  const local = (v: string) =>
    zone.isUtc
      ? normalized(v)
      : `CASE WHEN substr(${v}, 11) GLOB '*[Zz+-]*' THEN ${normalized(v)} ELSE ${site.once(normalized(v), (each) => zone.toUtc(each))} END`
  return site.once(
    text,
    (v) =>
      `CASE WHEN ${digits(v, 9)} OR ${digits(v, 10)} THEN ${fromSeconds(`CAST(${v} AS INTEGER)`)} ` +
      `WHEN ${digits(v, 13)} THEN ${fromMilliseconds(`CAST(${v} AS INTEGER)`)} ` +
      `WHEN ${digits(v, 16)} OR ${digits(v, 19)} THEN strftime(${SECONDS}, CAST(substr(${v}, 1, 10) AS INTEGER), 'unixepoch') || '.' || substr(${v}, 11, 6) || 'Z' ` +
      `ELSE ${site.once(isoText(v), (iso) => `CASE WHEN ${isDate(iso)} THEN ${local(iso)} END`)} END`,
  )
}

/** SQL of a datetime from whole seconds since 1970. */
export const fromSeconds = (sql: string): string =>
  `strftime(${SECONDS}, CAST(${sql} AS INTEGER), 'unixepoch') || '.000000Z'`

/** Converts a number of parts of a second since 1970. Times before 1970 are negative, so that their fraction counts from the second before. */
const fromParts = (parts: number, format: string) => (sql: string) => {
  const fraction = `((${sql} % ${parts} + ${parts}) % ${parts})`
  return `strftime(${SECONDS}, (${sql} - ${fraction}) / ${parts}, 'unixepoch') || printf('${format}', ${fraction})`
}

const fromMilliseconds = fromParts(1_000, '.%03d000Z')
const fromMicroseconds = fromParts(1_000_000, '.%06dZ')

/** Returns SQL of the datetime without the digits of its fraction after a number of them. */
const cutTo = (kept: number, sql: string): string =>
  kept >= 6 ? sql : `substr(${sql}, 1, ${20 + kept}) || '${'0'.repeat(6 - kept)}Z'`

/**
 * Returns how many digits of a fraction stay, or null where no scale is given.
 * @throws HogqlError for what is no scale
 */
function scaleAmong([, scale]: Constants): number | null {
  if (scale === undefined || typeof scale === 'string') return null
  if (typeof scale === 'number' && Number.isInteger(scale) && scale >= 0 && scale <= 9)
    return Math.min(scale, 6)
  return reject(null, 'The scale of a datetime has to be a constant from 0 to 9.')
}

/** 1 January 1900 and the end of 2299 in seconds, between which all of ClickHouse's datetimes are. */
const [FIRST, LAST] = [-2_208_988_800, 10_413_791_999]

const inYears = (sql: string, write: (number: string) => string, { once }: SqliteSite, scale = 1): string =>
  once(sql, (v) => `CASE WHEN ${v} BETWEEN ${FIRST * scale} AND ${LAST * scale} THEN ${write(v)} END`)

const clickhouseInYears = (integer: string, write: (integer: string) => string, scale = 1): string =>
  `if(${integer} BETWEEN ${FIRST * scale} AND ${LAST * scale}, ${write(integer)}, NULL)`

/** Converts seconds since 1970 to a datetime of a zone. */
const clickhouseSeconds = (value: string, zone: string): string =>
  clickhouseInYears(`toInt64(${value})`, (seconds) => `toDateTime64(${seconds}, 6, ${zone})`)

function toDatetime(sql: string, from: Type, zone: SqliteZone, site: SqliteSite): string {
  switch (from.kind) {
    case 'string':
    case 'json':
      return fromText(sql, zone, site)
    case 'datetime':
      return sql
    case 'date':
      return momentOf(sql, from, { zone })
    case 'integer':
    case 'float':
      return inYears(sql, fromSeconds, site)
    case 'null':
      return 'NULL'
    case 'boolean':
    case 'array':
    case 'tuple':
      return reject(null, `A value of type ${from.kind} cannot be converted to a datetime.`)
  }
}

/** Returns the zone that an argument names, or else the project's. */
export function zoneAmong(constants: Constants, site: SqliteSite): SqliteZone {
  const name = zoneNameAmong(constants)
  return name === undefined ? site.zone : site.zoneNamed(name)
}

/** Returns the last constant text after the first argument. */
const zoneNameAmong = (constants: Constants): string | undefined =>
  constants.slice(1).findLast((constant) => typeof constant === 'string')

/** Returns the name of a zone as a literal of ClickHouse. */
export const zoneText = ({ constants, zone }: Pick<Site, 'constants' | 'zone'>): string =>
  `'${(zoneNameAmong(constants) ?? zone.name).replace(/[^\w/+-]/g, '')}'`

/**
 * Matches texts with a year, which has four digits or is the third number. ClickHouse puts other texts, such as `12`, into the present
 * year.
 */
const HAS_YEAR = String.raw`(?i)\\d{4}|\\d{1,2}[-/. ]+(\\d{1,2}|[a-z]{3,9})[-/. ]+\\d{2}($|[^\\d:])`

function clickhouse(site: Site, value: string): string {
  const { kind } = argument(site.types, 0)
  const zone = zoneText(site)
  if (kind === 'string' || kind === 'json')
    return `if(match(${value}, '${HAS_YEAR}'), parseDateTime64BestEffortOrNull(${value}, 6, ${zone}), NULL)`
  if (kind === 'integer' || kind === 'float') return clickhouseSeconds(value, zone)
  return kind === 'date'
    ? clickhouseMoment(value, argument(site.types, 0), zone)
    : `toTimeZone(${value}, ${zone})`
}

/** Datetimes of `toDateTime`: those that are converted lose their fraction, as in ClickHouse, and texts keep theirs, as upstream. */
function toWholeSeconds(value: string, site: SqliteSite): string {
  const from = argument(site.types, 0)
  const sql = toDatetime(value, from, zoneAmong(site.constants, site), site)
  return from.kind === 'datetime' ? cutTo(0, sql) : sql
}

function clickhouseWholeSeconds(site: Site, value: string): string {
  const sql = clickhouse(site, value)
  return argument(site.types, 0).kind === 'datetime' ? `toStartOfSecond(${sql})` : sql
}

/** Datetimes of `toDateTime64` and `parseDateTime64BestEffort`, with as many digits of the fraction as its scale says. */
function toScale(value: string, site: SqliteSite): string {
  const from = argument(site.types, 0)
  const scale = scaleAmong(site.constants)
  if (scale === null) return toDatetime(value, from, zoneAmong(site.constants, site), site)
  if (from.kind === 'float') {
    const cut = `CAST(${value} * ${10 ** scale} AS INTEGER) * ${10 ** (6 - scale)}`
    return inYears(cut, fromMicroseconds, site, 1_000_000)
  }
  return cutTo(scale, toDatetime(value, from, zoneAmong(site.constants, site), site))
}

function clickhouseScale(site: Site, value: string): string {
  const scale = scaleAmong(site.constants)
  const zone = zoneText(site)
  const from = argument(site.types, 0)
  const at = (sql: string) => `toDateTime64(toDateTime64(${sql}, ${scale}, ${zone}), 6, ${zone})`
  if (scale !== null && from.kind === 'float') {
    return `if(${value} BETWEEN ${FIRST} AND ${LAST}, ${at(value)}, NULL)`
  }
  const sql = clickhouse(site, value)
  return scale === null || scale === 6 ? sql : at(sql)
}

/**
 * Returns SQL of a datetime. A date becomes the moment at which it begins in a zone, because ClickHouse's functions of times accept no
 * date, or take midnight of UTC.
 */
export const clickhouseMoment = (value: string, { kind }: Type, zone: string): string =>
  kind === 'date' ? `toDateTime64(${value}, 6, ${zone})` : value

/**
 * Returns the type of a datetime in the zone that an argument names: as in ClickHouse, its parts, its text and its days are those of that
 * zone.
 */
export function inNamedZone(type: Type, constants: Constants): Type {
  const zone = zoneNameAmong(constants)
  if (zone === undefined || type.kind !== 'datetime') return type
  if (!isZoneName(zone)) reject(null, `There is no time zone '${zone}'`)
  return { ...type, zone }
}

/** The type is NULL for a text that is no date, and for a number out of range. */
const unlessConverted =
  (type: Type): Returns =>
  (args, constants) => {
    const from = argument(args, 0)
    return inNamedZone(from.nullable || !isTemporal(from) ? nullable(type) : type, constants)
  }

/** The type of the same moment in the time zone of the second argument. */
const movedToZone: Returns = (args, constants) => {
  if (typeof constants[1] !== 'string')
    reject(null, "'toTimeZone' takes a constant time zone, such as 'Europe/Paris'")
  return inNamedZone(argument(args, 0).nullable ? nullable(DATETIME) : DATETIME, constants)
}

/**
 * The range of numbers that a conversion to a date takes for days since 1970. A smaller one becomes the first day; a larger one counts as
 * seconds.
 */
type Days = readonly [first: number, last: number]
const DAYS: Days = [0, 65_535]
const DAYS_OF_DATE32: Days = [-25_567, 120_529]

const isNumeric = ({ kind }: Type): boolean => kind === 'integer' || kind === 'float'

const toDate = (names: string, [first, last]: Days): ScalarFunction =>
  fn(
    names,
    'any, string?',
    unlessConverted(DATE),
    (site, value) => {
      const from = argument(site.types, 0)
      if (from.kind === 'date') return value
      const zone = zoneAmong(site.constants, site)
      const dayOf = (sql: string) => zone.toDay(toDatetime(sql, from, zone, site))
      if (!isNumeric(from)) return dayOf(value)
      return site.once(
        value,
        (number) =>
          `CASE WHEN CAST(${number} AS INTEGER) <= ${last} THEN date(max(CAST(${number} AS INTEGER), ${first}) * 86400, 'unixepoch') ELSE ${dayOf(number)} END`,
      )
    },
    {
      constantFrom: 1,
      clickhouse: (site, value) => {
        const from = argument(site.types, 0)
        if (from.kind === 'date') return value
        const day = `toDate32(${clickhouse(site, value)})`
        if (!isNumeric(from)) return day
        // A float past 2^63 becomes negative by `toInt64`.
        return `if(${value} < ${last + 1}, toDate32(toInt32(greatest(toInt64(${value}), ${first}))), ${day})`
      },
    },
  )

/** Returns SQL of the milliseconds in a UUID of version 7, which are its first 48 bits. Of other versions they are 0, as in ClickHouse. */
function uuidMilliseconds(uuid: string): string {
  const bits = Array.from(
    { length: 12 },
    (_, index) => `(instr('123456789abcdef', substr(h, ${index + 1}, 1)) << ${44 - 4 * index})`,
  )
  return (
    `(SELECT CASE WHEN ${UUID} THEN CASE WHEN substr(v, 15, 1) = '7' THEN ${bits.join(' + ')} ELSE 0 END END ` +
    `FROM (SELECT v, substr(v, 1, 8) || substr(v, 10, 4) AS h FROM (SELECT lower(${uuid}) AS v)))`
  )
}

export const PARSING: readonly ScalarFunction[] = [
  fn(
    'toDateTime toDateTimeOrNull _toDateTime',
    'any, string?',
    unlessConverted(DATETIME),
    (site, value) => toWholeSeconds(value, site),
    { constantFrom: 1, clickhouse: clickhouseWholeSeconds },
  ),
  fn(
    'toDateTime64 toDateTime64OrNull _toDateTime64 parseDateTime64BestEffort parseDateTime64BestEffortOrNull',
    'any, any?, string?',
    unlessConverted(DATETIME),
    (site, value) => toScale(value, site),
    { constantFrom: 1, clickhouse: clickhouseScale },
  ),
  fn(
    'parseDateTimeBestEffort parseDateTimeBestEffortOrNull timestamp',
    'any, string?',
    unlessConverted(DATETIME),
    (site, value) => toDatetime(value, argument(site.types, 0), zoneAmong(site.constants, site), site),
    { constantFrom: 1, clickhouse },
  ),
  toDate('toDate toDateOrNull date _toDate', DAYS),
  toDate('toDate32 toDate32OrNull', DAYS_OF_DATE32),
  fn(
    'fromUnixTimestamp from_unixtime to_timestamp',
    'number',
    always(nullable(DATETIME)),
    (site, value) => inYears(value, fromSeconds, site),
    { clickhouse: (site, value) => clickhouseSeconds(value, zoneText(site)) },
  ),
  fn(
    'toTimeZone',
    'temporal, string',
    movedToZone,
    (site, value) => momentOf(value, argument(site.types, 0), site),
    {
      clickhouse: (site, value) =>
        `toTimeZone(${clickhouseMoment(value, argument(site.types, 0), `'${site.zone.name}'`)}, ${zoneText(site)})`,
    },
  ),
  fn(
    'fromUnixTimestamp64Milli',
    'integer',
    always(nullable(DATETIME)),
    (site, value) => inYears(value, fromMilliseconds, site, 1000),
    {
      clickhouse: (site, value) =>
        clickhouseInYears(
          `toInt64(${value})`,
          (milliseconds) => `toDateTime64(fromUnixTimestamp64Milli(${milliseconds}), 6, ${zoneText(site)})`,
          1000,
        ),
    },
  ),
  fn(
    'UUIDv7ToDateTime',
    'string',
    always(nullable(DATETIME)),
    (site, uuid) => inYears(uuidMilliseconds(uuid), fromMilliseconds, site, 1000),
    {
      clickhouse: (site, uuid) =>
        clickhouseInYears(
          `toUnixTimestamp64Milli(UUIDv7ToDateTime(toUUIDOrNull(${uuid})))`,
          (milliseconds) => `toDateTime64(fromUnixTimestamp64Milli(${milliseconds}), 6, ${zoneText(site)})`,
          1000,
        ),
    },
  ),
]
