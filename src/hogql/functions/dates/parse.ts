// Conversions of texts and numbers to datetimes and dates.
import { DATE, DATETIME, type Type } from '../../types'
import { reject } from '../../error'
import { fn } from '../define'
import { argument, unlessText } from '../return-types'
import type { Constants, ScalarFunction, Site, SqliteSite, SqliteZone } from '../spec'
import { momentOf } from '../sqlite-values'
import { isoText } from './best-effort'

const SECONDS = "'%Y-%m-%dT%H:%M:%S'"

/** Whether a text begins with a valid date. */
const isDate = (v: string): string =>
  `${v} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' AND substr(date(substr(${v}, 1, 10)), 9) = substr(${v}, 9, 2)`

/** The stored form of a datetime text. SQLite would round the fraction to thousandths: it is cut out. */
function normalized(v: string): string {
  const behind = `ltrim(substr(${v}, 21), '0123456789')`
  const fraction = `substr(${v}, 21, length(${v}) - 20 - length(${behind}))`
  return (
    `CASE WHEN substr(${v}, 20, 1) = '.' ` +
    `THEN strftime(${SECONDS}, substr(${v}, 1, 19) || ${behind}) || '.' || substr(${fraction} || '000000', 1, 6) || 'Z' ` +
    `ELSE strftime(${SECONDS}, ${v}) || '.000000Z' END`
  )
}

/** A text of ten digits is seconds since 1970, one of thirteen milliseconds. */
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
      `WHEN ${digits(v, 16)} THEN strftime(${SECONDS}, CAST(substr(${v}, 1, 10) AS INTEGER), 'unixepoch') || '.' || substr(${v}, 11) || 'Z' ` +
      `ELSE ${site.once(isoText(v), (iso) => `CASE WHEN ${isDate(iso)} THEN ${local(iso)} END`)} END`,
  )
}

/** Whole seconds since 1970 as a datetime. */
export const fromSeconds = (sql: string): string =>
  `strftime(${SECONDS}, CAST(${sql} AS INTEGER), 'unixepoch') || '.000000Z'`

const fromMilliseconds = (sql: string): string =>
  `strftime(${SECONDS}, ${sql} / 1000, 'unixepoch') || printf('.%03d000Z', ${sql} % 1000)`

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
      return `(${fromSeconds(sql)})`
    case 'null':
      return 'NULL'
    case 'boolean':
    case 'array':
    case 'tuple':
      return reject(null, `A value of type ${from.kind} cannot be converted to a datetime.`)
  }
}

/** The zone that an argument names, else the project's. */
export function zoneAmong(constants: Constants, site: SqliteSite): SqliteZone {
  const name = zoneNameAmong(constants)
  return name === undefined ? site.zone : site.zoneNamed(name)
}

/** The last constant text after the first argument. */
const zoneNameAmong = (constants: Constants): string | undefined =>
  constants.slice(1).findLast((constant) => typeof constant === 'string')

/** A zone's name as a literal of ClickHouse. */
export const zoneText = ({ constants, zone }: Pick<Site, 'constants' | 'zone'>): string =>
  `'${(zoneNameAmong(constants) ?? zone.name).replace(/[^\w/+-]/g, '')}'`

function clickhouse(site: Site, value: string): string {
  const { kind } = argument(site.types, 0)
  const zone = zoneText(site)
  if (kind === 'string' || kind === 'json') return `parseDateTime64BestEffortOrNull(${value}, 6, ${zone})`
  if (kind === 'integer' || kind === 'float') return `toDateTime64(toInt64(${value}), 6, ${zone})`
  return kind === 'date' ? `toDateTime64(${value}, 6, ${zone})` : `toTimeZone(${value}, ${zone})`
}

export const PARSING: readonly ScalarFunction[] = [
  fn(
    'toDateTime toDateTime64 toDateTimeOrNull toDateTime64OrNull parseDateTimeBestEffort parseDateTimeBestEffortOrNull ' +
      'parseDateTime64BestEffort parseDateTime64BestEffortOrNull timestamp _toDateTime _toDateTime64',
    'any, any?, string?',
    unlessText(DATETIME),
    (site, value) => toDatetime(value, argument(site.types, 0), zoneAmong(site.constants, site), site),
    { clickhouse },
  ),
  fn(
    'toDate toDateOrNull toDate32 toDate32OrNull date _toDate',
    'any, string?',
    unlessText(DATE),
    (site, value) => {
      const from = argument(site.types, 0)
      if (from.kind === 'date') return value
      const zone = zoneAmong(site.constants, site)
      return zone.toDay(toDatetime(value, from, zone, site))
    },
    {
      clickhouse: (site, value) =>
        argument(site.types, 0).kind === 'date' ? value : `toDate32(${clickhouse(site, value)})`,
    },
  ),
  fn('fromUnixTimestamp from_unixtime', 'number', 'datetime', (_, value) => `(${fromSeconds(value)})`, {
    clickhouse: (site, value) => `toDateTime64(toInt64(${value}), 6, ${zoneText(site)})`,
  }),
  fn(
    'fromUnixTimestamp64Milli',
    'integer',
    'datetime',
    (site, value) => site.once(value, (v) => `(${fromMilliseconds(v)})`),
    {
      clickhouse: (site, value) =>
        `toDateTime64(fromUnixTimestamp64Milli(toInt64(${value})), 6, ${zoneText(site)})`,
    },
  ),
]
