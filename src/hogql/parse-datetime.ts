// Parses texts as dates and datetimes: constants of a query, and values of its variables.
import { readMatch, storedFrom } from '../timestamps'
import { toWall, fromWall } from '../time/zone'

const PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

const HOUR = 3_600_000

/** Of `YYYY-MM-DD`. A time takes more. */
const DAY_LENGTH = 10

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
  return storedFrom(instant, fraction)
}

/** @returns the date (`YYYY-MM-DD`) in the time zone; null for an invalid text */
export function parseDate(text: string, timezone: string): string | null {
  const written = parse(text)
  if (written === null) return null
  const wall = written.offset === null ? written.wall : toWall(written.wall - written.offset, timezone)
  return storedFrom(wall, '000000')?.slice(0, 10) ?? null
}

/** Returns whether a text is a date without a time. */
export const isDate = (text: string): boolean => text.trim().length === DAY_LENGTH && parse(text) !== null

function parse(text: string) {
  const match = text.length > 40 ? null : PATTERN.exec(text.trim())
  return match && readMatch(match)
}

/** Returns the instant of a local time. A local time that clocks skip counts as not yet put forward. */
const instantAt = (wall: number, timezone: string): number =>
  fromWall(wall, timezone) ?? wall - (toWall(wall - 24 * HOUR, timezone) - (wall - 24 * HOUR))
