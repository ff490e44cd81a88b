// Parses texts as dates and datetimes: constants of a query, and values of its variables.
import { toWall, fromWall } from '../time/zone'

const PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

const HOUR = 3_600_000

interface ParsedText {
  /** The local time in epoch milliseconds of whole seconds, as if it were UTC. */
  wall: number
  /** Six digits of microseconds. */
  fraction: string
  /** Milliseconds east of UTC, or null without an offset. */
  offset: number | null
  isDay: boolean
}

/**
 * Parses a date or datetime. `T` may be a space; the seconds, the fraction and the offset are optional.
 * @param timezone IANA name, for a text without an offset
 * @returns stored form (UTC, 27 characters), or null for an invalid text
 */
export function parseDatetime(text: string, timezone: string): string | null {
  const written = parse(text)
  if (written === null) return null
  const { wall, fraction, offset } = written
  const instant = offset === null ? instantAt(wall, timezone) : wall - offset
  return textOf(instant, fraction)
}

/** @returns the date (`YYYY-MM-DD`) in the time zone; null for an invalid text */
export function parseDate(text: string, timezone: string): string | null {
  const written = parse(text)
  if (written === null) return null
  const wall = written.offset === null ? written.wall : toWall(written.wall - written.offset, timezone)
  return textOf(wall, '000000')?.slice(0, 10) ?? null
}

/** Returns whether a text is a date without a time. */
export const isDate = (text: string): boolean => parse(text)?.isDay === true

function parse(text: string): ParsedText | null {
  if (text.length > 40) return null
  const match = PATTERN.exec(text.trim())
  if (match === null) return null
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset] = match
  const wall = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  // With an invalid day of the month, this is a later day; with an invalid time, it is NaN.
  if (Number.isNaN(wall) || new Date(wall).getUTCDate() !== Number(day)) return null
  return {
    wall,
    fraction: fraction.slice(0, 6).padEnd(6, '0'),
    offset: offset === undefined ? null : offsetOf(offset),
    isDay: match[4] === undefined,
  }
}

function offsetOf(text: string): number {
  if (text.toUpperCase() === 'Z') return 0
  const digits = text.slice(1).replace(':', '').padEnd(4, '0')
  const size = Number(digits.slice(0, 2)) * HOUR + Number(digits.slice(2)) * 60_000
  return text.startsWith('-') ? -size : size
}

/** Returns the instant of a local time. A local time that clocks skip counts as not yet put forward. */
const instantAt = (wall: number, timezone: string): number =>
  fromWall(wall, timezone) ?? wall - (toWall(wall - 24 * HOUR, timezone) - (wall - 24 * HOUR))

function textOf(instant: number, fraction: string): string | null {
  const date = new Date(instant)
  const year = Number.isNaN(instant) ? 0 : date.getUTCFullYear()
  return year < 1 || year > 9999 ? null : `${date.toISOString().slice(0, 19)}.${fraction}Z`
}
