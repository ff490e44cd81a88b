// Writes datetimes of a result as the API returns them: ISO 8601 in the project's time zone.
import { toWall } from '../time/zone'

const MINUTE = 60_000
/** Offsets have changed only at quarters of an hour since before the first events. */
const QUARTER = 15 * MINUTE

const FRACTION = /\.(\d{0,9}[1-9]\d{0,9})Z$/

/**
 * Returns a function that formats datetimes in stored form (UTC, six digits of fraction) with the zone's offset, which is `Z` for UTC, and
 * with a fraction unless it is zero. Offsets are cached by quarter of an hour: a result has many datetimes of few days.
 */
export function datetimeFormatter(timezone: string): (stored: string) => string {
  if (timezone === 'UTC') return (stored) => withFraction(stored.slice(0, 19), stored, 'Z')
  const offsets = new Map<number, number>()
  return (stored) => {
    const second = Date.parse(`${stored.slice(0, 19)}Z`)
    const quarter = Math.floor(second / QUARTER) * QUARTER
    let offset = offsets.get(quarter)
    if (offset === undefined) {
      offset = toWall(quarter, timezone) - quarter
      offsets.set(quarter, offset)
    }
    return withFraction(new Date(second + offset).toISOString().slice(0, 19), stored, offsetText(offset))
  }
}

function withFraction(seconds: string, stored: string, offset: string): string {
  const fraction = FRACTION.exec(stored)?.[1] ?? ''
  return fraction === '' ? `${seconds}${offset}` : `${seconds}.${fraction}${offset}`
}

function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / MINUTE)
  const text = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  return minutes === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${text}`
}
