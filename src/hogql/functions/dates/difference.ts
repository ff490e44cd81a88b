// The time between two dates or datetimes.
import { DATETIME, INTEGER, type Type, type Unit } from '../../types'
import { fn } from '../define'
import { argument, type Returns, unlessNull } from '../return-types'
import type { ScalarFunction, Site, SqliteSite } from '../spec'
import { dayOf, momentOf, secondsOf, wallOf } from '../sqlite-values'
import { digitsOf, quarterOf } from './parts'
import { clickhouseMoment, zoneText } from './parse'
import { startOf } from './truncate'
import { FAR } from './truncate-interval'
import { isCalendar, parseUnit } from './units'

/** A datetime with its own zone: constants are converted in another way than columns. */
interface Temporal extends Pick<SqliteSite, 'zone'> {
  sql: string
  type: Type
}

const monthOf = (wall: string): string => `${digitsOf(wall, 1, 4)} * 12 + ${digitsOf(wall, 6, 2)}`

/** Returns SQL of the number of the unit that contains a datetime; for hours, of the second at which the hour begins. */
function ordinal({ sql, type, zone }: Temporal, unit: Unit, { once }: SqliteSite): string {
  const site = { zone, once }
  const day = () => dayOf(sql, type, site)
  switch (unit) {
    case 'second':
      return secondsOf(momentOf(sql, type, site))
    case 'minute':
      return `(${secondsOf(momentOf(sql, type, site))} + ${60 * FAR}) / 60`
    // The difference is computed in seconds, because the hours of two zones may begin at other minutes.
    case 'hour':
      return secondsOf(startOf(momentOf(sql, type, site), 'hour', site))
    case 'day':
      return `unixepoch(${day()}) / 86400`
    // 1 January 1970 was a Thursday; weeks begin on Monday.
    case 'week':
      return `(unixepoch(${day()}) / 86400 + 3 + ${7 * FAR}) / 7`
    case 'month':
      return site.once(wallOf(sql, type, site), monthOf)
    case 'quarter':
      return site.once(wallOf(sql, type, site), (wall) => `${digitsOf(wall, 1, 4)} * 4 + ${quarterOf(wall)}`)
    case 'year':
      return digitsOf(wallOf(sql, type, site), 1, 4)
  }
}

/** Returns SQL of the number of unit boundaries between two times. */
function boundaries(from: Temporal, to: Temporal, unit: Unit, site: SqliteSite): string {
  const between = `((${ordinal(to, unit, site)}) - (${ordinal(from, unit, site)}))`
  return unit === 'hour' ? `(${between} / 3600)` : between
}

const SECONDS: Partial<Record<Unit, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
}
const MONTHS: Partial<Record<Unit, number>> = { month: 1, quarter: 3, year: 12 }

const microsOf = (wall: string, { once }: SqliteSite): string =>
  once(wall, (at) => `(${secondsOf(at)} * 1000000 + CAST(substr(${at}, 21, 6) AS INTEGER))`)

/** Returns SQL of the number of whole units between two times, rounded towards zero. */
function elapsed(from: Temporal, to: Temporal, unit: Unit, site: SqliteSite): string {
  const ends = [from, to].map((at) => momentOf(at.sql, at.type, at))
  const [start = '', end = ''] = isCalendar(unit)
    ? [wallOf(ends[0]!, DATETIME, from), wallOf(ends[1]!, DATETIME, to)]
    : ends
  const seconds = SECONDS[unit]
  if (seconds !== undefined)
    return `((${microsOf(end, site)} - ${microsOf(start, site)}) / ${seconds * 1_000_000})`
  const write = (a: string, b: string) =>
    `(((${monthOf(b)}) - (${monthOf(a)}) - CASE WHEN ${b} >= ${a} THEN substr(${b}, 9) < substr(${a}, 9) ` +
    `ELSE -(substr(${b}, 9) > substr(${a}, 9)) END) / ${MONTHS[unit]})`
  return site.once(start, (a) => site.once(end, (b) => write(a, b)))
}

/** Returns an argument with its type and zone. */
const temporal = (sql: string, index: number, site: SqliteSite): Temporal => ({
  sql,
  type: argument(site.types, index),
  zone: site.zoneOf(index),
})

/**
 * Writes both times as datetimes.
 * @param first the position of the first of them among the arguments
 */
const clickhouseMoments = (ends: readonly string[], { types, zone }: Site, first: number): string[] =>
  ends.map((end, index) =>
    clickhouseMoment(end, argument(types, first + index), zoneText({ constants: [], zone })),
  )

/** Defines a function of a unit and two dates. */
const difference = (
  names: string,
  name: 'dateDiff' | 'age',
  write: typeof elapsed,
  clickhouse: (unit: Unit, from: string, to: string) => string,
): ScalarFunction => {
  const returns: Returns = (args, constants) => {
    parseUnit(constants[0], name)
    return unlessNull(INTEGER)(args, constants)
  }
  return fn(
    names,
    'string, temporal, temporal',
    returns,
    (site, _unit, from, to) =>
      write(temporal(from, 1, site), temporal(to, 2, site), parseUnit(site.constants[0], name), site),
    {
      clickhouse: (site, _unit, ...ends) => {
        const unit = parseUnit(site.constants[0], name)
        const [from = '', to = ''] = isCalendar(unit) ? ends : clickhouseMoments(ends, site, 1)
        return clickhouse(unit, from, to)
      },
    },
  )
}

/** Writes the difference without ClickHouse's errors: it miscounts hours when a zone's offset is not whole hours, and weeks before 1970. */
function clickhouseDifference(unit: Unit, from: string, to: string): string {
  if (unit === 'hour') return `intDiv(dateDiff('second', toStartOfHour(${from}), toStartOfHour(${to})), 3600)`
  if (unit !== 'week') return `dateDiff('${unit}', ${from}, ${to})`
  const week = (moment: string) => `intDiv(toInt64(toDate32(${moment})) + 3 + ${7 * FAR}, 7)`
  return `(${week(to)} - ${week(from)})`
}

/** Writes `age` without ClickHouse's errors: it also miscounts hours and weeks, and returns -1 within an hour that a day has twice. */
function clickhouseAge(unit: Unit, from: string, to: string): string {
  if (unit === 'hour') return `intDiv(age('second', ${from}, ${to}), 3600)`
  if (!isCalendar(unit)) return `age('${unit}', ${from}, ${to})`
  const whole = unit === 'week' ? `intDiv(age('day', ${from}, ${to}), 7)` : `age('${unit}', ${from}, ${to})`
  return `if(toDate32(${from}) = toDate32(${to}), 0, ${whole})`
}

export const DIFFERENCES: readonly ScalarFunction[] = [
  difference('dateDiff date_diff timestampDiff timestamp_diff', 'dateDiff', boundaries, clickhouseDifference),
  difference('age', 'age', elapsed, clickhouseAge),
  fn(
    'timeDiff',
    'temporal, temporal',
    'integer',
    (site, from, to) => boundaries(temporal(from, 0, site), temporal(to, 1, site), 'second', site),
    {
      clickhouse: (site, ...ends) => `dateDiff('second', ${clickhouseMoments(ends, site, 0).join(', ')})`,
    },
  ),
]
