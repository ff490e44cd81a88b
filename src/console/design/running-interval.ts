const HOUR_MS = 3_600_000

/**
 * Whether the last of some times begins an interval that has not ended, so that its value still grows. Times that are not those of intervals,
 * as of single events, have none.
 */
export function isLastRunning(times: readonly string[], nowMs: number): boolean {
  const [before, last] = times.slice(-2).map((time) => Date.parse(time))
  if (before === undefined || last === undefined) return false
  return before % HOUR_MS === 0 && last % HOUR_MS === 0 && last > before && last + (last - before) > nowMs
}
