// Second step of a sign-in (docs/reference/accounts.md#sign-in).
import { and, eq, gt, sql } from 'drizzle-orm'
import { backupCodes, loginChallenges, totpDevices, users } from '../../../drizzle'
import { endOldSessions, endSession, hashToken, newSession } from '../../auth/sessions'
import type { Deps } from '../../deps'
import { invalid } from '../../errors'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { backupDigests, isBackupCode, matchingStep, normalizeCode, openSecret } from '../two-factor/codes'
import { countAttempt, refundAttempt, SECOND_FACTOR_LIMIT } from './attempt-limits'
import { isFirstFactorValid, linkIdentity } from './link-identity'
import { type Origin, recordLogin } from './open-sign-in'

export const signInExpired = () =>
  invalid(null, 'Your login attempt has expired. Please log in again.', '2fa_expired')
export const wrongCode = () => invalid(null, 'Invalid authentication code', '2fa_invalid')
export const tooManyCodes = () => invalid(null, 'Too many attempts.', '2fa_too_many_attempts')

/**
 * Checks a code and opens a session. A code opens one session only. An identity that the first factor confirmed is linked now.
 * @param challengeToken token from the first step
 * @returns the token of the new session
 * @throws 400 `2fa_expired`, `2fa_invalid`, or `2fa_too_many_attempts` after six wrong codes within 20 minutes
 */
export async function passSecondFactor(
  deps: Deps,
  challengeToken: string | null,
  typed: string,
  { client, formerToken }: Origin,
): Promise<string> {
  const { db, ids, clock } = deps
  const now = clock.now()
  const challenge = await findChallenge(db, challengeToken ?? '', now)
  if (!challenge) throw signInExpired()
  const { userId, uuid, email, sso } = challenge
  const [tries] = await countAttempt(db, SECOND_FACTOR_LIMIT, userId, now)
  if (tries!.count > SECOND_FACTOR_LIMIT.attempts) throw tooManyCodes()

  const use = await verifyCode(deps, challenge, normalizeCode(typed), now)
  if (!use) throw wrongCode()
  const session = newSession(
    { db, ids, now },
    { userId, client, ssoOrganizationId: sso?.organizationId ?? null },
  )
  const tokenHash = hashToken(challengeToken ?? '')
  await runIf(
    db,
    // A code is valid once, also for concurrent requests.
    sql`${use.isUnused} AND EXISTS (SELECT 1 FROM login_challenges WHERE token_hash = ${tokenHash} AND ${isFirstFactorValid})`,
    [
      use.statement,
      db.delete(loginChallenges).where(eq(loginChallenges.userId, userId)),
      refundAttempt(db, SECOND_FACTOR_LIMIT, userId),
      ...linkIdentity(deps, sso, { id: userId, uuid, email }, now),
      endSession(db, formerToken ?? ''),
      session.statement,
      endOldSessions(db, userId),
      recordLogin(db, userId, now),
    ],
    wrongCode,
  )
  return session.token
}

async function findChallenge(db: Database, token: string, now: Date) {
  const [row] = await db
    .select({
      userId: sql<number>`${loginChallenges.userId}`.as('the_user_id'),
      uuid: users.uuid,
      email: users.email,
      sso: loginChallenges.sso,
      secret: totpDevices.secret,
      lastStep: totpDevices.lastStep,
    })
    .from(loginChallenges)
    .innerJoin(users, and(eq(users.id, loginChallenges.userId), eq(users.isActive, true)))
    .innerJoin(totpDevices, eq(totpDevices.userId, loginChallenges.userId))
    .where(
      and(
        eq(loginChallenges.tokenHash, hashToken(token)),
        gt(loginChallenges.expiresAt, toStoredTimestamp(now)),
        isFirstFactorValid,
      ),
    )
  return row
}

type Challenge = NonNullable<Awaited<ReturnType<typeof findChallenge>>>

/** Returns the guard and the write that use up a code, or null for a wrong code. */
async function verifyCode(
  { db, env }: Deps,
  { userId, secret, lastStep }: Challenge,
  code: string,
  now: Date,
) {
  const step = matchingStep(await openSecret(env, secret), code, now, lastStep)
  if (step !== null) {
    return {
      isUnused: sql`EXISTS (SELECT 1 FROM totp_devices WHERE user_id = ${userId} AND last_step < ${step})`,
      statement: db.update(totpDevices).set({ lastStep: step }).where(eq(totpDevices.userId, userId)),
    }
  }
  if (!isBackupCode(code)) return null
  const digests = JSON.stringify(backupDigests(env, userId, code))
  const matches = sql`user_id = ${userId} AND code_hash IN (SELECT value FROM json_each(${digests}))`
  return {
    isUnused: sql`EXISTS (SELECT 1 FROM backup_codes WHERE ${matches})`,
    statement: db.delete(backupCodes).where(matches),
  }
}
