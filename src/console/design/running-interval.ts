import { localTime } from '../schedule/zoned-time'

const HOUR_MS = 3_600_000

/** The end of a label that names a moment, in any time zone. Others are times on the clocks of the project. */
const ZONE = /(Z|[+-]\d\d:?\d\d)$/
const TIME = /\d\d:\d\d/

/**
 * Whether the last of some times begins an interval that has not ended, so that its value still grows. Times that are not those of intervals,
 * as of single events, have none.
 */
export function isLastRunning(times: readonly string[], nowMs: number, timeZone: string): boolean {
  const isLocal = times.some((time) => !TIME.test(time) || !ZONE.test(time))
  const [before, last] = times
    .slice(-2)
    .map((time) => Date.parse(isLocal && TIME.test(time) ? `${time.replace(' ', 'T')}Z` : time))
  if (before === undefined || last === undefined) return false
  const now = isLocal ? Date.parse(`${localTime(nowMs, timeZone)}Z`) : nowMs
  return before % HOUR_MS === 0 && last % HOUR_MS === 0 && last > before && last + (last - before) > now
}
