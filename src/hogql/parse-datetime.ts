// Texts that stand for moments: constants of a query, and values of its variables where a moment is due.
import { toWall, fromWall } from '../time/zone'

const FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

const HOUR = 3_600_000

interface Written {
  /** The calendar fields read as UTC, in whole seconds of milliseconds. */
  wall: number
  /** Six digits. */
  fraction: string
  /** Milliseconds east of UTC; null where the text has none. */
  offset: number | null
  /** Whether it is a day without a time. */
  isDay: boolean
}

/**
 * The moment that a text stands for, in stored form (UTC, 27 characters), or null when it is none. Takes days, and times with `T` or a
 * space, seconds and fraction if wanted, and an offset.
 * @param timezone IANA name of the zone that a text without an offset is in
 */
export function momentOf(text: string, timezone: string): string | null {
  const written = read(text)
  if (written === null) return null
  const { wall, fraction, offset } = written
  const instant = offset === null ? instantAt(wall, timezone) : wall - offset
  return textOf(instant, fraction)
}

/** The day (`YYYY-MM-DD`) that a text stands for, in the project's time zone; null when it is no moment. */
export function dayOf(text: string, timezone: string): string | null {
  const written = read(text)
  if (written === null) return null
  const wall = written.offset === null ? written.wall : toWall(written.wall - written.offset, timezone)
  return textOf(wall, '000000')?.slice(0, 10) ?? null
}

/** Whether a text is a day without a time. */
export const isDay = (text: string): boolean => read(text)?.isDay === true

function read(text: string): Written | null {
  if (text.length > 40) return null
  const match = FORM.exec(text.trim())
  if (match === null) return null
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset] = match
  const wall = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  // A calendar that has no such day gives the one after; a clock that has no such time gives nothing.
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

/** A time that the clocks skip is read as if they had not been put forward yet. */
const instantAt = (wall: number, timezone: string): number =>
  fromWall(wall, timezone) ?? wall - (toWall(wall - 24 * HOUR, timezone) - (wall - 24 * HOUR))

function textOf(instant: number, fraction: string): string | null {
  const date = new Date(instant)
  const year = Number.isNaN(instant) ? 0 : date.getUTCFullYear()
  return year < 1 || year > 9999 ? null : `${date.toISOString().slice(0, 19)}.${fraction}Z`
}
