// The start of the second, hour, day, … that contains a datetime.
import { DATE, DATETIME, nullable, type Type, type Unit } from '../../types'
import type { Literal } from '../../ir'
import { reject } from '../../error'
import { fn } from '../define'
import { argument } from '../return-types'
import type { ScalarFunction, Site, SqliteSite, SqliteZone } from '../spec'
import { dayOf, MIDNIGHT, momentOf } from '../sqlite-values'
import { intervalIn, startOfInterval } from './truncate-interval'
import { clickhouseMoment, inNamedZone, zoneAmong, zoneText } from './parse'
import { parseUnit } from './units'

/** The first month of the quarter of each month. */
const QUARTERS = "'010101040404070707101010'"

/** Returns SQL of the first day of the unit that contains a day. */
function firstDay(day: string, unit: 'week' | 'month' | 'quarter' | 'year', sundays = false): string {
  switch (unit) {
    case 'week':
      return `date(${day}, '-6 days', 'weekday ${sundays ? 0 : 1}')`
    case 'month':
      return `(substr(${day}, 1, 7) || '-01')`
    case 'quarter':
      return `(substr(${day}, 1, 5) || substr(${QUARTERS}, substr(${day}, 6, 2) * 2 - 1, 2) || '-01')`
    case 'year':
      return `(substr(${day}, 1, 4) || '-01-01')`
  }
}

type ClockUnit = 'second' | 'minute' | 'hour'

/** The length of the start of a datetime's text that is kept, and the rest of the result. */
const CUTS: Record<ClockUnit, [number, string]> = {
  second: [19, '.000000Z'],
  minute: [16, ':00.000000Z'],
  hour: [13, ':00:00.000000Z'],
}

/**
 * Returns SQL of the start of a unit. Offsets are multiples of 15 minutes, so that minutes begin at the same time in all zones, and hours
 * in nearly all.
 */
export function startOf(
  moment: string,
  unit: ClockUnit,
  { zone, once }: Pick<SqliteSite, 'zone' | 'once'>,
): string {
  const [length, rest] = CUTS[unit]
  if (unit !== 'hour' || zone.wholeHours) return `(substr(${moment}, 1, ${length}) || '${rest}')`
  // Hours count from the local midnight as on ClickHouse, also on a day on which clocks change by half an hour.
  return once(moment, (utc) => {
    const midnight = startOfDay(zone.toDay(utc), zone)
    const minutes = `((60 + substr(${utc}, 15, 2) - substr(${midnight}, 15, 2)) % 60)`
    return `(strftime('%Y-%m-%dT%H:%M', substr(${utc}, 1, 19), '-' || ${minutes} || ' minutes') || ':00.000000Z')`
  })
}

/** @param minutes a divisor of an hour */
const startOfMinutes = (moment: string, minutes: number, { once }: Pick<SqliteSite, 'once'>): string =>
  once(
    moment,
    (utc) =>
      `(substr(${utc}, 1, 14) || printf('%02d', substr(${utc}, 15, 2) / ${minutes} * ${minutes}) || ':00.000000Z')`,
  )

const startOfDay = (day: string, zone: SqliteZone): string => zone.startToUtc(`(${day} || '${MIDNIGHT}')`)

function truncated(value: string, from: Type, unit: Unit, site: Pick<SqliteSite, 'zone' | 'once'>): string {
  switch (unit) {
    case 'second':
    case 'minute':
    case 'hour':
      return startOf(momentOf(value, from, site), unit, site)
    case 'day':
      return startOfDay(dayOf(value, from, site), site.zone)
    case 'week':
    case 'month':
    case 'quarter':
    case 'year':
      return firstDay(dayOf(value, from, site), unit)
  }
}

/** Returns the type of the start of a unit: a week or a longer unit starts on a date, a shorter one at a datetime. */
function typeOfStart(unit: Unit, { nullable: mayBeNull }: Type): Type {
  const isDay = unit === 'week' || unit === 'month' || unit === 'quarter' || unit === 'year'
  const type = isDay ? DATE : DATETIME
  return mayBeNull ? nullable(type) : type
}

/**
 * Writes the start of a unit for ClickHouse: that of a date's longer unit takes no zone, and that of a shorter one is its local midnight.
 */
function startCall(name: string, value: string, site: Site): string {
  const from = argument(site.types, 0)
  if (from.kind === 'date' && site.type.kind === 'date') return `${name}(${value})`
  return `${name}(${clickhouseMoment(value, from, zoneText(site))}, ${zoneText(site)})`
}

