// Dates in filters and properties: `-7d`, RFC 3339, dates without a zone, and a few free forms: docs/reference/evaluation.md#dates.
import { daysInMonth, wallOf } from '../../time/calendar'
import { parseFreeDate } from './free-date'
import { fromWall, toWall } from '../../time/zone'

/** A parsed date text, before its time and zone are known. It has milliseconds with fractions. */
export type DateForm =
  | { readonly kind: 'instant'; readonly at: number }
  | { readonly kind: 'wall'; readonly wall: number }
  | { readonly kind: 'ago'; readonly count: number; readonly unit: RelativeUnit }

type RelativeUnit = 'h' | 'd' | 'w' | 'm' | 'y'

const HOUR = 3_600_000
const FIXED_UNITS = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR } as const

/** Maximum length of a text, which bounds the patterns below. */
const MAX_LENGTH = 100

const RELATIVE = /^-?(\d+)([hdwmy])$/
const CALENDAR = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const CLOCK = /^(\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{1,2})(?::(\d{1,2})(\.\d+)?)?$/
const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * Returns the epoch milliseconds (with fractions) of a date text, or null.
 * @param now epoch milliseconds from which a relative text counts back
 * @param zone IANA name of the project's time zone, for texts without one
 */
export function parseDate(text: string, now: number, zone: string): number | null {
  const form = parseDateForm(text)
  return form === null ? null : resolveDate(form, now, zone)
}

export const isDateText = (text: string): boolean => parseDateForm(text) !== null

/** Returns null for an invalid date. */
export function parseDateForm(text: string): DateForm | null {
  if (text.length > MAX_LENGTH) return null
  return parseRelative(text) ?? parseRfc3339(text) ?? parseNaive(text) ?? parseFree(text)
}

/** Returns the epoch milliseconds of a form that is read at `now` in `zone`. It is null for a wall time that the zone's clocks skip. */
export function resolveDate(form: DateForm, now: number, zone: string): number | null {
  switch (form.kind) {
    case 'instant':
      return form.at
    case 'wall':
      return fromWall(form.wall, zone)
    case 'ago':
      return fromWall(wallAgo(toWall(now, zone), form.count, form.unit), zone)
  }
}

/** Parses a relative date. `3d` and `-3d` both mean three days ago. 10,000 or more units are invalid. */
function parseRelative(text: string): DateForm | null {
  const match = RELATIVE.exec(text)
  if (match === null) return null
  const count = Number(match[1])
  return count < 10_000 ? { kind: 'ago', count, unit: match[2] as RelativeUnit } : null
}

function wallAgo(wall: number, count: number, unit: RelativeUnit): number {
  switch (unit) {
    case 'h':
    case 'd':
    case 'w':
      return wall - count * FIXED_UNITS[unit]
    case 'm':
      return stepBack(wall, count, 1)
    case 'y':
      return stepBack(wall, count, 12)
  }
}

/**
 * Steps after which the day of the month no longer changes: within 24 months there is a February of 28 days, because of two years in a
 * row one is no leap year.
 */
const CLAMPING_STEPS = 24

/**
 * Steps back `count` times by `months`, and clamps the day to the month at every step: two months before 31 March is 28 January, because
 * one month before is 28 February.
 */
function stepBack(wall: number, count: number, months: number): number {
  const date = new Date(Math.floor(wall))
  const clamping = Math.min(count, CLAMPING_STEPS)
  for (let step = 0; step < clamping; step++) {
    const day = date.getUTCDate()
    date.setUTCDate(1)
    date.setUTCMonth(date.getUTCMonth() - months)
    date.setUTCDate(Math.min(day, daysInMonth(date.getUTCFullYear(), date.getUTCMonth() + 1)))
  }
  date.setUTCMonth(date.getUTCMonth() - months * (count - clamping))
  return date.getTime() + (wall - Math.floor(wall))
}

function parseRfc3339(text: string): DateForm | null {
  const match = RFC_3339.exec(text)
  if (match === null) return null
  const wall = wallOf(match[1], match[2], match[3], match[4], match[5], match[6], match[7])
  const hours = Number(match[9] ?? 0)
  const minutes = Number(match[10] ?? 0)
  if (wall === null || hours > 23 || minutes > 59) return null
  const offset = (hours * 60 + minutes) * 60_000
  return { kind: 'instant', at: match[8] === '-' ? wall + offset : wall - offset }
}

function parseNaive(text: string): DateForm | null {
  const match = CALENDAR.exec(text) ?? CLOCK.exec(text)
  if (match === null) return null
  const wall = wallOf(match[1], match[2], match[3], match[4], match[5], match[6], match[7])
  return wall === null ? null : { kind: 'wall', wall }
}

function parseFree(text: string): DateForm | null {
  const at = parseFreeDate(text)
  return at === null ? null : { kind: 'instant', at }
}
