// How SQLite holds what HogQL has types for, and how one becomes another: booleans are 1 and 0, datetimes 27 characters of UTC, dates ten,
// arrays and tuples JSON.
import type { Type } from '../types'
import type { SqliteSite } from './spec'

/** What stands behind the day of a moment that is its midnight. */
export const MIDNIGHT = 'T00:00:00.000000Z'

/** Whether a type is text, a JSON document among them. */
export const isText = ({ kind }: Type): boolean => kind === 'string' || kind === 'json'

/** What ClickHouse gives where there is no value, and NULL cannot be. */
function defaultOf(type: Type): string {
  if (type.nullable) return 'NULL'
  switch (type.kind) {
    case 'integer':
    case 'float':
    case 'boolean':
      return '0'
    case 'string':
    case 'json':
      return "''"
    case 'datetime':
      return `'1970-01-01${MIDNIGHT}'`
    case 'date':
      return "'1970-01-01'"
    case 'array':
      return "'[]'"
    case 'tuple':
      return `json_array(${type.of.map((of) => asElement(defaultOf(of), of)).join(', ')})`
    case 'null':
      return 'NULL'
  }
}

/** `sql`, or the default where it is NULL though its type has none. */
export const orDefault = (sql: string, type: Type): string =>
  type.nullable || type.kind === 'null' ? sql : `ifnull(${sql}, ${defaultOf(type)})`

/** A value as an element of a JSON array: what is JSON itself must not become text. */
export const asElement = (sql: string, type: Type): string =>
  type.kind === 'array' || type.kind === 'tuple' ? `json(${sql})` : sql

/** A datetime as the clocks of the project show it, a date as it is: its parts are found at fixed places. */
export const wallOf = (sql: string, type: Type, { zone }: Pick<SqliteSite, 'zone'>): string =>
  type.kind === 'datetime' ? zone.toLocal(sql) : sql

/** The day of a moment. */
export const dayOf = (sql: string, type: Type, site: Pick<SqliteSite, 'zone'>): string =>
  type.kind === 'date' ? sql : site.zone.toDay(sql)

/** Seconds since 1970. The fraction goes first: SQLite would round it to thousandths, and with it the second. */
export const secondsOf = (moment: string): string => `unixepoch(substr(${moment}, 1, 19))`

/** A moment as a datetime: a date is its midnight. */
export const momentOf = (sql: string, type: Type, { zone }: Pick<SqliteSite, 'zone'>): string =>
  type.kind === 'date' ? zone.startToUtc(`(${sql} || '${MIDNIGHT}')`) : sql

/** A value as text, as ClickHouse writes it. */
export function asText(sql: string, type: Type, site: SqliteSite): string {
  switch (type.kind) {
    case 'string':
    case 'json':
    case 'date':
      return sql
    case 'integer':
      return `CAST(${sql} AS TEXT)`
    case 'boolean':
      return site.once(sql, (value) => `CASE WHEN ${value} THEN 'true' WHEN NOT ${value} THEN 'false' END`)
    case 'float':
      return site.once(sql, floatText)
    case 'datetime':
      return site.once(site.zone.toLocal(sql), (local) => momentText(local))
    case 'array':
    case 'tuple':
      return `CAST(${sql} AS TEXT)`
    case 'null':
      return 'NULL'
  }
}

/** As few digits as tell the number from all others; whole ones without a point, and none with an exponent that need not be. */
const floatText = (value: string): string =>
  [
    `CASE WHEN ${value} IS NULL THEN NULL WHEN ${value} = CAST(${value} AS INTEGER) AND abs(${value}) < 9e15 THEN CAST(CAST(${value} AS INTEGER) AS TEXT)`,
    `WHEN abs(${value}) > 1.7976931348623157e308 THEN CASE WHEN ${value} > 0 THEN 'inf' ELSE '-inf' END`,
    `WHEN abs(${value}) >= 9e15 AND abs(${value}) < 1e21 THEN printf('%.0f', ${value})`,
    `WHEN abs(${value}) < 1e-4 AND abs(${value}) >= 1e-6 THEN ${smallText(value)}`,
    `WHEN CAST(printf('%!.15g', ${value}) AS REAL) = ${value} THEN ${withoutPoint(`printf('%!.15g', ${value})`)}`,
    `WHEN CAST(printf('%!.16g', ${value}) AS REAL) = ${value} THEN ${withoutPoint(`printf('%!.16g', ${value})`)}`,
    `ELSE ${withoutPoint(`printf('%!.17g', ${value})`)} END`,
  ].join(' ')

/** All decimals, where SQLite would write an exponent. */
const smallText = (value: string): string =>
  `CASE WHEN CAST(printf('%.22f', ${value}) AS REAL) = ${value} THEN rtrim(printf('%.22f', ${value}), '0') ELSE rtrim(printf('%!.22f', ${value}), '0') END`

/** `1.0e-07` as `1e-7`. */
const withoutPoint = (text: string): string =>
  `replace(replace(replace(replace(${text}, '.0e', 'e'), 'e-0', 'e-'), 'e+0', 'e'), 'e+', 'e')`

/** The fraction goes when it is zero. */
const momentText = (local: string): string =>
  `substr(${local}, 1, 10) || ' ' || substr(${local}, 12, CASE WHEN substr(${local}, 20, 7) = '.000000' THEN 8 ELSE 15 END)`
