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

/** Start of the range `all`. */
const EARLIEST = Date.UTC(2015, 0, 1)

/**
 * Whole days, unless periods are shorter than a day or the range is explicit. Default `date_from`: `-7d`. Default `date_to`: the end of the
 * current period.
 * @throws 400 `query` for an invalid date
 */
export function spanOf(
  range: DateRange | null | undefined,
  interval: Interval,
  { timezone, now }: ResultContext,
): Span {
  const nowWall = wallOf(now, timezone)
  const fromText = range?.date_from ?? '-7d'
  const toText = range?.date_to ?? null
  const explicit = range?.explicitDate === true
  const from =
    fromText === 'all'
      ? EARLIEST
      : wallAt(fromText, 'date_from', nowWall, timezone, explicit || isShort(interval) ? 'keep' : 'floor')
  const to =
    toText === null
      ? isShort(interval)
        ? nowWall
        : endOf(nowWall, 'day')
      : wallAt(toText, 'date_to', nowWall, timezone, explicit || isShort(interval) ? 'keep' : 'ceil')
  const at = (text: string | null, wall: number) =>
    instantFor(text, wall, { timezone, now, isShort: isShort(interval) })
  return {
    from: writable(from),
    to: writable(to),
    ...named('fromAt', at(fromText, from)),
    ...named('toAt', at(toText, to)),
  }
}

const named = (name: 'fromAt' | 'toAt', at: number | undefined) => (at === undefined ? {} : { [name]: at })

/** The instant that a text names by itself; undefined where that is the one that clocks show first. */
function instantFor(
  text: string | null,
  wall: number,
  { timezone, now, isShort: isOfNow }: { timezone: string; now: Date; isShort: boolean },
): number | undefined {
  const written = text === null ? (isOfNow ? now.toISOString() : null) : parseDatetime(text, timezone)
  if (written === null) return undefined
  const at = Date.parse(written)
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

function wallAt(
  text: string,
  field: string,
  now: number,
  timezone: string,
  rounding: 'keep' | 'floor' | 'ceil',
): number {
  const relative = RELATIVE.exec(text)
  if (relative) return relativeWall(relative, now, rounding)
  const time = parseDatetime(text, timezone)
  if (time === null) {
    throw invalid(
      'query',
      `'${text}' is not a date: dateRange.${field} takes an ISO 8601 date or a distance such as '-7d'.`,
    )
  }
  const wall = wallOf(new Date(time), timezone)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  if (rounding === 'ceil' || (isDay && field === 'date_to')) return endOf(wall, 'day')
  return rounding === 'floor' ? floorWall(wall, 'day') : wall
}

function relativeWall(
  [, sign, digits, letter, edge]: RegExpExecArray,
  now: number,
  rounding: string,
): number {
  const unit = UNITS[letter!]!
  const count = Number(digits || 0) * (sign === '+' ? 1 : -1)
  const moved = moveWall(now, count, unit)
  if (edge === 'Start') return floorWall(moved, unit)
  if (edge === 'End') return endOf(moved, unit)
  if (rounding === 'keep' || INTERVALS.indexOf(unit) < INTERVALS.indexOf('day')) return moved
  return rounding === 'floor' ? floorWall(moved, 'day') : endOf(moved, 'day')
}

const endOf = (wall: number, interval: Interval): number =>
  moveWall(floorWall(wall, interval), 1, interval) - 1

/** The preceding span of the same length; with `back` (such as `-1y`) the span moved back by that. */
export function previousSpan(span: Span, back: string | null): Span {
  if (back === null) {
    const length = span.to - span.from + 1
    return { from: writable(span.from - length), to: writable(span.to - length) }
  }
  const match = RELATIVE.exec(back)
  if (!match || match[4])
    throw invalid('query', `'${back}' is not a distance: compareFilter.compare_to takes one such as '-1y'.`)
  const unit = UNITS[match[3]!]!
  const count = -Number(match[2] || 0)
  return { from: writable(moveWall(span.from, count, unit)), to: writable(moveWall(span.to, count, unit)) }
}
