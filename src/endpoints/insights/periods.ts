// Intervals of insights: their HogQL, arithmetic and labels.
import { invalid } from '../../errors'
import { isWholeHours } from '../../hogql/sqlite/zone'
import { fromWall, toWall } from '../../time/zone'
import { toStoredTimestamp } from '../../timestamps'

/** A range of wall times (ms, fields read as UTC), both ends included. */
export interface Span {
  from: number
  to: number
  /** The instants of the ends (epoch ms). They are set where clocks may show a wall time twice. */
  fromAt?: number
  toAt?: number
}

export const INTERVALS = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type Interval = (typeof INTERVALS)[number]

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const startOf = (interval: Interval, time: string): string =>
  `toStartOf${interval[0]!.toUpperCase()}${interval.slice(1)}(${time})`

const moved = (time: string, count: number, interval: Interval): string =>
  `${time} ${count < 0 ? '-' : '+'} INTERVAL ${Math.abs(count)} ${interval.toUpperCase()}`

/**
 * HogQL of the period that follows the one that starts at `time`, or with -1 precedes it. Days are counted from their middle, because
 * clocks may skip a midnight, so that a day starts at one o'clock.
 */
export function nextPeriod(time: string, count: 1 | -1, interval: Interval): string {
  if (interval !== 'day') return moved(time, count, interval)
  return startOf('day', moved(time, count === 1 ? 36 : -12, 'hour'))
}

/** Periods shorter than a day are labelled with a time. */
export const isShort = (interval: Interval): boolean => interval === 'minute' || interval === 'hour'

/** Lengths of intervals in milliseconds. Intervals that are not listed are a number of months. */
const LENGTHS = new Map<Interval, number>([
  ['minute', MINUTE],
  ['hour', HOUR],
  ['day', DAY],
  ['week', 7 * DAY],
])
const MONTHS_IN: Partial<Record<Interval, number>> = { month: 1, quarter: 3, year: 12 }

/** Returns the start of the period of a wall time (ms, fields read as UTC). Weeks start on Sunday, as in `toStartOfWeek`. */
export function floorWall(wall: number, interval: Interval): number {
  const date = new Date(wall)
  if (interval === 'week') return floorWall(wall, 'day') - date.getUTCDay() * DAY
  const length = LENGTHS.get(interval)
  if (length !== undefined) return Math.floor(wall / length) * length
  const month = date.getUTCMonth()
  return Date.UTC(date.getUTCFullYear(), month - (month % MONTHS_IN[interval]!), 1)
}

/** Moves a wall time by a number of intervals. In a shorter month, the day becomes the last of that month. */
export function moveWall(wall: number, count: number, interval: Interval): number {
  const length = LENGTHS.get(interval)
  return length === undefined ? moveMonths(wall, count * MONTHS_IN[interval]!) : wall + count * length
}

function moveMonths(wall: number, count: number): number {
  const date = new Date(wall)
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1))
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return first.getTime() + (Math.min(date.getUTCDate(), lastDay) - 1) * DAY + (wall - floorWall(wall, 'day'))
}

/** Converts between wall times and instants. A wall time that clocks skip is taken to be an hour later. */
export const wallOf = (instant: Date, timezone: string): number => toWall(instant.getTime(), timezone)
export const instantOf = (wall: number, timezone: string): Date =>
  new Date(fromWall(wall, timezone) ?? fromWall(wall + HOUR, timezone) ?? wall)

/** Maximum periods of a range: about two months of minutes, or eleven years of hours. */
const MAX_PERIODS = 100_000

/** Starts of all periods in the range, as wall times. @throws 400 `query_too_large` for more than `MAX_PERIODS` */
function periodsBetween(from: number, to: number, interval: Interval): number[] {
  const periods: number[] = []
  for (let at = floorWall(from, interval); at <= to; at = moveWall(at, 1, interval)) {
    if (periods.length === MAX_PERIODS) throw tooManyPeriods(interval)
    periods.push(at)
  }
  return periods
}

export interface Period {
  /** The start as clocks show it: ms, fields read as UTC. */
  wall: number
  /** The start in epoch milliseconds. */
  at: number
}

/**
 * Returns all periods of a range. Where clocks are put back, they show an hour and its minutes twice: those are separate periods. Where
 * an offset is not whole hours, hours are counted from midnight, as the engines do.
 * @throws 400 `query_too_large` for more than `MAX_PERIODS`
 */
