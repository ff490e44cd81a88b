// Signing in with a password (decision 10, reference §9.2).
//
// An unknown address, a wrong password, a user without one and a user who is not active any more are one answer, in the same time: a
// password is always hashed, unless it is too long to be one, which says nothing about any account.
import { and, eq, sql } from 'drizzle-orm'
import { loginChallenges, users } from '../../../drizzle'
import type { Client } from '../../auth/client'
import { CHALLENGE_SECONDS } from '../../auth/cookies'
import { endSession, hashToken, newSession, newToken } from '../../auth/sessions'
import type { Deps } from '../../deps'
import { invalid } from '../../errors'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { stored } from '../../timestamps'
import { MAX_EMAIL_LENGTH } from '../email'
import { verifyPassword } from '../password/hash'
import { passwordCapacity } from '../password/hash-limit'
import { createSlots } from '../password/slots'
import { countAttempt, refundAttempt, lockedOut, LOGIN_LIMIT } from './attempt-limits'

export interface Credentials {
  email: string
  password: string
}

/** Where a sign-in comes from. */
export interface Origin {
  client: Client
  /** The session that the browser holds already: it ends with a new sign-in, whoever it was. */
  formerToken: string | null
}

/** A session, or a challenge for those who have a second factor; either is known by its token alone. */
export type SignIn =
  | { kind: 'signed in'; token: string; userId: number }
  | { kind: 'second factor'; token: string }

/** 400. */
export const wrongCredentials = () => invalid(null, 'Invalid email or password.', 'invalid_credentials')

/** Sign-ins that an isolate works on: past them a flood is refused before it costs D1 anything, and before it counts as failures. */
export const MAX_CONCURRENT_SIGN_INS = 32
/** Two calls to D1 and the hash between them have deadlines of 8 s each. */
const MAX_SIGN_IN_MS = 25_000
const slots = createSlots(MAX_CONCURRENT_SIGN_INS, MAX_SIGN_IN_MS)

/**
 * Checks a password and opens a session, or a challenge.
 * @throws 400 `invalid_credentials`; 403 `too_many_failed_attempts` for an address that failed too often, whatever it sends; 503 when
 *   the isolate works on too many sign-ins.
 */
export async function signIn(deps: Deps, credentials: Credentials, origin: Origin): Promise<SignIn> {
  const free = slots.take()
  if (!free) throw passwordCapacity()
  const attempt = attemptSignIn(deps, credentials, origin).finally(free)
  // The platform drops the work of a request whose client disconnected, unless something waits for it: the slot would be lost.
  deps.afterResponse(() => attempt.catch(() => null))
  return attempt
}

async function attemptSignIn(deps: Deps, { email, password }: Credentials, origin: Origin): Promise<SignIn> {
  const { db, clock } = deps
  const now = clock.now()
  const [[tries], [user]] = await db.batch([
    countAttempt(db, LOGIN_LIMIT, origin.client.network, now),
    selectByEmail(db, email),
  ])
  const count = tries!.count
  if (count > LOGIN_LIMIT.attempts) throw lockedOut()

  // Without a user the hash is one that no password has.
  const isRight = await verifyPassword(password, user?.passwordHash ?? DUMMY_HASH)
  if (!isRight || !user) throw count >= LOGIN_LIMIT.attempts ? lockedOut() : wrongCredentials()
  return user.hasTotp
    ? openChallenge(deps, user, origin.client.network, now)
    : openSession(deps, user, origin, now)
}

/** Whoever was looked up. */
type Found = Awaited<ReturnType<typeof selectByEmail>>[number]

/**
 * Whether all that a sign-in was decided on still holds: hashing takes its time, and meanwhile the password may be changed, a second factor
 * set up, or the account closed, each of which ends the sessions that there are.
 */
const isUserUnchanged = ({ id, passwordHash, hasTotp }: Found) =>
  sql`EXISTS (SELECT 1 FROM users u WHERE u.id = ${id} AND u.is_active AND u.password_hash IS ${passwordHash}
    AND ${hasTotp} = EXISTS (SELECT 1 FROM totp_devices t WHERE t.user_id = u.id))`

/** As slow to check as a real one, and never right. */
const DUMMY_HASH = `scrypt$16384$8$1$${btoa('0123456789abcdef')}$${btoa('\0'.repeat(32))}`

/** The active user with an address. No user has an empty one. */
const selectByEmail = (db: Database, email: string) =>
  db
    .select({
      id: users.id,
      passwordHash: users.passwordHash,
      hasTotp: sql<number>`EXISTS (SELECT 1 FROM totp_devices t WHERE t.user_id = users.id)`.as('has_totp'),
    })
    .from(users)
    .where(
      and(
        eq(users.email, email.length > MAX_EMAIL_LENGTH ? '' : email.trim().toLowerCase()),
        eq(users.isActive, true),
      ),
    )

/** The statement that records when a user signed in; runs in the batch that opens the session. */
export const recordLogin = (db: Database, userId: number, now: Date) =>
  db
    .update(users)
    .set({ lastLogin: stored(now) })
    .where(eq(users.id, userId))

async function openSession(
  { db, ids }: Deps,
  user: Found,
  { client, formerToken }: Origin,
  now: Date,
): Promise<SignIn> {
  const userId = user.id
  const session = newSession({ db, ids, now }, { userId, loginMethod: 'password', client })
  await runIf(
    db,
    isUserUnchanged(user),
    [
      session.statement,
      recordLogin(db, userId, now),
      refundAttempt(db, LOGIN_LIMIT, client.network),
      endSession(db, formerToken ?? ''),
    ],
    wrongCredentials,
  )
  return { kind: 'signed in', token: session.token, userId }
}

async function openChallenge({ db, ids }: Deps, user: Found, network: string, now: Date): Promise<SignIn> {
  const token = newToken(ids)
  await runIf(
    db,
    isUserUnchanged(user),
    [
      db.insert(loginChallenges).values({
        tokenHash: hashToken(token),
        userId: user.id,
        expiresAt: stored(new Date(now.getTime() + CHALLENGE_SECONDS * 1000)),
      }),
      refundAttempt(db, LOGIN_LIMIT, network),
    ],
    wrongCredentials,
  )
  return { kind: 'second factor', token }
}
