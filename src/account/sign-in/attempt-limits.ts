// How often something may be tried: sign-ins by IP address, second factors and current passwords by user (reference §0.7, §9.2).
//
// A try is counted before it is judged: callers that race cannot try more than the limit. A sign-in or a second factor that succeeds is given
// back; a current password is not, as upstream counts every one.
//
// Sign-ins are not counted by account: strangers could keep its owner out.
import { and, eq, sql } from 'drizzle-orm'
import { throttleWindows } from '../../../drizzle'
import { ApiError } from '../../errors'
import { secondsLeft, throttled } from '../../http/throttle'
import type { Database } from '../../storage/database'
import { stored } from '../../timestamps'

export interface Limit {
  name: string
  attempts: number
  /** How long a window lasts; the one in which the limit is reached starts anew at that moment. */
  seconds: number
}

/** Failed sign-ins of one IPv4 address, or of one /64 of IPv6 (auth/client.ts). */
export const LOGIN_LIMIT: Limit = { name: 'login', attempts: 30, seconds: 600 }
/** Second factors tried for one user. */
export const SECOND_FACTOR_LIMIT: Limit = { name: 'two_factor', attempts: 6, seconds: 1_200 }
/** Current passwords tried by one user who is signed in. */
export const PASSWORD_LIMIT: Limit = { name: 'user_authentication', attempts: 5, seconds: 60 }

const startOf = (limit: Limit, now: Date) => stored(new Date(now.getTime() - limit.seconds * 1000))

/** The statement that counts a try; gives back one row, the window. */
export function countAttempt(db: Database, limit: Limit, subject: string | number, now: Date) {
  const at = stored(now)
  const isOver = sql`started_at <= ${startOf(limit, now)}`
  return db
    .insert(throttleWindows)
    .values({ name: limit.name, subject: String(subject), startedAt: at, count: 1 })
    .onConflictDoUpdate({
      target: [throttleWindows.name, throttleWindows.subject],
      set: {
        count: sql`CASE WHEN ${isOver} THEN 1 ELSE count + 1 END`,
        startedAt: sql`CASE WHEN ${isOver} OR count + 1 = ${limit.attempts} THEN ${at} ELSE started_at END`,
      },
    })
    .returning({ count: throttleWindows.count, startedAt: throttleWindows.startedAt })
}

/** The statement that gives a try back: it succeeded. */
export const refundAttempt = (db: Database, limit: Limit, subject: string | number) =>
  db
    .update(throttleWindows)
    .set({ count: sql`max(0, count - 1)` })
    .where(and(eq(throttleWindows.name, limit.name), eq(throttleWindows.subject, String(subject))))

/** 403 for an address that failed to sign in too often. */
export const lockedOut = () =>
  new ApiError({
    status: 403,
    type: 'authentication_error',
    code: 'too_many_failed_attempts',
    detail: 'Too many failed login attempts. Please try again in 10 minutes.',
  })

/**
 * Refuses a try past the limit.
 * @param window as `countAttempt` gave it.
 * @throws 429, with when the window ends.
 */
export function requireAttempt(limit: Limit, window: { count: number; startedAt: string }, now: Date): void {
  if (window.count > limit.attempts) throw throttled(secondsLeft(window.startedAt, limit.seconds, now))
}
