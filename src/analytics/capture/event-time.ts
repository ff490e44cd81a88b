// When an event happened, by the service's clock. Pure.
import { stored } from '../../timestamps'
import { parseMoment, shifted } from './parse-moment'

/** How far ahead an event may lie before its own clock is not believed. */
const MOST_AHEAD_MS = 23 * 3_600_000

/**
 * A sender's clock is corrected by whole minutes: what is below one may be the way of the request, or the wait before it was repeated, and
 * a repeated event must have the timestamp of the first.
 */
const SKEW_STEP_MS = 60_000

/** When a request arrived, and when its sender says that it was sent (by the sender's own clock). */
export interface Arrival {
  now: Date
  sentAt: Date | null
}

export interface EventTime {
  /** In the stored form. */
  timestamp: string
  /** Whether it would be another one if the request had arrived at another time. */
  dependsOnArrival: boolean
}

/**
 * The moment of an event: its `timestamp`, corrected by how many minutes the sender's clock is off; else `offset` milliseconds before its
 * arrival; else its arrival. A moment more than 23 hours ahead is cut to now.
 * @returns null when `timestamp` is not a timestamp (`parseMoment`), or cannot be stored.
 */
export function eventTime(
  { timestamp, offset }: { timestamp?: unknown; offset?: unknown },
  { now, sentAt }: Arrival,
): EventTime | null {
  const latest = stored(new Date(now.getTime() + MOST_AHEAD_MS))
  const hasOwn = timestamp !== undefined && timestamp !== null && timestamp !== ''
  const skewMs = hasOwn && sentAt ? wholeSteps(now.getTime() - sentAt.getTime()) : 0
  const moment = hasOwn
    ? corrected(timestamp, skewMs)
    : shifted(stored(now), typeof offset === 'number' ? -offset : 0)
  if (moment === null) return null
  const isAhead = moment > latest
  return {
    timestamp: isAhead ? stored(now) : moment,
    dependsOnArrival: !hasOwn || skewMs !== 0 || isAhead,
  }
}

const wholeSteps = (milliseconds: number): number => Math.trunc(milliseconds / SKEW_STEP_MS) * SKEW_STEP_MS

function corrected(timestamp: unknown, skewMs: number): string | null {
  const moment = parseMoment(timestamp)
  return moment && shifted(moment, skewMs)
}
