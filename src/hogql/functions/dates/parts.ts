// What a calendar or a clock says of a moment, as a number or a name.
import { INTEGER, STRING, type Type } from '../../types'
import type { Literal } from '../../ir'
import { refuse } from '../refuse'
import { argument, unlessNull } from '../returns'
import type { ScalarFunction, Site, SqliteSite } from '../spec'
import { momentOf, secondsOf, wallOf } from '../sqlite-values'
import { zoneAmong, zoneText } from './parse'

/** A number at a fixed place of the moment's text. */
export const digitsOf = (wall: string, start: number, length: number): string =>
  `CAST(substr(${wall}, ${start}, ${length}) AS INTEGER)`

/** What strftime gives, as a number. */
const formatted = (format: string) => (wall: string) =>
  `CAST(strftime('${format}', substr(${wall}, 1, 10)) AS INTEGER)`

const at = (start: number, length: number) => (wall: string) => digitsOf(wall, start, length)

export const quarterOf = (wall: string): string => `((${digitsOf(wall, 6, 2)} + 2) / 3)`

const digits = (length: number) => (wall: string) =>
  `CAST(substr(replace(replace(replace(${wall}, '-', ''), 'T', ''), ':', '') || '000000', 1, ${length}) AS INTEGER)`

/** The week of the year in ClickHouse's modes: 0 counts from the first Sunday, 1 from the week with four days, 3 as ISO 8601 does. */
function weekOf(wall: string, mode: Literal): string {
  switch (mode) {
    case 0:
      return formatted('%U')(wall)
    case 1:
      return `CAST((strftime('%j', substr(${wall}, 1, 10)) - strftime('%u', substr(${wall}, 1, 10)) + 10) / 7 AS INTEGER)`
    case 3:
      return formatted('%V')(wall)
    default:
      return refuse("The mode of 'toWeek' has to be a constant: 0, 1 or 3.")
  }
}

function part(name: string, write: (wall: string) => string, ...aliases: string[]): ScalarFunction {
  return {
    kind: 'scalar',
    name,
    aliases,
    takes: ['moment', 'string'],
    optional: 1,
    returns: unlessNull(INTEGER),
    sqlite: ([value], site) => write(wallIn(String(value), site)),
    clickhouse: ([value, zone], site) =>
      `${name}(${asMoment(String(value), site)}${zone === undefined ? '' : `, ${zone}`})`,
  }
}

/** ClickHouse finds no time in a date. */
const asMoment = (value: string, site: Site): string =>
  argument(site.types, 0).kind === 'date'
    ? `toDateTime64(${value}, 6, ${zoneText({ ...site, constants: [] })})`
    : value

/** The moment on the clocks of the zone that the call names, if it does. */
const wallIn = (value: string, site: SqliteSite): string =>
  wallOf(value, argument(site.types, 0), { zone: zoneAmong(site.constants, site) })

const count = (
  name: string,
  write: (moment: string) => string,
  clickhouse: string,
  type: Type,
  ...aliases: string[]
): ScalarFunction => ({
  kind: 'scalar',
  name,
  aliases,
  takes: ['moment'],
  returns: unlessNull(type),
  sqlite: ([value], site) => write(momentOf(String(value), argument(site.types, 0), site)),
  clickhouse: ([value], site) => `${clickhouse}(${asMoment(String(value), site)})`,
})

const name = (fn: string, index: (wall: string) => string, names: readonly string[]): ScalarFunction => ({
  kind: 'scalar',
  name: fn,
  takes: ['moment'],
  returns: unlessNull(STRING),
  sqlite: ([value], site) => nameAt(index(wallIn(String(value), site)), names),
  clickhouse: ([value], site) => `${fn}(${asMoment(String(value), site)})`,
})

/** One of some names, counted from 1. */
export const nameAt = (index: string, names: readonly string[]): string =>
  `CASE ${index} ${names.map((each, place) => `WHEN ${place + 1} THEN '${each}'`).join(' ')} END`

export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

export const dayOfWeek = formatted('%u')

export const PARTS: readonly ScalarFunction[] = [
  part('toYear', at(1, 4), 'year'),
  part('toQuarter', quarterOf, 'quarter'),
  part('toMonth', at(6, 2), 'month'),
  part('toDayOfMonth', at(9, 2), 'day', 'dayOfMonth'),
  part('toDayOfYear', formatted('%j'), 'dayOfYear'),
  part('toDayOfWeek', dayOfWeek, 'dayOfWeek'),
  part('toHour', at(12, 2), 'hour'),
  part('toMinute', at(15, 2), 'minute'),
  part('toSecond', at(18, 2), 'second'),
  part('toISOWeek', formatted('%V')),
  part('toISOYear', formatted('%G')),
  part('toYYYYMM', digits(6)),
  part('toYYYYMMDD', digits(8)),
  part('toYYYYMMDDhhmmss', digits(14)),
  name('monthName', at(6, 2), MONTHS),
  {
    kind: 'scalar',
    name: 'toWeek',
    aliases: ['week'],
    takes: ['moment', 'integer'],
    optional: 1,
    returns: unlessNull(INTEGER),
    sqlite: ([value], site) => weekOf(wallIn(String(value), site), site.constants[1] ?? 0),
    // The mode has to be a literal there.
    clickhouse: ([value], { constants }) =>
      `toWeek(${value}, ${constants[1] === 1 || constants[1] === 3 ? constants[1] : 0})`,
  },
  count('toUnixTimestamp', secondsOf, 'toUnixTimestamp', INTEGER),
  count(
    'toUnixTimestamp64Milli',
    (moment) => `(${secondsOf(moment)} * 1000 + CAST(substr(${moment}, 21, 3) AS INTEGER))`,
    'toUnixTimestamp64Milli',
    INTEGER,
  ),
  count(
    'toUnixTimestamp64Micro',
    (moment) => `(${secondsOf(moment)} * 1000000 + CAST(substr(${moment}, 21, 6) AS INTEGER))`,
    'toUnixTimestamp64Micro',
    INTEGER,
  ),
]
