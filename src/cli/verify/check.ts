// The interface of a check of a deployment, and the context of checks.
import type { Metrics } from './metrics'
import { ensure } from './outcome'
import type { Service } from './service'
import type { TemporaryProject } from './temporary-project'

export interface Check {
  /** What is true when the check passes: a sentence without its period. */
  name: string
  /**
   * @returns the measured value, for its line
   * @throws Failure with what it saw; Skip; NetworkError
   */
  check(context: Context): Promise<string | void>
  /** What to do when the check fails. */
  advice: string
}

export interface Context {
  service: Service
  /**
   * Returns the project that the checks write to.
   * @throws Skip when none could be created
   */
  project(): Promise<TemporaryProject>
  /**
   * Returns the current metrics.
   * @throws Skip without a token for them
   */
  metrics(): Promise<Metrics>
  /** Returns the time in milliseconds. */
  now(): number
  wait(ms: number): Promise<unknown>
}

const FIRST_PAUSE_MS = 200
const MAX_PAUSE_MS = 2_000

/**
 * Calls until the result is not null.
 * @param missing what is missing until then
 * @returns the result, and how long it took
 * @throws Failure after this number of seconds
 */
export async function until<T>(
  { now, wait }: Pick<Context, 'now' | 'wait'>,
  seconds: number,
  missing: string,
  ask: () => Promise<T | null>,
): Promise<{ value: T; took: string }> {
  const started = now()
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(MAX_PAUSE_MS, pause * 1.5)) {
    const value = await ask()
    if (value !== null) return { value, took: `${((now() - started) / 1000).toFixed(1)} s` }
    ensure(now() - started < seconds * 1000, `${missing} within ${seconds} s`)
    await wait(pause)
  }
}