const start = (name: string, unit: Unit): ScalarFunction =>
  fn(
    name,
    'temporal, string?',
    (args, constants) => inNamedZone(typeOfStart(unit, argument(args, 0)), constants),
    (site, value) =>
      truncated(value, argument(site.types, 0), unit, { ...site, zone: zoneAmong(site.constants, site) }),
    { constantFrom: 1, clickhouse: (site, value) => startCall(name, value, site) },
  )

const startOfSome = (name: string, minutes: number): ScalarFunction =>
  fn(
    name,
    'temporal',
    (args) => typeOfStart('minute', argument(args, 0)),
    (site, value) => startOfMinutes(momentOf(value, argument(site.types, 0), site), minutes, site),
    { clickhouse: (site, value) => startCall(name, value, site) },
  )

/** Returns whether weeks begin on Sunday in a mode. In odd modes they begin on Monday. */
function beginsOnSunday(mode: Literal | undefined): boolean {
  if (mode === undefined) return true
  if (typeof mode === 'number' && Number.isInteger(mode) && mode >= 0 && mode <= 9) return mode % 2 === 0
  return reject(
    null,
    "The mode of 'toStartOfWeek' has to be a constant from 0 to 9: odd ones begin on Monday.",
  )
}

const STARTS: Record<Unit, string> = {
  second: 'toStartOfSecond',
  minute: 'toStartOfMinute',
  hour: 'toStartOfHour',
  day: 'toStartOfDay',
  week: 'toMonday',
  month: 'toStartOfMonth',
  quarter: 'toStartOfQuarter',
  year: 'toStartOfYear',
}

export const TRUNCATION: readonly ScalarFunction[] = [
  start('toStartOfSecond', 'second'),
  start('toStartOfMinute', 'minute'),
  startOfSome('toStartOfFiveMinutes', 5),
  startOfSome('toStartOfTenMinutes', 10),
  startOfSome('toStartOfFifteenMinutes', 15),
  start('toStartOfHour', 'hour'),
  start('toStartOfDay', 'day'),
  start('toMonday', 'week'),
  start('toStartOfMonth', 'month'),
  start('toStartOfQuarter', 'quarter'),
  start('toStartOfYear', 'year'),
  fn(
    'toStartOfWeek',
    'temporal, integer?, string?',
    (args) => typeOfStart('week', argument(args, 0)),
    (site, value) => {
      const zone = zoneAmong(site.constants, site)
      const day = dayOf(value, argument(site.types, 0), { zone })
      return firstDay(day, 'week', beginsOnSunday(site.constants[1]))
    },
    {
      constantFrom: 1,
      clickhouse: (site, value) => {
        const zone = argument(site.types, 0).kind === 'datetime' ? `, ${zoneText(site)}` : ''
        return `toStartOfWeek(${value}, ${beginsOnSunday(site.constants[1]) ? 0 : 1}${zone})`
      },
    },
  ),
  fn(
    'toStartOfInterval',
    'temporal, integer, string',
    (args, constants) => typeOfStart(parseUnit(constants[2], 'toStartOfInterval'), argument(args, 0)),
    (site, value) => startOfInterval(value, argument(site.types, 0), intervalIn(site.constants), site),
    {
      guarded: true,
      clickhouse: (site, value) => {
        const { count, unit } = intervalIn(site.constants)
        const zone = zoneText({ ...site, constants: [] })
        const datetime = clickhouseMoment(value, argument(site.types, 0), zone)
        return `toStartOfInterval(${datetime}, INTERVAL ${count} ${unit}, ${zone})`
      },
    },
  ),
  fn(
    'toLastDayOfMonth last_day',
    'temporal',
    (args) => typeOfStart('month', argument(args, 0)),
    (site, value) =>
      `date(${dayOf(value, argument(site.types, 0), site)}, 'start of month', '+1 month', '-1 day')`,
  ),
  fn(
    'dateTrunc date_trunc',
    'string, temporal, string?',
    (args, constants) =>
      inNamedZone(typeOfStart(parseUnit(constants[0], 'dateTrunc'), argument(args, 1)), constants.slice(1)),
    (site, _unit, value) => {
      const zone = zoneAmong(site.constants.slice(1), site)
      return truncated(value, argument(site.types, 1), parseUnit(site.constants[0], 'dateTrunc'), {
        ...site,
        zone,
      })
    },
    {
      constantFrom: 2,
      clickhouse: (site, _unit, value) => {
        const zone = zoneText({ ...site, constants: site.constants.slice(1) })
        const datetime = clickhouseMoment(value, argument(site.types, 1), zone)
        // ClickHouse's own dateTrunc moves years before 1970 to 1970.
        return `${STARTS[parseUnit(site.constants[0], 'dateTrunc')]}(${datetime}, ${zone})`
      },
    },
  ),
]
