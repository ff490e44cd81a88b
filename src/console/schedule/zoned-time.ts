// Converts times in a time zone. The functions are pure.

/** Returns how far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment)
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value)
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return local - Math.floor(moment / 1000) * 1000
}

/**
 * Returns the moment at which clocks of the zone show `local`.
 * @param local such as `2026-04-03T09:00`, the form of a field for date and time. A time that the clocks skip is an hour later; of one that
 * they show twice, this is the first.
 * @returns ISO 8601 in UTC, or null for an invalid text
 */
export function momentOf(local: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtc)) return null
  const before = offsetAt(asUtc - 86_400_000, timeZone)
  const moment = asUtc - before
  if (offsetAt(moment, timeZone) === before) return new Date(moment).toISOString()
  const after = asUtc - offsetAt(moment, timeZone)
  return new Date(offsetAt(after, timeZone) === offsetAt(moment, timeZone) ? after : moment).toISOString()
}

/** Returns the time that clocks of the zone show, which is the reverse of `momentOf`. */
export const localTime = (moment: number, timeZone: string): string =>
  new Date(moment + offsetAt(moment, timeZone)).toISOString().slice(0, 16)

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
