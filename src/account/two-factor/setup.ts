// Setup of a second factor (docs/reference/accounts.md#second-factor).
import { and, eq, gt } from 'drizzle-orm'
import { backupCodes, loginChallenges, sessions, totpDevices } from '../../../drizzle'
import type { SessionActor } from '../../auth/actor'
import { endOtherSessions, isSessionOpen } from '../../auth/sessions'
import type { Deps } from '../../deps'
import { invalid, notAuthenticated } from '../../errors'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { countAttempt, refundAttempt, requireAttempt, SECOND_FACTOR_LIMIT } from '../sign-in/attempt-limits'
import {
  matchingStep,
  newSecret,
  normalizeCode,
  openSecret,
  sealSecret,
  secretText,
  secretUri,
} from './codes'

const PENDING_MS = 600_000

/** Stores a pending secret in the session for ten minutes. An enabled second factor stays. @returns the secret in Base32 */
export async function startSetup({ db, env, clock }: Deps, actor: SessionActor): Promise<string> {
  const secret = newSecret()
  await db
    .update(sessions)
    .set({
      pendingTotpSecret: await sealSecret(env, secret, 'pendingSecondFactor'),
      pendingTotpExpiresAt: toStoredTimestamp(new Date(clock.now().getTime() + PENDING_MS)),
    })
    .where(eq(sessions.id, actor.sessionId))
  return secretText(secret)
}

/** Returns the pending secret of the session, as text and as an SVG document with its QR code, or null. */
export async function pendingSecret(deps: Deps, actor: SessionActor) {
  const secret = await findPending(deps, actor.sessionId)
  if (!secret) return null
  const { renderSVG } = await import('uqr')
  return { text: secretText(secret), qrCode: renderSVG(secretUri(secret, actor.user.email)) }
}

/**
 * Enables the pending secret, deletes backup codes and ends all other sessions.
 * @throws 400 `setup_expired` without a pending secret, `token_invalid` for a wrong code; 401 if the session was revoked meanwhile; 429
 * after six wrong codes within 20 minutes
 */
export async function confirmSetup(deps: Deps, actor: SessionActor, typed: string): Promise<void> {
  const { db, env, clock } = deps
  const now = clock.now()
  const userId = actor.user.id
  // An expired setup is no attempt: it compares no code.
  const secret = await findPending(deps, actor.sessionId)
  if (!secret) {
    throw invalid(null, '2FA setup session expired. Please start setup again.', 'setup_expired')
  }
  const [window] = await countAttempt(db, SECOND_FACTOR_LIMIT, userId, now)
  requireAttempt(SECOND_FACTOR_LIMIT, window!, now)
  const step = matchingStep(secret, normalizeCode(typed), now, 0)
  if (step === null) throw invalid(null, 'Token is not valid', 'token_invalid')

  const device = {
    secret: await sealSecret(env, secret, 'secondFactor'),
    lastStep: step,
    createdAt: toStoredTimestamp(now),
  }
  const writes = [
    db
      .insert(totpDevices)
      .values({ userId, ...device })
      .onConflictDoUpdate({ target: totpDevices.userId, set: device }),
    db.delete(backupCodes).where(eq(backupCodes.userId, userId)),
    clearPending(db, actor.sessionId),
    endOtherSessions(db, userId, actor.sessionId),
    // A sign-in that started with the former secret must not succeed.
    db.delete(loginChallenges).where(eq(loginChallenges.userId, userId)),
    refundAttempt(db, SECOND_FACTOR_LIMIT, userId),
  ]
  await runIf(db, isSessionOpen(actor.sessionId), writes, notAuthenticated)
}

async function findPending({ db, env, clock }: Deps, sessionId: string): Promise<Uint8Array | null> {
  const [row] = await db
    .select({ secret: sessions.pendingTotpSecret })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), gt(sessions.pendingTotpExpiresAt, toStoredTimestamp(clock.now()))))
  return row?.secret ? openSecret(env, row.secret) : null
}

const clearPending = (db: Database, sessionId: string) =>
  db
    .update(sessions)
    .set({ pendingTotpSecret: null, pendingTotpExpiresAt: null })
    .where(eq(sessions.id, sessionId))
