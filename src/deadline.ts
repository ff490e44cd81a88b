// Waits with a deadline. The work itself continues after it.
import { unavailable } from './errors'

/**
 * Waits for work until a deadline.
 * @throws `timeout()` after the deadline, which is a 503 by default
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

/** Returns the result of the work, or null when it fails or misses the deadline. */
export const settleWithin = <T>(work: Promise<T>, deadlineMs: number): Promise<T | null> =>
  within(work, deadlineMs).catch(() => null)

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
