// Password sign-in (docs/reference/accounts.md#sign-in). Unknown address, wrong password, user without password and inactive user give the same
// response in the same time: every attempt hashes, unless the password exceeds the maximum length.
import { and, eq, sql } from 'drizzle-orm'
import { users } from '../../../drizzle'
import type { Deps } from '../../deps'
import { invalid } from '../../errors'
import type { Database } from '../../storage/database'
import { MAX_EMAIL_LENGTH, normalEmail } from '../identity-fields'
import { verifyPassword } from '../password/hash'
import { createSlots, passwordCapacity } from '../password/hash-limit'
import { mustUseSso, ssoEnforced } from '../single-sign-on/enforcement'
import { countAttempt, lockedOut, LOGIN_LIMIT, refundAttempt } from './attempt-limits'
import { firstFactorColumns, isUserUnchanged, openSignIn, type Origin, type SignIn } from './open-sign-in'

export interface Credentials {
  email: string
  password: string
}

export const wrongCredentials = () => invalid(null, 'Invalid email or password.', 'invalid_credentials')

/** Maximum concurrent sign-ins of an isolate. More are rejected before they cost D1 anything or count as failures. */
export const MAX_CONCURRENT_SIGN_INS = 32
/** Maximum time of a sign-in: two D1 calls and a hash, each with a deadline of 8 s. */
const MAX_SIGN_IN_MS = 25_000
const takeSlot = createSlots(MAX_CONCURRENT_SIGN_INS, MAX_SIGN_IN_MS)

/** @throws 400 `invalid_credentials`, or `sso_enforced` for the right password of a user who has to use single sign-on; 403 `too_many_failed_attempts` for a locked-out address; 503 above MAX_CONCURRENT_SIGN_INS. */
export async function signIn(deps: Deps, credentials: Credentials, origin: Origin): Promise<SignIn> {
  const free = takeSlot()
  if (!free) throw passwordCapacity()
  const attempt = attemptSignIn(deps, credentials, origin).finally(free)
  // The attempt continues if the client disconnects, because its slot would not be freed otherwise.
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
  if (user.mustUseSso) {
    // Otherwise, members behind one address would lock it out on the day that single sign-on is required.
    await refundAttempt(db, LOGIN_LIMIT, origin.client.network)
    throw ssoEnforced()
  }
  const factor = {
    user,
    sso: null,
    condition: sql`${isUserUnchanged(user)} AND NOT ${mustUseSso(sql`${user.id}`)}`,
  }
  return openSignIn(deps, factor, origin, now, wrongCredentials)
}

/** A hash that takes as long to check as a real one, and that no password matches. */
const DUMMY_HASH = `scrypt$16384$8$1$${btoa('0123456789abcdef')}$${btoa('\0'.repeat(32))}`

/** Selects a user by address. No user has an empty address. */
const selectByEmail = (db: Database, email: string) =>
  db
    .select({ ...firstFactorColumns, mustUseSso: mustUseSso(sql`users.id`).as('must_use_sso') })
    .from(users)
    .where(
      and(
        eq(users.email, email.length > MAX_EMAIL_LENGTH ? '' : normalEmail(email)),
        eq(users.isActive, true),
      ),
    )
