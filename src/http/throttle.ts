// How often a user may call an operation (decision 8, reference/account-api.md §0.7).
//
// Counted in D1, in fixed windows that begin with the first call: one row a user and throttle, one statement a call, and the same count for
// all isolates. It costs one round trip on the few operations that name a throttle. What every key may do in a minute is not counted
// here: that would be a write to D1 for every request, and belongs in front of the Worker.
import { sql } from 'drizzle-orm'
import { throttleWindows } from '../../drizzle'
import type { Deps } from '../deps'
import { ApiError } from '../errors'
import { stored } from '../timestamps'

export interface Throttle {
  /** What is counted; operations that share a name share the count. */
  name: string
  /** Calls that a window allows. */
  calls: number
  /** How long a window lasts. */
  seconds: number
}

/** 429, with when to come back. */
export const throttled = (seconds: number) =>
  new ApiError({
    status: 429,
    type: 'throttled_error',
    code: 'throttled',
    detail: `Request was throttled. Expected available in ${seconds} seconds.`,
    headers: { 'Retry-After': String(seconds) },
  })

/**
 * Counts a call, whatever comes of it. Does nothing unless the deployment has `THROTTLES` on.
 * @param subject who calls.
 * @throws 429 past the limit.
 */
export async function countCall(
  { db, env, clock }: Pick<Deps, 'db' | 'env' | 'clock'>,
  { name, calls, seconds }: Throttle,
  subject: number,
): Promise<void> {
  if (env.THROTTLES !== 'on') return
  const now = clock.now()
  const at = stored(now)
  const isOver = sql`started_at <= ${stored(new Date(now.getTime() - seconds * 1000))}`
  const [window] = await db
    .insert(throttleWindows)
    .values({ name, subject: String(subject), startedAt: at, count: 1 })
    .onConflictDoUpdate({
      target: [throttleWindows.name, throttleWindows.subject],
      set: {
        count: sql`CASE WHEN ${isOver} THEN 1 ELSE count + 1 END`,
        startedAt: sql`CASE WHEN ${isOver} THEN ${at} ELSE started_at END`,
      },
    })
    .returning({ count: throttleWindows.count, startedAt: throttleWindows.startedAt })
  if (window!.count <= calls) return
  const end = Date.parse(window!.startedAt) + seconds * 1000
  throw throttled(Math.max(1, Math.ceil((end - now.getTime()) / 1000)))
}