export function periodsOf(span: Span, interval: Interval, timezone: string): Period[] {
  if (!isShort(interval)) {
    return periodsBetween(span.from, span.to, interval).map((wall) => ({
      wall,
      at: instantOf(wall, timezone).getTime(),
    }))
  }
  const from = span.fromAt ?? instantOf(span.from, timezone).getTime()
  const to = span.toAt ?? instantOf(span.to, timezone).getTime()
  const periods: Period[] = []
  const length = interval === 'hour' ? HOUR : MINUTE
  const isFromMidnight = interval === 'hour' && !isWholeHours(timezone)
  const midnight = (wall: number) => instantOf(floorWall(wall, 'day'), timezone).getTime()
  let at = from - modulo(from - (isFromMidnight ? midnight(toWall(from, timezone)) : 0), length)
  let [offset, isKnownUntil] = [0, Number.NEGATIVE_INFINITY]
  while (at <= to) {
    if (periods.length === MAX_PERIODS) throw tooManyPeriods(interval)
    // The offset is looked up once a day, unless clocks change on that day.
    if (at >= isKnownUntil) {
      offset = toWall(at, timezone) - at
      const isSame = toWall(at + DAY, timezone) - (at + DAY) === offset
      isKnownUntil = isSame ? at + DAY : at + length
    }
    const wall = at + offset
    periods.push({ wall, at })
    // Clocks that change by half an hour move the other hours of that day by it. Midnight ends the last of these hours.
    const isMoved = isFromMidnight && modulo(wall, HOUR) > 0
    at = isMoved ? Math.min(at + length, midnight(wall + DAY)) : at + length
  }
  return periods
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by

/** Returns a function that finds the index of a row's period. @param value of a truncated timestamp column */
export function placesOf(
  periods: readonly Period[],
  interval: Interval,
): (value: unknown) => number | undefined {
  if (!isShort(interval)) {
    const places = new Map(periods.map(({ wall }, place) => [dayOf(wall, interval), place]))
    return (value) => places.get(dayOfRow(value, interval))
  }
  const places = new Map(periods.map(({ at }, place) => [at, place]))
  const [first, last] = [periods[0]?.at ?? 0, periods.at(-1)?.at ?? 0]
  return (value) => {
    const at = Date.parse(String(value))
    const place = places.get(at)
    if (place !== undefined || !(at > first && at < last)) return place
    // After a shortened period, the engine's hour begins inside the next period, and counts for it.
    return periods.findLastIndex((period) => period.at <= at)
  }
}

/** The periods of a range as results show them. */
export interface Axis {
  days: string[]
  labels: string[]
  /** Returns the index of a row's period, or undefined beyond the range. */
  placeOf: ReturnType<typeof placesOf>
}

/** @param labelled the span that labels of weeks are cut to */
export function axisOf(periods: readonly Period[], interval: Interval, labelled?: Span): Axis {
  return {
    days: periods.map(({ wall }) => dayOf(wall, interval)),
    labels: periods.map(({ wall }) => labelOf(wall, interval, labelled)),
    placeOf: placesOf(periods, interval),
  }
}

const tooManyPeriods = (interval: Interval) =>
  invalid(
    null,
    `The date range has more than ${MAX_PERIODS.toLocaleString('en')} periods of one ${interval}. Ask for a shorter range, or for longer periods.`,
    'query_too_large',
  )

/** The first day of ClickHouse's calendar. */
const MIN_TIME = Date.parse('1900-01-01T00:00:00Z')
const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z')

/** Clamps a time to the range of the engines, and to years of four digits. */
export const writable = (time: number): number => Math.min(Math.max(time, MIN_TIME), MAX_TIME)

/** The text of a period in `days`: a date, with a time for short periods. */
const dayOf = (wall: number, interval: Interval): string => dayOfRow(new Date(wall).toISOString(), interval)

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The text of a period in `labels`: `1-Feb-2026`, `1-Feb 13:00`, `Feb 2026`. With a span, a week has its days in it, as upstream: `1–7 Feb`. */
function labelOf(wall: number, interval: Interval, span?: Span): string {
  if (interval === 'week' && span) {
    const first = Math.max(wall, floorWall(span.from, 'day'))
    return labelOfDays(first, Math.max(first, Math.min(wall + 6 * DAY, floorWall(span.to, 'day'))))
  }
  const date = new Date(wall)
  const month = MONTHS[date.getUTCMonth()]!
  const time = date.toISOString().slice(11, 16)
  if (isShort(interval)) return `${date.getUTCDate()}-${month} ${time}`
  if (interval === 'month') return `${month} ${date.getUTCFullYear()}`
  return `${date.getUTCDate()}-${month}-${date.getUTCFullYear()}`
}

function labelOfDays(from: number, to: number): string {
  const [first, last] = [labelOf(from, 'day'), labelOf(to, 'day')]
  const [[day, month, year], [, lastMonth, lastYear]] = [first.split('-'), last.split('-')]
  if (from === to) return first
  if (year !== lastYear) return `${first} – ${last}`
  if (month !== lastMonth) return `${day}-${month} – ${last.slice(0, -5)}`
  return `${day}–${last.slice(0, -5).replace('-', ' ')}`
}

/** The text of a row's period in `days`. @param value of a truncated timestamp column */
export const dayOfRow = (value: unknown, interval: Interval): string => {
  const text = String(value)
  return isShort(interval) ? `${text.slice(0, 10)} ${text.slice(11, 19)}` : text.slice(0, 10)
}

export const wallOfDay = (day: string): number =>
  Date.parse(`${day.replace(' ', 'T')}${day.length > 10 ? 'Z' : ''}`)

/** The value of a Date variable for a wall time. */
export const variableOf = (wall: number, timezone: string): string =>
  toStoredTimestamp(new Date(writable(instantOf(wall, timezone).getTime())))
