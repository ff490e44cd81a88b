// Password sign-in (docs/reference/accounts.md#sign-in). Unknown address, wrong password, user without password and inactive user give the same
// response in the same time: every attempt hashes, unless the password exceeds the maximum length.
import { and, eq, sql } from 'drizzle-orm'
import { loginChallenges, users } from '../../../drizzle'
import { type Client, clientOf } from '../../auth/client'
import { CHALLENGE_SECONDS, cookieOf, SESSION_COOKIE } from '../../auth/cookies'
import {
  endOldSessions,
  endSession,
  hashToken,
  needsTwoFactor,
  newSession,
  newToken,
} from '../../auth/sessions'
import type { Deps } from '../../deps'
import { invalid } from '../../errors'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { MAX_EMAIL_LENGTH } from '../identity-fields'
import { verifyPassword } from '../password/hash'
import { createSlots, passwordCapacity } from '../password/hash-limit'
import { countAttempt, lockedOut, LOGIN_LIMIT, refundAttempt } from './attempt-limits'

export interface Credentials {
  email: string
  password: string
}

export interface Origin {
  client: Client
  /** The browser's session, which a new sign-in ends. */
  formerToken: string | null
}

/** A session, or a challenge for users with a second factor. */
export type SignIn =
  | { kind: 'signed in'; token: string; userId: number; needsTwoFactor: boolean }
  | { kind: 'second factor'; token: string }

/** 400. */
export const wrongCredentials = () => invalid(null, 'Invalid email or password.', 'invalid_credentials')

/** Concurrent sign-ins of an isolate: more are rejected before they cost D1 anything or count as failures. */
export const MAX_CONCURRENT_SIGN_INS = 32
/** Two D1 calls and a hash, each with a deadline of 8 s. */
const MAX_SIGN_IN_MS = 25_000
const takeSlot = createSlots(MAX_CONCURRENT_SIGN_INS, MAX_SIGN_IN_MS)

/** @throws 400 `invalid_credentials`; 403 `too_many_failed_attempts` for a locked-out address; 503 above MAX_CONCURRENT_SIGN_INS. */
export async function signIn(deps: Deps, credentials: Credentials, origin: Origin): Promise<SignIn> {
  const free = takeSlot()
  if (!free) throw passwordCapacity()
  const attempt = attemptSignIn(deps, credentials, origin).finally(free)
  // Keeps the work alive if the client disconnects: the slot would leak.
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

  const isRight = await verifyPassword(password, user?.passwordHash ?? DUMMY_HASH)
  if (!isRight || !user) throw count >= LOGIN_LIMIT.attempts ? lockedOut() : wrongCredentials()
  return user.hasTotp
    ? openChallenge(deps, user, origin.client.network, now)
    : openSession(deps, user, origin, now)
}

type Found = Awaited<ReturnType<typeof selectByEmail>>[number]

/** Guard: the user is unchanged since the check. Hashing takes time, and a new password or second factor ends existing sessions. */
const isUserUnchanged = ({ id, passwordHash, hasTotp }: Found) =>
  sql`EXISTS (SELECT 1 FROM users u WHERE u.id = ${id} AND u.is_active AND u.password_hash IS ${passwordHash}
    AND ${hasTotp} = EXISTS (SELECT 1 FROM totp_devices t WHERE t.user_id = u.id))`

/** Takes as long as a real hash and matches no password. */
const DUMMY_HASH = `scrypt$16384$8$1$${btoa('0123456789abcdef')}$${btoa('\0'.repeat(32))}`

/** No user has an empty address. */
const selectByEmail = (db: Database, email: string) =>
  db
    .select({
      id: users.id,
      passwordHash: users.passwordHash,
      hasTotp: sql<number>`EXISTS (SELECT 1 FROM totp_devices t WHERE t.user_id = users.id)`.as('has_totp'),
      needsTwoFactor: needsTwoFactor(sql`users.id`).as('needs_two_factor'),
    })
    .from(users)
    .where(
      and(
        eq(users.email, email.length > MAX_EMAIL_LENGTH ? '' : email.trim().toLowerCase()),
        eq(users.isActive, true),
      ),
    )

/** For the batch that opens the session. */
export const recordLogin = (db: Database, userId: number, now: Date) =>
  db
    .update(users)
    .set({ lastLogin: toStoredTimestamp(now) })
    .where(eq(users.id, userId))

async function openSession(
  { db, ids }: Deps,
  user: Found,
  { client, formerToken }: Origin,
  now: Date,
): Promise<SignIn> {
  const userId = user.id
  const session = newSession({ db, ids, now }, { userId, client })
  await runIf(
    db,
    isUserUnchanged(user),
    [
      session.statement,
      endOldSessions(db, userId),
      recordLogin(db, userId, now),
      refundAttempt(db, LOGIN_LIMIT, client.network),
      endSession(db, formerToken ?? ''),
    ],
    wrongCredentials,
  )
  return { kind: 'signed in', token: session.token, userId, needsTwoFactor: Boolean(user.needsTwoFactor) }
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
        expiresAt: toStoredTimestamp(new Date(now.getTime() + CHALLENGE_SECONDS * 1000)),
      }),
      refundAttempt(db, LOGIN_LIMIT, network),
    ],
    wrongCredentials,
  )
  return { kind: 'second factor', token }
}

export const originOf = (request: Request): Origin => ({
  client: clientOf(request),
  formerToken: cookieOf(request, SESSION_COOKIE),
})
