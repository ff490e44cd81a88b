// Parses date ranges.
import { invalid } from '../../errors'
import { parseDatetime } from '../../hogql/parse-datetime'
import type { TrendsQuery } from '../query/query-types'
import type { DateRange } from '../query/schema-parts'
import {
  dayOfRow,
  floorWall,
  instantOf,
  type Interval,
  INTERVALS,
  isShort,
  moveWall,
  type Span,
  wallOf,
  wallOfDay,
  writable,
} from './periods'

export type { Span } from './periods'

export interface ResultContext {
  timezone: string
  now: Date
}

const UNITS: Record<string, Interval> = {
  M: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  m: 'month',
  q: 'quarter',
  y: 'year',
  H: 'hour',
}

/** A relative date, such as `-7d`, `dStart` or `-1mEnd`: offset, unit, and optionally the start or end of that unit. */
const RELATIVE = /^([-+]?)(\d{0,4})([MhdwmqyH])(Start|End)?$/

/** The number of days before today in a range without `date_from`. */
const DEFAULT_DAYS = 7

const DAY = 86_400_000

/** The start of the range `all`. */
const EARLIEST = Date.UTC(2015, 0, 1)

/**
 * Returns the range of a query. The default `date_from` is seven days ago. The default `date_to` is the end of the current hour or minute
 * when the interval is an hour or minute, and otherwise the end of the day. Dates without `explicitDate` are extended to whole days, or
 * to whole hours or minutes with such intervals.
 * @throws 400 `query` for an invalid date
 */
export function spanOf(
  range: DateRange | null | undefined,
  interval: Interval,
  { timezone, now }: ResultContext,
): Span {
  const context = { interval, timezone, now, explicit: range?.explicitDate === true }
  const from = startOfRange(range?.date_from ?? null, context)
  const to = endOfRange(range?.date_to ?? null, context)
  if (from.wall > to.wall) {
    const [first, last] = [range?.date_from ?? `-${DEFAULT_DAYS}d`, range?.date_to ?? 'now']
    throw invalid('query', `dateRange.date_from '${first}' is after dateRange.date_to '${last}'.`)
  }
  return spanFrom(from, to, timezone)
}

const spanFrom = (from: RangeEnd, to: RangeEnd, timezone: string): Span => ({
  from: writable(from.wall),
  to: writable(to.wall),
  ...named('fromAt', instantFor(from, timezone)),
  ...named('toAt', instantFor(to, timezone)),
})

const named = (name: 'fromAt' | 'toAt', at: number | undefined) => (at === undefined ? {} : { [name]: at })

interface RangeContext extends ResultContext {
  interval: Interval
  explicit: boolean
}

interface RangeEnd {
  wall: number
  /** The instant that a text with an offset names, and the wall time of that instant. */
  source?: { at: number; wall: number }
}

function startOfRange(text: string | null, context: RangeContext): RangeEnd {
  const { interval, timezone, explicit } = context
  const nowWall = wallOf(context.now, timezone)
  if (text === 'all') return { wall: EARLIEST }
  if (text === null) return { wall: moveWall(floorWall(nowWall, 'day'), -DEFAULT_DAYS, 'day') }
  const relative = RELATIVE.exec(text)
  if (relative) {
    const wall = relativeWall(relative, nowWall)
    const unit = UNITS[relative[3]!]!
    if (interval === 'minute' || unit === 'minute') return { wall }
    const isHours = unit === 'hour' && INTERVALS.indexOf(interval) <= INTERVALS.indexOf('day')
    return { wall: floorWall(wall, isHours ? 'hour' : 'day') }
  }
  const own = namedTime(text, 'date_from', timezone)
  const wall = explicit ? own.wall : floorWall(own.wall, isShort(interval) ? interval : 'day')
  return { wall, source: own }
}

function endOfRange(text: string | null, context: RangeContext): RangeEnd {
  const { interval, timezone, explicit, now } = context
  const own = { at: now.getTime(), wall: wallOf(now, timezone) }
  const period = isShort(interval) ? interval : 'day'
  if (text === null) return { wall: explicit ? own.wall : endOf(own.wall, period), source: own }
  const relative = RELATIVE.exec(text)
  if (relative) {
    const wall = relativeWall(relative, own.wall)
    return { wall: explicit ? wall : endOf(wall, period) }
  }
  const time = namedTime(text, 'date_to', timezone)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(extended(text))
  const isKept = !isDay && (explicit || isShort(interval))
  return { wall: isKept ? time.wall : endOf(time.wall, 'day'), source: time }
}

