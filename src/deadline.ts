import { unavailable } from './errors'

/**
 * What the work comes to. The work goes on when it takes too long.
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
