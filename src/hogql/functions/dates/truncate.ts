// The start of the second, hour, day, … that a moment lies in.
import { DATE, DATETIME, nullable, type Type, type Unit } from '../../types'
import type { Literal } from '../../ir'
import { refuse } from '../refuse'
import { argument } from '../returns'
import type { ScalarFunction, SqliteSite, SqliteZone } from '../spec'
import { dayOf, MIDNIGHT, momentOf } from '../sqlite-values'
import { intervalIn, startOfMany } from './many'
import { zoneAmong, zoneText } from './parse'
import { unitOf } from './units'

/** First months of the quarters, by month. */
const QUARTERS = "'010101040404070707101010'"

/** The first day of the week, month, quarter or year that a day is in. */
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

type Clock = 'second' | 'minute' | 'hour'

/** Everything behind a second, a minute, an hour. */
const CUTS: Record<Clock, [number, string]> = {
  second: [19, '.000000Z'],
  minute: [16, ':00.000000Z'],
  hour: [13, ':00:00.000000Z'],
}

/** Zones differ from UTC by quarters of an hour at the least: minutes begin everywhere at once, hours nearly everywhere. */
function startOf(moment: string, unit: Clock, zone: SqliteZone): string {
  const [length, rest] = CUTS[unit]
  if (unit !== 'hour' || zone.wholeHours) return `(substr(${moment}, 1, ${length}) || '${rest}')`
  const minutes = `substr(${zone.toLocal(moment)}, 15, 2)`
  return `(strftime('%Y-%m-%dT%H:%M', substr(${moment}, 1, 19), '-' || ${minutes} || ' minutes') || ':00.000000Z')`
}

/** Minutes that an hour holds a whole number of times. */
const startOfMinutes = (moment: string, minutes: number): string =>
  `(substr(${moment}, 1, 14) || printf('%02d', substr(${moment}, 15, 2) / ${minutes} * ${minutes}) || ':00.000000Z')`

const startOfDay = (day: string, zone: SqliteZone): string => zone.startToUtc(`(${day} || '${MIDNIGHT}')`)

/** The start of a unit, of the type that `typeOfStart` says. */
function truncated(value: string, from: Type, unit: Unit, site: Pick<SqliteSite, 'zone'>): string {
  switch (unit) {
    case 'second':
    case 'minute':
    case 'hour':
      return startOf(momentOf(value, from, site), unit, site.zone)
    case 'day':
      return startOfDay(dayOf(value, from, site), site.zone)
    case 'week':
    case 'month':
    case 'quarter':
    case 'year':
      return firstDay(dayOf(value, from, site), unit)
  }
}

/** Weeks and more begin on a day, everything shorter at a moment. */
function typeOfStart(unit: Unit, { nullable: mayBeNull }: Type): Type {
  const isDay = unit === 'week' || unit === 'month' || unit === 'quarter' || unit === 'year'
  const type = isDay ? DATE : DATETIME
  return mayBeNull ? nullable(type) : type
}

const start = (name: string, unit: Unit, ...aliases: string[]): ScalarFunction => ({
  kind: 'scalar',
  name,
  aliases,
  takes: ['moment', 'string'],
  optional: 1,
  returns: (args) => typeOfStart(unit, argument(args, 0)),
  sqlite: ([value], site) =>
    truncated(String(value), argument(site.types, 0), unit, { zone: zoneAmong(site.constants, site) }),
})

const startOfSome = (name: string, minutes: number): ScalarFunction => ({
  kind: 'scalar',
  name,
  takes: ['moment'],
  returns: (args) => typeOfStart('minute', argument(args, 0)),
  sqlite: ([value], site) => startOfMinutes(momentOf(String(value), argument(site.types, 0), site), minutes),
})

/** Modes of weeks that begin on Monday are odd. */
function beginsOnSunday(mode: Literal | undefined): boolean {
  if (mode === undefined) return true
  if (typeof mode === 'number' && Number.isInteger(mode) && mode >= 0 && mode <= 9) return mode % 2 === 0
  return refuse("The mode of 'toStartOfWeek' has to be a constant from 0 to 9: odd ones begin on Monday.")
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
  {
    kind: 'scalar',
    name: 'toStartOfWeek',
    takes: ['moment', 'integer', 'string'],
    optional: 2,
    returns: (args) => typeOfStart('week', argument(args, 0)),
    sqlite: ([value], site) => {
      const zone = zoneAmong(site.constants, site)
      return firstDay(
        dayOf(String(value), argument(site.types, 0), { zone }),
        'week',
        beginsOnSunday(site.constants[1]),
      )
    },
    clickhouse: ([value], site) => {
      const zone = argument(site.types, 0).kind === 'datetime' ? `, ${zoneText(site)}` : ''
      return `toStartOfWeek(${value}, ${beginsOnSunday(site.constants[1]) ? 0 : 1}${zone})`
    },
  },
  {
    kind: 'scalar',
    guarded: true,
    name: 'toStartOfInterval',
    takes: ['moment', 'integer', 'string'],
    returns: (args, constants) => typeOfStart(unitOf(constants[2], 'toStartOfInterval'), argument(args, 0)),
    sqlite: ([value], site) =>
      startOfMany(String(value), argument(site.types, 0), intervalIn(site.constants), site),
    clickhouse: ([value], site) => {
      const { count, unit } = intervalIn(site.constants)
      const isDate = argument(site.types, 0).kind === 'date'
      const zone = zoneText({ ...site, constants: [] })
      const moment = isDate ? `toDateTime64(${value}, 6, ${zone})` : value
      return `toStartOfInterval(${moment}, INTERVAL ${count} ${unit}, ${zone})`
    },
  },
  {
    kind: 'scalar',
    name: 'toLastDayOfMonth',
    aliases: ['last_day'],
    takes: ['moment'],
    returns: (args) => typeOfStart('month', argument(args, 0)),
    sqlite: ([value], site) =>
      `date(${dayOf(String(value), argument(site.types, 0), site)}, 'start of month', '+1 month', '-1 day')`,
  },
  {
    kind: 'scalar',
    name: 'dateTrunc',
    aliases: ['date_trunc'],
    takes: ['string', 'moment', 'string'],
    optional: 1,
    returns: (args, constants) => typeOfStart(unitOf(constants[0], 'dateTrunc'), argument(args, 1)),
    sqlite: ([, value], site) => {
      const zone = zoneAmong(site.constants.slice(1), site)
      return truncated(String(value), argument(site.types, 1), unitOf(site.constants[0], 'dateTrunc'), {
        zone,
      })
    },
    clickhouse: ([, value], site) => {
      const [unit, from] = [unitOf(site.constants[0], 'dateTrunc'), argument(site.types, 1)]
      const zone = zoneText({ ...site, constants: site.constants.slice(1) })
      const moment = from.kind === 'date' ? `toDateTime64(${value}, 6, ${zone})` : String(value)
      return `dateTrunc('${unit}', ${moment}, ${zone})`
    },
  },
]