/** Returns the instant of an end, or undefined where it is the first one at which clocks show the wall time. */
function instantFor({ wall, source }: RangeEnd, timezone: string): number | undefined {
  if (!source) return undefined
  const at = source.at + (wall - source.wall)
  return wallOf(new Date(at), timezone) === wall && instantOf(wall, timezone).getTime() !== at
    ? at
    : undefined
}

/** The ends of a range for its variables. An end is a wall time, or an instant where clocks show the wall time twice. */
const endsOf = ({ from, to, fromAt, toAt }: Span): { from: number | Date; to: number | Date } => ({
  from: fromAt === undefined ? from : new Date(fromAt),
  to: toAt === undefined ? to : new Date(toAt),
})

/** Returns the time that a text names: to the microsecond, or for a distance to the millisecond. @throws 400 `query` for an invalid date, naming the field */
export function timeOf(
  text: string,
  field: 'after' | 'before',
  context: ResultContext,
): number | Date | string {
  const stored = parseDatetime(extended(text), context.timezone)
  const isStart = field === 'after'
  if (stored === null && !(isStart && text === 'all') && !RELATIVE.test(text))
    throw noDate(text, field, isStart ? ", or 'all'" : '')
  // A wall time is within the range of the engines.
  if (stored !== null && Date.parse(stored) === writable(Date.parse(stored))) return stored
  const end = startOfRange(text, { ...context, interval: 'minute', explicit: true })
  return endsOf(spanFrom(end, end, context.timezone)).from
}

/** The queried span, and the one that it is compared with. */
export interface ComparedSpans {
  current: Span
  previous?: Span | null
}

export function comparedSpans(
  { dateRange, compareFilter }: Pick<TrendsQuery, 'dateRange' | 'compareFilter'>,
  interval: Interval,
  context: ResultContext,
): ComparedSpans {
  const current = spanOf(dateRange, interval, context)
  const whole = (span: Span) => withWholeStart(span, dateRange, interval)
  const back = compareFilter?.compare_to ?? null
  const { timezone } = context
  return {
    current: whole(current),
    previous: compareFilter?.compare
      ? whole(previousSpan(current, { dateRange, interval, back, timezone }))
      : null,
  }
}

/** Returns the query without its comparison for the range `all`, before which there are no events, as upstream in a run. */
export const comparable = <Query extends Pick<TrendsQuery, 'dateRange' | 'compareFilter'>>(
  query: Query,
): Query => (query.dateRange?.date_from === 'all' ? { ...query, compareFilter: null } : query)

/** The variables of the spans. */
export function timesOf({ current, previous }: ComparedSpans): Record<string, number | Date> {
  const { from, to } = endsOf(current)
  const times = { date_from: from, date_to: to }
  if (!previous) return times
  const before = endsOf(previous)
  return { ...times, previous_from: before.from, previous_to: before.to }
}

/** The range `all` starts with the first period that has rows. @param starts values of a truncated timestamp column */
export function fromFirst(
  span: Span,
  range: DateRange | null | undefined,
  { starts, interval }: { starts: readonly unknown[]; interval: Interval },
): Span {
  if (range?.date_from !== 'all') return span
  const first = starts.reduce<number>(
    (earliest, start) => Math.min(earliest, wallOfDay(dayOfRow(start, interval))),
    floorWall(span.to, interval),
  )
  return { ...span, from: Math.max(first, floorWall(span.from, interval)) }
}

export const isRangeDate = (field: 'date_from' | 'date_to', text: string, timezone: string): boolean =>
  (field === 'date_from' && text === 'all') ||
  RELATIVE.test(text) ||
  parseDatetime(extended(text), timezone) !== null

/** Returns `2026-1-5` and `20260105`, which upstream takes as well, as `2026-01-05`, and other texts as they are. */
function extended(text: string): string {
  const [, year, month, day] =
    /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? []
  return year === undefined ? text : `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`
}

const noDate = (text: string, field: string, others: string) =>
  invalid(
    'query',
    `'${text}' is not a date: ${field} takes an ISO 8601 date, a distance such as '-7d' or 'mStart'${others}.`,
  )

