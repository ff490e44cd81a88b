// Converts times in a time zone, in the form of a field for date and time: `2026-04-03T09:00`. The functions are pure.
import { fromWall, toWall } from '../../time/zone'

const DAY_MS = 86_400_000

/**
 * Returns the moment at which clocks of the zone show `local`. A time that the clocks skip is as much later; of one that they show twice,
 * this is the first.
 * @returns ISO 8601 in UTC, or null for an invalid text
 */
export function momentOf(local: string, timeZone: string): string | null {
  const wall = Date.parse(`${local}Z`)
  if (Number.isNaN(wall)) return null
  const moment = fromWall(wall, timeZone) ?? fromWall(wall - DAY_MS, timeZone)! + DAY_MS
  return new Date(moment).toISOString()
}

/** Returns the time that clocks of the zone show, which is the reverse of `momentOf`. */
export const localTime = (moment: number, timeZone: string): string =>
  new Date(toWall(moment, timeZone)).toISOString().slice(0, 16)

/** Returns a time in the zone, with the zone's name. */
export const zonedText = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(new Date(at))
