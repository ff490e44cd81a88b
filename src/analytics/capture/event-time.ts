// When an event happened, by the service's clock. Pure.
import { parseTimestamp, stored } from '../../timestamps'

/** How far ahead an event may lie before its own clock is not believed. */
const MOST_AHEAD_MS = 23 * 3_600_000

/** When a request arrived, and when its sender says that it was sent (by the sender's own clock). */
export interface Arrival {
  now: Date
  sentAt: Date | null
}

/**
 * The moment of an event in the stored form: its `timestamp`, corrected by how far the sender's clock is off; else `offset`
 * milliseconds before its arrival; else its arrival. A moment more than 23 hours ahead is cut to now.
 * @returns null when `timestamp` is not ISO 8601.
 */
export function eventTime(
  { timestamp, offset }: { timestamp?: unknown; offset?: unknown },
  { now, sentAt }: Arrival,
): string | null {
  const moment = hasValue(timestamp)
    ? corrected(timestamp, sentAt ? now.getTime() - sentAt.getTime() : 0)
    : shifted(stored(now), typeof offset === 'number' ? -offset : 0)
  // Most moments are past, and need no further look.
  if (moment === null || moment <= stored(now)) return moment
  return moment > stored(new Date(now.getTime() + MOST_AHEAD_MS)) ? stored(now) : moment
}

const hasValue = (value: unknown) => value !== undefined && value !== null && value !== ''

function corrected(timestamp: unknown, skewMs: number): string | null {
  const written = typeof timestamp === 'string' ? parseTimestamp(timestamp) : null
  return written && shifted(written, skewMs)
}

/** A stored timestamp, moved; its microseconds stay. Null past the years that can be stored. */
function shifted(timestamp: string, milliseconds: number): string | null {
  if (milliseconds === 0) return timestamp
  const moment = new Date(Date.parse(`${timestamp.slice(0, 23)}Z`) + milliseconds)
  const year = moment.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) return null
  return moment.toISOString().slice(0, 23) + timestamp.slice(23)
}
