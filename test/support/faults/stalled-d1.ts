// Databases that fail in the ways D1 does, and a clock that runs only while a request waits for one of them.
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { RELEASE_RESERVE } from '../../../src/storage/reserve'
import { interceptedD1 } from './intercepted-d1'

export type Failure = 'never answers' | 'loses connections' | 'is overloaded' | 'is full'

/** The faults that every call meets. */
export const FAILURES: readonly Failure[] = ['never answers', 'loses connections', 'is overloaded']

const MESSAGES: Record<Exclude<Failure, 'never answers'>, string> = {
  'loses connections': 'D1_ERROR: Network connection lost.',
  'is overloaded': 'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
  'is full': 'D1_ERROR: Exceeded maximum DB size.',
}

export interface FailingD1 {
  d1: D1Database
  /** Lets the database fail from now on. */
  fail(failure: Failure): void
  recover(): void
  /** The calls since it fails. */
  readonly failedCalls: number
  /** The calls in progress that it will answer. */
  readonly underWay: number
}

/** Returns a database that works until it is made to fail. */
export function failingD1(real: D1Database): FailingD1 {
  let failing: Failure | null = null
  let failedCalls = 0
  let underWay = 0
  return {
    d1: interceptedD1(real, async ({ texts, run }) => {
      if (failing === null || (failing === 'is full' && (await hasSpace(real, texts)))) {
        underWay += 1
        return run().finally(() => (underWay -= 1))
      }
      failedCalls += 1
      if (failing === 'never answers') return new Promise(() => {})
      throw new Error(MESSAGES[failing])
    }),
    fail(failure) {
      failing = failure
      failedCalls = 0
    },
    recover() {
      failing = null
    },
    get failedCalls() {
      return failedCalls
    },
    get underWay() {
      return underWay
    },
  }
}

/** Returns the main database and the shard of the tests, each of which can be made to fail. */
export const failingDatabases = () => ({ main: failingD1(env.DB), shard: failingD1(env.EVENTS) })

const STEP_MS = 1_000
const MAX_MS = 300_000

/**
 * Waits for `work` on a clock that runs only while a database fails, so that only time spent on failing databases counts.
 * @param lines of the log: a request ends with a line
 * @returns the result, and the milliseconds until the first new line
 * @throws when it takes more than five minutes of that clock
 */
export async function elapse<T>(
  work: () => Promise<T>,
  databases: readonly Pick<FailingD1, 'failedCalls' | 'underWay'>[],
  lines: readonly unknown[] = [],
  stepMs = STEP_MS,
): Promise<{ value: T; answeredMs: number }> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const before = lines.length
  const state = { isDone: false, elapsedMs: 0, answeredMs: null as number | null }
  try {
    const pending = work().finally(() => (state.isDone = true))
    pending.catch(() => undefined)
    while (!state.isDone) {
      await scheduler.wait(2)
      if (lines.length > before) state.answeredMs ??= state.elapsedMs
      const isWaiting = databases.some(({ failedCalls }) => failedCalls > 0) && vi.getTimerCount() > 0
      if (state.isDone || !isWaiting || databases.some(({ underWay }) => underWay > 0)) continue
      if (state.elapsedMs > MAX_MS) throw new Error('still waiting after five minutes')
      // The time of the response is known, so that the work after it needs no small steps.
      const step = state.answeredMs === null ? stepMs : STEP_MS
      await vi.advanceTimersByTimeAsync(step)
      state.elapsedMs += step
    }
    return { value: await pending, answeredMs: state.answeredMs ?? state.elapsedMs }
  } finally {
    vi.useRealTimers()
  }
}

/** Returns whether a call adds or changes rows. */
export const isWrite = (texts: readonly string[]): boolean =>
  texts.some((text) => /^\s*(?:INSERT|UPDATE)\b|^\s*WITH\b.*\b(?:INSERT|UPDATE)\b/is.test(text))

/** Returns whether a full database accepts a call: a read, a deletion, or one that first frees pages of the reserve. */
export async function hasSpace(database: D1Database, texts: readonly string[]): Promise<boolean> {
  if (!isWrite(texts)) return true
  if (texts[0] !== RELEASE_RESERVE) return false
  return (await database.prepare('SELECT id FROM reserve').all()).results.length > 0
}
