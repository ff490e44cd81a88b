// Waiting no longer than a deadline. The work itself goes on.
import { unavailable } from './errors'

/**
 * What the work comes to.
 * @throws `timeout()` when it takes longer; a 503 by default.
 */
export function within<T>(
  work: Promise<T>,
  deadlineMs: number,
  timeout: () => Error = unavailable,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeout()), deadlineMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** What the work comes to; null when it fails or takes longer. */
export const settleWithin = <T>(work: Promise<T>, deadlineMs: number): Promise<T | null> =>
  within(work, deadlineMs).catch(() => null)

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
