// Limits attempts (docs/reference/accounts.md#limits-of-attempts): sign-ins by IP address, second factors and current passwords by user.
// An attempt is counted before it is checked, so that concurrent attempts cannot exceed the limit. Successful sign-ins and second factors
// are refunded, and right passwords where single sign-on is required. Current passwords are not, as upstream. Sign-ins are not counted by account, because strangers could lock out its owner.
import { and, eq, sql } from 'drizzle-orm'
import { throttleWindows } from '../../../drizzle'
import { ApiError } from '../../errors'
import { addCall, secondsLeft, throttled } from '../../http/limits/throttle'
import type { Database } from '../../storage/database'

export interface Limit {
  name: string
  attempts: number
  /** The length of a window. Reaching the limit restarts it. */
  seconds: number
}

/** Limits failed sign-ins of an IPv4 address or an IPv6 /64 (auth/client.ts). */
export const LOGIN_LIMIT: Limit = { name: 'login', attempts: 30, seconds: 600 }
export const SECOND_FACTOR_LIMIT: Limit = { name: 'two_factor', attempts: 6, seconds: 1_200 }
export const PASSWORD_LIMIT: Limit = { name: 'user_authentication', attempts: 5, seconds: 60 }

/** Counts an attempt, and returns the window as one row. */
export const countAttempt = (db: Database, limit: Limit, subject: string | number, now: Date) =>
  addCall(db, limit, String(subject), now, sql`count + 1 = ${limit.attempts}`)

/** Refunds an attempt that succeeded. */
export const refundAttempt = (db: Database, limit: Limit, subject: string | number) =>
  db
    .update(throttleWindows)
    .set({ count: sql`max(0, count - 1)` })
    .where(and(eq(throttleWindows.name, limit.name), eq(throttleWindows.subject, String(subject))))

export const lockedOut = () =>
  new ApiError({
    status: 403,
    type: 'authentication_error',
    code: 'too_many_failed_attempts',
    detail: 'Too many failed login attempts. Please try again in 10 minutes.',
  })

/**
 * @param window row of `countAttempt`
 * @throws 429 beyond the limit
 */
export function requireAttempt(limit: Limit, window: { count: number; startedAt: string }, now: Date): void {
  if (window.count > limit.attempts) throw throttled(secondsLeft(window.startedAt, limit.seconds, now))
}
