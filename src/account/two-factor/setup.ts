// Setting a second factor up: a pending secret, its QR code, and the code that proves that the app has it (decision 24, reference §7.1, §7.2).
import { and, eq, gt } from 'drizzle-orm'
import { backupCodes, sessions, totpDevices } from '../../../drizzle'
import type { SessionActor } from '../../auth/actor'
import { endOtherSessions, isSessionOpen } from '../../auth/sessions'
import type { Deps } from '../../deps'
import { invalid, notAuthenticated } from '../../errors'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { stored } from '../../timestamps'
import { countAttempt, refundAttempt, requireAttempt, SECOND_FACTOR_LIMIT } from '../sign-in/attempt-limits'
import { normalizeCode, matchingStep, newSecret, secretText, secretUri } from './codes'
import { openSecret, sealSecret } from './secret'

const PENDING_MS = 600_000

/** A secret that waits to be confirmed, as its owner needs it: to type, and to scan. */
export interface PendingSecret {
  text: string
  /** An SVG document. */
  qrCode: string
}

/**
 * Makes a secret that waits for ten minutes, with this session, to be confirmed. It takes the place of the one before; a second factor that is
 * in use stays.
 * @returns the secret as people type it.
 */
export async function startSetup({ db, env, clock }: Deps, actor: SessionActor): Promise<string> {
  const secret = newSecret()
  await db
    .update(sessions)
    .set({
      pendingTotpSecret: await sealSecret(env, secret),
      pendingTotpExpiresAt: stored(new Date(clock.now().getTime() + PENDING_MS)),
    })
    .where(eq(sessions.id, actor.sessionId))
  return secretText(secret)
}

/** The secret that waits with this session, or null. */
export async function pendingSecret(deps: Deps, actor: SessionActor): Promise<PendingSecret | null> {
  const secret = await findPending(deps, actor.sessionId)
  if (!secret) return null
  const { renderSVG } = await import('uqr')
  return { text: secretText(secret), qrCode: renderSVG(secretUri(secret, actor.user.email)) }
}

/**
 * Puts the pending secret to use, and signs all other browsers out. Backup codes of an earlier one go.
 * @throws 400 `setup_expired` when nothing is pending, `token_invalid` for a wrong code; 401 when the session was revoked in the meantime;
 *   429 after six wrong codes within 20 minutes.
 */
export async function confirmSetup(deps: Deps, actor: SessionActor, typed: string): Promise<void> {
  const { db, env, clock } = deps
  const now = clock.now()
  const userId = actor.user.id
  const [secret, [window]] = await Promise.all([
    findPending(deps, actor.sessionId),
    countAttempt(db, SECOND_FACTOR_LIMIT, userId, now),
  ])
  if (!secret) {
    throw invalid(null, '2FA setup session expired. Please start setup again.', 'setup_expired')
  }
  requireAttempt(SECOND_FACTOR_LIMIT, window!, now)
  const step = matchingStep(secret, normalizeCode(typed), now, 0)
  if (step === null) throw invalid(null, 'Token is not valid', 'token_invalid')

  const device = { secret: await sealSecret(env, secret), lastStep: step, createdAt: stored(now) }
  const writes = [
    db
      .insert(totpDevices)
      .values({ userId, ...device })
      .onConflictDoUpdate({ target: totpDevices.userId, set: device }),
    db.delete(backupCodes).where(eq(backupCodes.userId, userId)),
    clearPending(db, actor.sessionId),
    endOtherSessions(db, userId, actor.sessionId),
    refundAttempt(db, SECOND_FACTOR_LIMIT, userId),
  ]
  await runIf(db, isSessionOpen(actor.sessionId), writes, notAuthenticated)
}

async function findPending({ db, env, clock }: Deps, sessionId: string): Promise<Uint8Array | null> {
  const [row] = await db
    .select({ secret: sessions.pendingTotpSecret })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), gt(sessions.pendingTotpExpiresAt, stored(clock.now()))))
  return row?.secret ? openSecret(env, row.secret) : null
}

const clearPending = (db: Database, sessionId: string) =>
  db
    .update(sessions)
    .set({ pendingTotpSecret: null, pendingTotpExpiresAt: null })
    .where(eq(sessions.id, sessionId))
