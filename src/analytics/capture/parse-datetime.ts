// Datetimes of captured events: ISO 8601, RFC 2822, or seconds or milliseconds since 1970.
import { parseTimestamp, toStoredTimestamp } from '../../timestamps'

/**
 * Smaller numbers are seconds, and others are milliseconds. A smaller number as milliseconds would be before March 1973, a larger one as
 * seconds after the year 5000.
 */
const FIRST_MILLISECONDS = 1e11

const NUMBER = /^-?\d{1,17}(?:\.\d{1,9})?$/

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const RFC_2822 =
  /^(?:[a-z]{3},\s*)?(\d{1,2})\s+([a-z]{3})\s+(\d{4})\s+(\d{2}):(\d{2})(?::(\d{2}))?\s+([a-z]{1,3}|[+-]\d{4})(?:\s+\([^()]*\))?$/i

/** Zones of RFC 2822 §4.3. */
const ZONES: Readonly<Record<string, string>> = {
  UT: 'Z',
  UTC: 'Z',
  GMT: 'Z',
  Z: 'Z',
  EDT: '-0400',
  EST: '-0500',
  CDT: '-0500',
  CST: '-0600',
  MDT: '-0600',
  MST: '-0700',
  PDT: '-0700',
  PST: '-0800',
}

/** @returns the stored form, or null for anything else and for years that cannot be stored */
export function parseDatetime(written: unknown): string | null {
  if (typeof written === 'number') return fromEpoch(written)
  if (typeof written !== 'string') return null
  const text = written.trim()
  if (NUMBER.test(text)) return fromEpoch(Number(text))
  return fromIso(rfc2822AsIso(text) ?? text)
}

function fromEpoch(count: number): string | null {
  const datetime = new Date(Math.abs(count) < FIRST_MILLISECONDS ? count * 1000 : count)
  return isStorable(datetime) ? toStoredTimestamp(datetime) : null
}

/** Parses ISO 8601. Second 60 is the first of the next minute, as in POSIX. */
function fromIso(text: string): string | null {
  const isLeapSecond = /^.{10}[T ]\d{2}:\d{2}:60/i.test(text)
  if (!isLeapSecond) return parseTimestamp(text)
  const before = parseTimestamp(`${text.slice(0, 17)}59${text.slice(19)}`)
  return before && shifted(before, 1000)
}

function rfc2822AsIso(text: string): string | null {
  const match = RFC_2822.exec(text)
  if (!match) return null
  const [, day = '', monthName = '', year, hour, minute, second = '00', zoneText = ''] = match
  const month = String(MONTHS.indexOf(monthName.toLowerCase()) + 1).padStart(2, '0')
  const zone = /^[+-]/.test(zoneText) ? zoneText : ZONES[zoneText.toUpperCase()]
  return zone === undefined
    ? null
    : `${year}-${month}-${day.padStart(2, '0')}T${hour}:${minute}:${second}${zone}`
}

/** Shifts a stored timestamp and keeps its microseconds. Returns null past the years that can be stored. */
function shifted(timestamp: string, milliseconds: number): string | null {
  if (milliseconds === 0) return timestamp
  const datetime = new Date(Date.parse(`${timestamp.slice(0, 23)}Z`) + milliseconds)
  return isStorable(datetime) ? datetime.toISOString().slice(0, 23) + timestamp.slice(23) : null
}

/** Whether the year can be stored. An invalid date has the year NaN. */
const isStorable = (datetime: Date): boolean => {
  const year = datetime.getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** A timestamp that is further in the future is replaced by the time of arrival. */
const MAX_AHEAD_MS = 23 * 3_600_000

/**
 * Clock errors are corrected in steps of this. Smaller differences may be latency or a retry, and a repeated event must have the
 * timestamp of the first.
 */
const SKEW_STEP_MS = 60_000

/**
 * The sender's clock may be ahead by this much more than whole minutes. The rest of the step is left for latency, which makes clocks look
 * late.
 */
const MAX_LEAD_MS = 10_000

/** The arrival of an event. `sentAt` is the time by the sender's clock. */
export interface Arrival {
  now: Date
  sentAt: Date | null
  /** A time by the sender's clock that cannot be read, and where it was sent. */
  unreadableSentAt?: UnreadableSentAt | null
}

export interface UnreadableSentAt {
  attr: string
  value: unknown
}

/** Parses the time by the sender's clock; it is null when nothing was sent. */
export function sentAtFrom(attr: string, value: unknown): Pick<Arrival, 'sentAt' | 'unreadableSentAt'> {
  if (value === undefined || value === null || value === '') return { sentAt: null, unreadableSentAt: null }
  const datetime = parseDatetime(value)
  return datetime === null
    ? { sentAt: null, unreadableSentAt: { attr, value } }
    : { sentAt: new Date(datetime), unreadableSentAt: null }
}

/** Why an event has the time of its arrival instead of its own, or its timestamp although it has an offset. */
export type TimeProblem =
  | 'invalid timestamp'
  | 'invalid offset'
  | 'offset ignored'
  | 'timestamp in the future'

export interface EventTime {
  timestamp: string
  /** Whether the timestamp depends on the time of arrival. */
  dependsOnArrival: boolean
  problem: TimeProblem | null
}

/**
 * Returns the time of an event: `offset` milliseconds before the arrival, or else its `timestamp`, corrected by the error of the sender's
 * clock in whole minutes, or else the arrival. It is the arrival, too, when the event's own time does not parse, cannot be stored, or is more
 * than 23 hours ahead.
 */
export function eventTime(
  { timestamp, offset }: { timestamp?: unknown; offset?: unknown },
  { now, sentAt }: Arrival,
): EventTime {
  const arrival = toStoredTimestamp(now)
  const atArrival = (problem: TimeProblem | null) => ({ timestamp: arrival, dependsOnArrival: true, problem })
  const hasOffset = offset !== undefined && offset !== null
  const before = typeof offset === 'number' ? shifted(arrival, -offset) : null
  if (before !== null) return orArrival(before, true)
  if (timestamp === undefined || timestamp === null || timestamp === '')
    return atArrival(hasOffset ? 'invalid offset' : null)
  const skewMs = sentAt ? wholeMinutes(now.getTime() - sentAt.getTime()) : 0
  const datetime = corrected(timestamp, skewMs)
  if (datetime === null) return atArrival('invalid timestamp')
  const time = orArrival(datetime, skewMs !== 0)
  return hasOffset ? { ...time, problem: time.problem ?? 'offset ignored' } : time

  function orArrival(moment: string, dependsOnArrival: boolean): EventTime {
    const latest = toStoredTimestamp(new Date(now.getTime() + MAX_AHEAD_MS))
    return moment > latest
      ? atArrival('timestamp in the future')
      : { timestamp: moment, dependsOnArrival, problem: null }
  }
}

const wholeMinutes = (milliseconds: number): number =>
  Math.floor((milliseconds + MAX_LEAD_MS) / SKEW_STEP_MS) * SKEW_STEP_MS

function corrected(timestamp: unknown, skewMs: number): string | null {
  const datetime = parseDatetime(timestamp)
  return datetime && shifted(datetime, skewMs)
}
