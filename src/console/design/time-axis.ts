// Chooses the labels of an axis of days or times. The functions are pure.

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS

/** The seconds between two labels that name days. */
const WHOLE_DAYS = [1, 2, 3, 7, 14, 30, 91, 365].map((count) => count * 86_400)

/** The seconds between two labels that name times. */
const WHOLE_TIMES = [1, 60]
  .flatMap((unit) => [1, 2, 5, 10, 15, 30].map((count) => count * unit))
  .concat([1, 2, 3, 6, 12, 24].map((count) => count * 3_600))

/** Milliseconds that an axis is long; a day where it is a point. */
const spanOf = (days: readonly string[]): number =>
  days.length < 2 ? DAY_MS : Date.parse(days.at(-1)!) - Date.parse(days[0]!)

/** Whether the labels of an axis need times to differ. */
const hasTimes = (days: readonly string[]): boolean => days.length >= 2 && spanOf(days) < 3 * DAY_MS

/** Whether the labels of an axis name seconds. */
const hasSeconds = (days: readonly string[]): boolean => hasTimes(days) && spanOf(days) < 10 * MINUTE_MS

/** Returns the steps between labels that are not equal as `partsFor` prints them. */
export const stepsOf = (days: readonly string[]): number[] =>
  hasTimes(days) ? WHOLE_TIMES.filter((step) => step >= 60 || hasSeconds(days)) : WHOLE_DAYS

/** The format that distinguishes the times of an axis. */
export function partsFor(days: readonly string[]): Intl.DateTimeFormatOptions {
  if (!hasTimes(days)) return { day: 'numeric', month: 'short' }
  const span = spanOf(days)
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  if (hasSeconds(days)) return { ...time, second: '2-digit' }
  return span < DAY_MS ? time : { day: 'numeric', month: 'short', ...time }
}
