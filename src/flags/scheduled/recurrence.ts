// Computes when a recurring change runs again. Pure. Times are in UTC, so that the hour of the day differs on clocks that change to
// daylight saving.
import { toStoredTimestamp } from '../../timestamps'

export const RECURRENCE_INTERVALS = ['daily', 'weekly', 'monthly', 'yearly'] as const
export type RecurrenceInterval = (typeof RECURRENCE_INTERVALS)[number]

const DAY_MS = 86_400_000
const MONTHS = { monthly: 1, yearly: 12 } as const

/** Returns the same day and time `months` later, or the last day of a month that is shorter. */
function monthsAfter(first: Date, months: number): Date {
  const month = first.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const moment = new Date(first)
  moment.setUTCFullYear(first.getUTCFullYear(), month, Math.min(first.getUTCDate(), lastDay))
  return moment
}

/**
 * Returns the first occurrence after `now`. Missed occurrences are skipped.
 * @param firstAt the first occurrence, which is not after `now`
 * @returns a stored timestamp; null when it is after `endDate`
 */
export function nextOccurrence(
  { firstAt, interval, endDate }: { firstAt: string; interval: RecurrenceInterval; endDate: string | null },
  now: Date,
): string | null {
  const next = toStoredTimestamp(occurrenceAfter(new Date(firstAt), interval, now))
  return endDate !== null && next > endDate ? null : next
}

function occurrenceAfter(first: Date, interval: RecurrenceInterval, now: Date): Date {
  if (interval === 'daily' || interval === 'weekly') {
    const step = interval === 'daily' ? DAY_MS : 7 * DAY_MS
    const passed = Math.floor((now.getTime() - first.getTime()) / step)
    return new Date(first.getTime() + (passed + 1) * step)
  }
  const step = MONTHS[interval]
  const months =
    (now.getUTCFullYear() - first.getUTCFullYear()) * 12 + now.getUTCMonth() - first.getUTCMonth()
  const passed = Math.floor(months / step) * step
  const candidate = monthsAfter(first, passed)
  return candidate > now ? candidate : monthsAfter(first, passed + step)
}
