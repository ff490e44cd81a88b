// Parses date ranges.
import { invalid } from '../../errors'
import { parseDatetime } from '../../hogql/parse-datetime'
import type { DateRange } from '../query/schema-parts'
import {
  floorWall,
  instantOf,
  type Interval,
  INTERVALS,
  isShort,
  moveWall,
  type Span,
  wallOf,
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

/** `-7d`, `dStart`, `-1mEnd`: offset, unit, and optionally the start or end of that unit. */
const RELATIVE = /^([-+]?)(\d{0,4})([MhdwmqyH])(Start|End)?$/

/** Days before today, in a range without `date_from`. */
const DEFAULT_DAYS = 7

const DAY = 86_400_000

/** Start of the range `all`. */
const EARLIEST = Date.UTC(2015, 0, 1)

/**
 * The range of a query. Default `date_from`: seven days before today. Default `date_to`: the end of the current hour or minute by hour and minute,
 * otherwise of the day. Dates without `explicitDate` are extended to whole days, or whole hours and minutes by such intervals.
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
  return {
    from: writable(from.wall),
    to: writable(to.wall),
    ...named('fromAt', instantFor(from, timezone)),
    ...named('toAt', instantFor(to, timezone)),
  }
}

const named = (name: 'fromAt' | 'toAt', at: number | undefined) => (at === undefined ? {} : { [name]: at })

interface RangeContext extends ResultContext {
  interval: Interval
  explicit: boolean
}

interface RangeEnd {
  wall: number
  /** An instant that a text names by itself, and how clocks show it. */
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
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const isKept = !isDay && (explicit || isShort(interval))
  return { wall: isKept ? time.wall : endOf(time.wall, 'day'), source: time }
}

/** The instant of an end; undefined where that is the one that clocks show first. */
function instantFor({ wall, source }: RangeEnd, timezone: string): number | undefined {
  if (!source) return undefined
  const at = source.at + (wall - source.wall)
  return wallOf(new Date(at), timezone) === wall && instantOf(wall, timezone).getTime() !== at
    ? at
    : undefined
}

/** The ends of a range for its variables: a wall time, or the instant where clocks show that twice. */
export const endsOf = ({ from, to, fromAt, toAt }: Span): { from: number | Date; to: number | Date } => ({
  from: fromAt === undefined ? from : new Date(fromAt),
  to: toAt === undefined ? to : new Date(toAt),
})

export const isRangeDate = (field: 'date_from' | 'date_to', text: string, timezone: string): boolean =>
  (field === 'date_from' && text === 'all') || RELATIVE.test(text) || parseDatetime(text, timezone) !== null

function namedTime(text: string, field: string, timezone: string): { at: number; wall: number } {
  const time = parseDatetime(text, timezone)
  if (time === null) {
    throw invalid(
      'query',
      `'${text}' is not a date: dateRange.${field} takes an ISO 8601 date or a distance such as '-7d'.`,
    )
  }
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

/** To the end of the period in which it ends, and from the start of the one in which it begins: who is active in a period is so in all of it. */
export function inWholePeriods({ from, to, toAt }: Span, interval: Interval): Span {
  const end = writable(endOf(to, interval))
  return {
    from: floorWall(from, interval),
    to: end,
    ...named('toAt', toAt === undefined ? undefined : toAt + end - to),
  }
}

/** From the start of the period in which it begins, for months and longer periods without explicit dates. */
export const withWholeStart = (span: Span, range: DateRange | null | undefined, interval: Interval): Span =>
  MONTHS.has(interval) && range?.explicitDate !== true
    ? { from: floorWall(span.from, interval), to: span.to, ...named('toAt', span.toAt) }
    : span

const MONTHS: ReadonlySet<Interval> = new Set(['month', 'quarter', 'year'])

/**
 * The preceding span, which begins at the same time of day; with `compare_to` (such as `-1y`) the span moved back by that.
 * By minute it ends where the other begins.
 */
export function previousSpan(
  span: Span,
  {
    dateRange,
    interval,
    back,
  }: { dateRange: DateRange | null | undefined; interval: Interval; back: string | null },
): Span {
  if (back === null) {
    const length = span.to - span.from
    const before = span.from - length
    if (interval === 'minute') return { from: writable(before - 1), to: writable(span.from - 1) }
    const wholeWeeks = interval === 'day' && isWholeWeeks(dateRange) ? DAY : 0
    const from = floorWall(before, 'day') + (span.from - floorWall(span.from, 'day')) + wholeWeeks
    return { from: writable(from), to: writable(from + length) }
  }
  const match = RELATIVE.exec(back)
  if (!match || match[4])
    throw invalid('query', `'${back}' is not a distance: compareFilter.compare_to takes one such as '-1y'.`)
  const unit = UNITS[match[3]!]!
  const count = -Number(match[2] || 0)
  return { from: writable(moveWall(span.from, count, unit)), to: writable(moveWall(span.to, count, unit)) }
}

/** Last 7 days, 14 days …: they include today and so are a day longer. The same days of the week are compared, as upstream. */
function isWholeWeeks(range: DateRange | null | undefined): boolean {
  const [, , digits, letter, edge] = RELATIVE.exec(range?.date_from ?? `-${DEFAULT_DAYS}d`) ?? []
  const days = Number(digits || 0)
  const isRelativeEnd = RELATIVE.test(range?.date_to ?? '')
  return letter === 'd' && edge === undefined && days > 0 && days % 7 === 0 && !isRelativeEnd
}
