// Opens a session after a correct first factor, or asks for the second factor.
import { eq, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { loginChallenges, type SsoFactor, users } from '../../../drizzle'
import { type Client, clientOf } from '../../auth/client'
import { CHALLENGE_SECONDS, cookieOf, SESSION_COOKIE } from '../../auth/cookies'
import {
  endOldSessions,
  endSession,
  hashToken,
  needsTwoFactor as isSecondFactorMissing,
  newSession,
  newToken,
} from '../../auth/sessions'
import type { Deps } from '../../deps'
import { asBoolean } from '../../storage/columns'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { LOGIN_LIMIT, refundAttempt } from './attempt-limits'
import { isProviderValid, linkIdentity, type SigningIn } from './link-identity'

export interface Origin {
  client: Client
  /** The token of the browser's session, which a new sign-in ends. */
  formerToken: string | null
}

export const originOf = (request: Request): Origin => ({
  client: clientOf(request),
  formerToken: cookieOf(request, SESSION_COOKIE),
})

/** The result: a session, or a challenge for users with a second factor. */
export type SignIn =
  | { kind: 'signed in'; token: string; needsTwoFactor: boolean }
  | { kind: 'second factor'; token: string }

export interface FirstFactor {
  user: SigningIn & { hasTotp: boolean; needsTwoFactor: boolean }
  /** Null for a password. */
  sso: SsoFactor | null
  /** Write guard: what was checked still holds. That of the provider is added. */
  condition: SQL
  /** Statements of the same batch that precede the session. */
  writes?: readonly BatchItem<'sqlite'>[]
}

/** Columns of a user whose first factor is checked. */
export const firstFactorColumns = {
  id: users.id,
  uuid: users.uuid,
  email: users.email,
  passwordHash: users.passwordHash,
  hasTotp: asBoolean(sql`EXISTS (SELECT 1 FROM totp_devices t WHERE t.user_id = users.id)`).as('has_totp'),
  needsTwoFactor: asBoolean(isSecondFactorMissing(sql`users.id`)).as('needs_two_factor'),
}

/** Write guard: the user is unchanged since the check. Hashing takes time, and a new password or second factor ends existing sessions. */
export const isUserUnchanged = ({
  id,
  passwordHash,
  hasTotp,
}: {
  id: number
  passwordHash: string | null
  hasTotp: boolean
}): SQL =>
  sql`EXISTS (SELECT 1 FROM users u WHERE u.id = ${id} AND u.is_active AND u.password_hash IS ${passwordHash}
    AND ${Number(hasTotp)} = EXISTS (SELECT 1 FROM totp_devices t WHERE t.user_id = u.id))`

/** @throws the error of `rejection` when the condition no longer holds. */
export async function openSignIn(
  deps: Deps,
  { user, sso, condition, writes = [] }: FirstFactor,
  { client, formerToken }: Origin,
  now: Date,
  rejection: () => Error,
): Promise<SignIn> {
  const { db, ids } = deps
  const userId = user.id
  const holds = sso ? sql`${condition} AND ${isProviderValid(sso)}` : condition
  const refund = refundAttempt(db, LOGIN_LIMIT, client.network)
  if (user.hasTotp) {
    const token = newToken(ids)
    const challenge = db.insert(loginChallenges).values({
      tokenHash: hashToken(token),
      userId,
      loginMethod: sso ? 'oidc' : 'password',
      sso,
      expiresAt: toStoredTimestamp(new Date(now.getTime() + CHALLENGE_SECONDS * 1000)),
    })
    await runIf(db, holds, [...writes, challenge, refund], rejection)
    return { kind: 'second factor', token }
  }
  const session = newSession(
    { db, ids, now },
    { userId, client, ssoOrganizationId: sso?.organizationId ?? null },
  )
  await runIf(
    db,
    holds,
    [
      ...writes,
      ...linkIdentity(deps, sso, user, now),
      endSession(db, formerToken ?? ''),
      session.statement,
      endOldSessions(db, userId),
      recordLogin(db, userId, now),
      refund,
    ],
    rejection,
  )
  return { kind: 'signed in', token: session.token, needsTwoFactor: user.needsTwoFactor }
}

/** The statement that records a sign-in, for the batch that opens the session. */
export const recordLogin = (db: Database, userId: number | SQL<number>, now: Date) =>
  db
    .update(users)
    .set({ lastLogin: toStoredTimestamp(now) })
    .where(eq(users.id, userId))
