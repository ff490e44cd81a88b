// Rate limits (docs/reference/accounts.md#limits-of-attempts).
//
// Calls are counted in D1, in fixed windows that begin with the first call: there is one row per user (or network, see operation.ts) and throttle, one statement per call,
// and the same count for all isolates. That costs a round trip for each throttle, on the few operations that name any. The platform's rate
// limiter counts the calls of a key per minute, which costs nothing and counts in each location separately. key-quota.ts counts hours.
import { sql } from 'drizzle-orm'
import { throttleWindows } from '../../../drizzle'
import type { Actor } from '../../auth/actor'
import type { Clock } from '../../clock'
import { ApiError } from '../../errors'
import type { Database } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'

export interface Throttle {
  /** Name of the counter; operations may share one. */
  name: string
  /** Calls that a window allows. */
  calls: number
  /** The length of a window. */
  seconds: number
}

/** The services of a request that counting needs. */
export interface CountingDeps {
  db: Database
  env: Env
  clock: Clock
}

/** Returns the 429 error, with the time after which to retry. */
export const throttled = (seconds: number) =>
  new ApiError({
    status: 429,
    type: 'throttled_error',
    code: 'throttled',
    detail: `Request was throttled. Expected available in ${seconds} seconds.`,
    headers: { 'Retry-After': String(seconds) },
  })

/**
 * Counts a call, whatever its outcome. It does nothing unless the deployment has `THROTTLES` on.
 * @param subject identifies the caller
 * @throws 429 past the limit
 */
export async function countCall(
  { db, env, clock }: CountingDeps,
  { name, calls, seconds }: Throttle,
  subject: number | string,
): Promise<void> {
  if (env.THROTTLES !== 'on') return
  const now = clock.now()
  const [window] = await addCall(db, { name, seconds }, String(subject), now)
  if (window!.count <= calls) return
  throw throttled(secondsLeft(window!.startedAt, seconds, now))
}

/**
 * Makes the statement that adds calls to the open window, or opens one, and returns the window.
 * @param calls `since`: the first of them, at which a new window begins
 * @param restarts SQL of whether the call restarts the window without emptying it
 */
export function addCall(
  db: Database,
  { name, seconds }: Pick<Throttle, 'name' | 'seconds'>,
  subject: string,
  now: Date,
  restarts = sql`FALSE`,
  calls: { count: number; since: Date } = { count: 1, since: now },
) {
  const at = toStoredTimestamp(calls.since)
  const isOver = sql`started_at <= ${toStoredTimestamp(new Date(now.getTime() - seconds * 1000))}`
  return db
    .insert(throttleWindows)
    .values({ name, subject, startedAt: at, count: calls.count })
    .onConflictDoUpdate({
      target: [throttleWindows.name, throttleWindows.subject],
      set: {
        count: sql`CASE WHEN ${isOver} THEN ${calls.count} ELSE count + ${calls.count} END`,
        startedAt: sql`CASE WHEN ${isOver} OR ${restarts} THEN ${at} ELSE started_at END`,
      },
    })
    .returning({ count: throttleWindows.count, startedAt: throttleWindows.startedAt })
}

/** Returns the seconds until a window ends, at least one. */
export const secondsLeft = (startedAt: string, seconds: number, now: Date): number =>
  Math.max(1, Math.ceil((Date.parse(startedAt) + seconds * 1000 - now.getTime()) / 1000))

/** Seconds after which a key that called too often may retry: the window of every `KeyRate` in wrangler.toml. */
const KEY_WINDOW_SECONDS = 60

/** The platform's limiters for keys. wrangler.toml has what each allows per minute. */
export type KeyRate =
  | 'KEY_RATE'
  | 'TEST_EVALUATION_RATE'
  | 'REMOTE_CONFIG_RATE'
  | 'RUN_RATE'
  | 'MATERIALIZED_RUN_RATE'

/**
 * Counts a call of an API key. It does nothing for sessions, and unless the deployment has `THROTTLES` on.
 * @throws 429 past what the limiter allows a key per minute
 */
export async function countKey(
  { env }: Pick<CountingDeps, 'env'>,
  actor: Actor,
  rate: KeyRate = 'KEY_RATE',
): Promise<void> {
  if (env.THROTTLES !== 'on' || actor.kind !== 'apiKey') return
  const { success } = await env[rate].limit({ key: actor.keyId })
  if (!success) throw throttled(KEY_WINDOW_SECONDS)
}
