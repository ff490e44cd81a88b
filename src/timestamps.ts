// Stores and renders timestamps: ISO 8601 in UTC with `Z`, rendered with microseconds when they are not zero.

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d{0,6})?)?\s*(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$/i

/** Returns the stored form: UTC, six fractional digits, `Z`. */
export const toStoredTimestamp = (moment: Date): string => moment.toISOString().replace('Z', '000Z')

/** Returns the rendered form, which has no fraction when it is zero. */
export const toApiTimestamp = (timestamp: string): string => timestamp.replace('.000000Z', 'Z')

export const toApiTimestampOrNull = (timestamp: string | null): string | null =>
  timestamp && toApiTimestamp(timestamp)

interface WrittenTime {
  /** The local time in epoch milliseconds of whole seconds, as if it were UTC. */
  wall: number
  /** Six digits of microseconds. */
  fraction: string
  /** Milliseconds east of UTC, or null without an offset. */
  offset: number | null
}

/**
 * Reads the match of a pattern whose groups are year, month, day, hour, minute, second, fraction and offset; those of the time are optional.
 * @returns null for a day or a time that does not exist
 */
export function readMatch(match: RegExpExecArray): WrittenTime | null {
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset] = match
  const wall = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  // With an invalid day of the month, this is a later day; with an invalid time, it is NaN.
  if (Number.isNaN(wall) || new Date(wall).getUTCDate() !== Number(day)) return null
  return {
    wall,
    fraction: fraction.slice(0, 6).padEnd(6, '0'),
    offset: offset === undefined ? null : offsetOf(offset),
  }
}

function offsetOf(text: string): number {
  if (text.toUpperCase() === 'Z') return 0
  const digits = text.slice(1).replace(':', '').padEnd(4, '0')
  const size = Number(digits.slice(0, 2)) * 3_600_000 + Number(digits.slice(2)) * 60_000
  return text.startsWith('-') ? -size : size
}

/** Returns the stored form of an instant of whole seconds, or null outside of the years 1 to 9999. */
export function storedFrom(instant: number, fraction: string): string | null {
  const date = new Date(instant)
  const year = Number.isNaN(instant) ? 0 : date.getUTCFullYear()
  return year < 1 || year > 9999 ? null : `${date.toISOString().slice(0, 19)}.${fraction}Z`
}

/**
 * Parses an ISO 8601 date or date-time (UTC without an offset) into the stored form, to the microsecond. Returns null for other text, and
 * for days that do not exist.
 */
export function parseTimestamp(text: string): string | null {
  const match = ISO.exec(text.trim())
  const written = match && readMatch(match)
  return written && storedFrom(written.wall - (written.offset ?? 0), written.fraction)
}
