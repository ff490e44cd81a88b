// Writes times in words, in the time zone of the runtime: that of a browser, or UTC.

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const DATE = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })
const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' })

const STEPS = [
  [60_000, 1_000, 'second'],
  [3_600_000, 60_000, 'minute'],
  [86_400_000, 3_600_000, 'hour'],
  [7 * 86_400_000, 86_400_000, 'day'],
] as const

/**
 * Returns how long ago `at` is, or the date when that is more than a week.
 * @param now epoch milliseconds
 */
export function relativeTime(at: string, now: number): string {
  const elapsed = now - Date.parse(at)
  if (Math.abs(elapsed) < 10_000) return 'just now'
  const step = STEPS.find(([below]) => Math.abs(elapsed) < below)
  return step ? RELATIVE.format(Math.trunc(-elapsed / step[1]), step[2]) : DATE.format(new Date(at))
}

export const exactTime = (at: string): string => EXACT.format(new Date(at))