function namedTime(text: string, field: string, timezone: string): { at: number; wall: number } {
  const time = parseDatetime(extended(text), timezone)
  if (time === null) throw noDate(text, `dateRange.${field}`, field === 'date_from' ? ", or 'all'" : '')
  const at = Date.parse(time)
  return { at, wall: wallOf(new Date(at), timezone) }
}

function relativeWall([, sign, digits, letter, edge]: RegExpExecArray, now: number): number {
  const unit = UNITS[letter!]!
  const count = Number(digits || 0) * (sign === '+' ? 1 : -1)
  // A quarter counts as 13 weeks, as upstream.
  if (unit === 'quarter' && edge === undefined) return moveWall(now, 13 * count, 'week')
  const moved = moveWall(now, count, unit)
  if (edge === 'Start') return floorWall(moved, unit)
  return edge === 'End' ? endOf(moved, unit) : moved
}

const endOf = (wall: number, interval: Interval): number =>
  moveWall(floorWall(wall, interval), 1, interval) - 1

/** Extends a range to whole periods, because who is active in a period is so in all of it. */
export function inWholePeriods({ from, to, toAt }: Span, interval: Interval): Span {
  const end = writable(endOf(to, interval))
  return {
    from: floorWall(from, interval),
    to: end,
    ...named('toAt', toAt === undefined ? undefined : toAt + end - to),
  }
}

/** Moves the start of the range to the start of its period, for months and longer periods without explicit dates. */
export const withWholeStart = (span: Span, range: DateRange | null | undefined, interval: Interval): Span =>
  MONTHS.has(interval) && range?.explicitDate !== true
    ? { from: floorWall(span.from, interval), to: span.to, ...named('toAt', span.toAt) }
    : span

const MONTHS: ReadonlySet<Interval> = new Set(['month', 'quarter', 'year'])

/**
 * Returns the preceding span, which begins at the same time of day, and ends before the other begins. With `compare_to` (such as `-1y`) it
 * begins so much earlier, and is as long. With an interval of minutes, it ends where the other begins.
 */
export function previousSpan(
  span: Span,
  {
    dateRange,
    interval,
    back,
    timezone,
  }: {
    dateRange: DateRange | null | undefined
    interval: Interval
    back: string | null
    timezone: string
  },
): Span {
  if (back === null) {
    if (interval === 'minute') return spanBefore(span, timezone)
    const length = span.to - span.from
    const timeOfDay = span.from - floorWall(span.from, 'day')
    const from = floorWall(span.from - length, 'day') + timeOfDay
    // The range of whole weeks shares a day with the other.
    const days = interval === 'day' && isWholeWeeks(dateRange) ? 1 : from + length >= span.from ? -1 : 0
    return { from: writable(from + days * DAY), to: writable(from + length + days * DAY) }
  }
  const match = RELATIVE.exec(back)
  if (!match || match[1] === '+' || match[4])
    throw invalid('query', `'${back}' is not a distance: compareFilter.compare_to takes one such as '-1y'.`)
  const from = relativeWall(match, span.from)
  return { from: writable(from), to: writable(from + span.to - span.from) }
}

/** Returns the span of the same duration that ends a millisecond before the other. */
function spanBefore(span: Span, timezone: string): Span {
  const at = (wall: number, known: number | undefined) => known ?? instantOf(wall, timezone).getTime()
  const from = at(span.from, span.fromAt)
  const endBefore = (instant: number): RangeEnd => {
    const wall = wallOf(new Date(instant), timezone)
    return { wall, source: { at: instant, wall } }
  }
  return spanFrom(endBefore(from - 1 - (at(span.to, span.toAt) - from)), endBefore(from - 1), timezone)
}

/**
 * Whether the range is the last 7, 14, … days. Such a range includes today and is a day longer. Its comparison is moved by whole weeks,
 * as upstream, so that the same days of the week are compared.
 */
function isWholeWeeks(range: DateRange | null | undefined): boolean {
  const [, , digits, letter, edge] = RELATIVE.exec(range?.date_from ?? `-${DEFAULT_DAYS}d`) ?? []
  const days = Number(digits || 0)
  const isRelativeEnd = RELATIVE.test(range?.date_to ?? '')
  return letter === 'd' && edge === undefined && days > 0 && days % 7 === 0 && !isRelativeEnd
}
