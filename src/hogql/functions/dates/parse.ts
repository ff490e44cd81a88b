// Texts and numbers that stand for moments.
import { DATE, DATETIME, nullable, type Type } from '../../types'
import { refuse } from '../refuse'
import { argument } from '../returns'
import type { Constants, ScalarFunction, Site, SqliteSite, SqliteZone } from '../spec'
import { isText, momentOf } from '../sqlite-values'

const SECONDS = "'%Y-%m-%dT%H:%M:%S'"

/** A date at the start of the text, one that there is. */
const isMoment = (v: string): string =>
  `${v} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' AND substr(date(substr(${v}, 1, 10)), 9) = substr(${v}, 9, 2)`

/** With a fraction, which SQLite would round to thousandths, set aside. */
function spelled(v: string): string {
  const behind = `ltrim(substr(${v}, 21), '0123456789')`
  const fraction = `substr(${v}, 21, length(${v}) - 20 - length(${behind}))`
  return (
    `CASE WHEN substr(${v}, 20, 1) = '.' ` +
    `THEN strftime(${SECONDS}, substr(${v}, 1, 19) || ${behind}) || '.' || substr(${fraction} || '000000', 1, 6) || 'Z' ` +
    `ELSE strftime(${SECONDS}, ${v}) || '.000000Z' END`
  )
}

/** A text of only so many digits is a number of seconds or milliseconds since 1970. */
const digits = (v: string, count: number) => `length(${v}) = ${count} AND ${v} NOT GLOB '*[^0-9]*'`

/** A moment out of a text: ISO with or without a time and an offset, or a count of seconds. Anything else is NULL. */
function fromText(text: string, zone: SqliteZone, site: SqliteSite): string {
  return site.once(text, (v) => {
    const local = zone.isUtc
      ? spelled(v)
      : `CASE WHEN substr(${v}, 11) GLOB '*[Zz+-]*' THEN ${spelled(v)} ELSE ${site.once(spelled(v), (each) => zone.toUtc(each))} END`
    return (
      `CASE WHEN ${isMoment(v)} THEN ${local} ` +
      `WHEN ${digits(v, 10)} THEN ${fromSeconds(`CAST(${v} AS INTEGER)`)} ` +
      `WHEN ${digits(v, 13)} THEN ${fromMilliseconds(`CAST(${v} AS INTEGER)`)} END`
    )
  })
}

/** Whole seconds since 1970 as a datetime. */
export const fromSeconds = (sql: string): string =>
  `strftime(${SECONDS}, CAST(${sql} AS INTEGER), 'unixepoch') || '.000000Z'`

const fromMilliseconds = (sql: string): string =>
  `strftime(${SECONDS}, ${sql} / 1000, 'unixepoch') || printf('.%03d000Z', ${sql} % 1000)`

/** Any value that may stand for a moment, as a datetime. */
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
      return refuse(`A value of type ${from.kind} is no moment.`)
  }
}

/** The zone that an argument names, the project's when none does. */
export function zoneAmong(constants: Constants, site: SqliteSite): SqliteZone {
  const name = zoneNameAmong(constants)
  return name === undefined ? site.zone : site.zoneNamed(name)
}

/** The last constant text behind the first argument. */
const zoneNameAmong = (constants: Constants): string | undefined =>
  constants.slice(1).findLast((constant) => typeof constant === 'string')

/** A zone's name as SQL of ClickHouse; nothing but what such names are made of. */
export const zoneText = ({ constants, zone }: Pick<Site, 'constants' | 'zone'>): string =>
  `'${(zoneNameAmong(constants) ?? zone.name).replace(/[^\w/+-]/g, '')}'`

/** NULL where a text stands for none. */
const unlessText =
  (type: Type) =>
  (args: readonly Type[]): Type => {
    const from = argument(args, 0)
    return from.nullable || isText(from) ? nullable(type) : type
  }

function clickhouse(value: string, site: Site): string {
  const { kind } = argument(site.types, 0)
  const zone = zoneText(site)
  if (kind === 'string' || kind === 'json') return `parseDateTime64BestEffortOrNull(${value}, 6, ${zone})`
  if (kind === 'integer' || kind === 'float') return `toDateTime64(toInt64(${value}), 6, ${zone})`
  return kind === 'date' ? `toDateTime64(${value}, 6, ${zone})` : `toTimeZone(${value}, ${zone})`
}

export const PARSING: readonly ScalarFunction[] = [
  {
    kind: 'scalar',
    name: 'toDateTime',
    aliases: [
      'toDateTime64',
      'toDateTimeOrNull',
      'toDateTime64OrNull',
      'parseDateTimeBestEffort',
      'parseDateTimeBestEffortOrNull',
      'parseDateTime64BestEffort',
      'parseDateTime64BestEffortOrNull',
      'timestamp',
      '_toDateTime',
      '_toDateTime64',
    ],
    takes: ['any', 'any', 'string'],
    optional: 2,
    returns: unlessText(DATETIME),
    sqlite: ([value], site) =>
      toDatetime(String(value), argument(site.types, 0), zoneAmong(site.constants, site), site),
    clickhouse: ([value], site) => clickhouse(String(value), site),
  },
  {
    kind: 'scalar',
    name: 'toDate',
    aliases: ['toDateOrNull', 'toDate32', 'toDate32OrNull', 'date', '_toDate'],
    takes: ['any', 'string'],
    optional: 1,
    returns: unlessText(DATE),
    sqlite: ([value], site) => {
      const from = argument(site.types, 0)
      if (from.kind === 'date') return String(value)
      const zone = zoneAmong(site.constants, site)
      return zone.toDay(toDatetime(String(value), from, zone, site))
    },
    clickhouse: ([value], site) =>
      argument(site.types, 0).kind === 'date'
        ? String(value)
        : `toDate32(${clickhouse(String(value), site)})`,
  },
  {
    kind: 'scalar',
    name: 'fromUnixTimestamp',
    aliases: ['from_unixtime'],
    takes: ['number'],
    returns: ([value]) => (value?.nullable ? nullable(DATETIME) : DATETIME),
    sqlite: ([value]) => `(${fromSeconds(String(value))})`,
    clickhouse: ([value], site) => `toDateTime64(toInt64(${value}), 6, ${zoneText(site)})`,
  },
  {
    kind: 'scalar',
    name: 'fromUnixTimestamp64Milli',
    takes: ['integer'],
    returns: ([value]) => (value?.nullable ? nullable(DATETIME) : DATETIME),
    sqlite: ([value], site) => site.once(String(value), (v) => `(${fromMilliseconds(v)})`),
    clickhouse: ([value], site) =>
      `toDateTime64(fromUnixTimestamp64Milli(toInt64(${value})), 6, ${zoneText(site)})`,
  },
]
