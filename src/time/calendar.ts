// Converts written calendar fields to milliseconds, and rejects days that no calendar has.

/** Returns the milliseconds of calendar fields as if they were UTC. Unlike in `Date.UTC`, year 50 is year 50. */
export function wallMilliseconds(
  year: number,
  month: number,
  day: number,
  hour = 0,
  minute = 0,
  second = 0,
): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.setUTCHours(hour, minute, second, 0)
}

/** Returns the days in a month, 1 to 12, of a year of the Gregorian calendar. */
export const daysInMonth = (year: number, month: number): number =>
  new Date(wallMilliseconds(year, month + 1, 0)).getUTCDate()

/**
 * Returns the milliseconds of written calendar fields as if they were UTC. Returns null when the calendar has no such day (30 February) or
 * the clock no such time. A missing time is midnight; `fraction` starts with its point.
 */
export function wallOf(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  hour = '0',
  minute = '0',
  second = '0',
  fraction = '.0',
): number | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)]
  if (m < 1 || m > 12 || d < 1 || d > daysInMonth(y, m)) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  return wallMilliseconds(y, m, d, Number(hour), Number(minute), Number(second)) + milliseconds(fraction)
}

/** Returns a written fraction of a second in milliseconds, to the nanosecond: `.789` is 789 and not 789.0000000000001. */
const milliseconds = (fraction: string): number => Math.round(Number(`0${fraction}`) * 1e9) / 1e6
