// Starts and stops impersonation (docs/reference/accounts.md#impersonation). Both give the session a new token.
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { sessions, users } from '../../../drizzle'
import type { SessionActor } from '../../auth/actor'
import { hashToken, newToken } from '../../auth/sessions'
import type { Deps } from '../../deps'
import { invalid, notAuthenticated, permissionDenied } from '../../errors'
import { toStoredTimestamp } from '../../timestamps'
import { normalEmail } from '../identity-fields'

export interface ImpersonationInput {
  /** The id or email address of the user. */
  user: number | string
  /** The reason is shown in the user record during impersonation. */
  reason: string
  readOnly: boolean
}

const MAX_REASON = 500

/** The columns of a session without impersonation. They drop a pending second factor as well. */
const NO_IMPERSONATION = {
  impersonatedUserId: null,
  impersonationReason: null,
  impersonationReadOnly: null,
  impersonationStartedAt: null,
  impersonationLastActivity: null,
  pendingTotpSecret: null,
  pendingTotpExpiresAt: null,
}

/**
 * Starts an impersonation, which lasts two hours at most.
 * @returns the session's new token
 * @throws 403 unless the caller is staff, and for a user who is staff, opted out or unknown; 400 without a reason; 401 when the session is
 * revoked, or starts another impersonation, at the same time
 */
export async function startImpersonation(
  { db, ids, clock, log }: Deps,
  actor: SessionActor,
  { user, reason, readOnly }: ImpersonationInput,
): Promise<string> {
  if (!actor.user.isStaff || actor.impersonation) {
    throw permissionDenied('You are not a staff user, contact your instance admin.')
  }
  const why = reason.trim()
  if (why === '') throw invalid('reason', 'This field may not be blank.', 'blank')
  if (why.length > MAX_REASON) {
    throw invalid('reason', `Ensure this field has no more than ${MAX_REASON} characters.`, 'max_length')
  }
  const [target] = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        typeof user === 'number' ? eq(users.id, user) : eq(users.email, normalEmail(user)),
        eq(users.isActive, true),
        eq(users.isStaff, false),
        sql`${users.allowImpersonation} IS NOT 0`,
      ),
    )
  if (!target) throw permissionDenied('This user cannot be impersonated.')

  const token = newToken(ids)
  const at = toStoredTimestamp(clock.now())
  const started = await db
    .update(sessions)
    .set({
      ...NO_IMPERSONATION,
      tokenHash: hashToken(token),
      impersonatedUserId: target.id,
      impersonationReason: why,
      impersonationReadOnly: readOnly,
      impersonationStartedAt: at,
      impersonationLastActivity: at,
    })
    .where(and(eq(sessions.id, actor.sessionId), isNull(sessions.impersonatedUserId)))
    .returning({ id: sessions.id })
  // The session has been revoked, or impersonates already.
  if (started.length === 0) throw notAuthenticated()
  log({
    level: 'info',
    message: 'impersonation started',
    staff_id: actor.user.id,
    user_id: target.id,
    reason: why,
    read_only: readOnly,
  })
  return token
}

/** Ends impersonation. @returns the session's new token; null without an impersonation */
export async function stopImpersonation({ db, ids, log }: Deps, formerToken: string): Promise<string | null> {
  const token = newToken(ids)
  const isIt = and(eq(sessions.tokenHash, hashToken(formerToken)), isNotNull(sessions.impersonatedUserId))
  const ended = db
    .update(sessions)
    .set({ ...NO_IMPERSONATION, tokenHash: hashToken(token) })
    .where(isIt)
  const [[was]] = await db.batch([
    db
      .select({
        staffId: sessions.userId,
        userId: sessions.impersonatedUserId,
        reason: sessions.impersonationReason,
        readOnly: sessions.impersonationReadOnly,
      })
      .from(sessions)
      .where(isIt),
    ended,
  ])
  if (!was) return null
  log({
    level: 'info',
    message: 'impersonation stopped',
    staff_id: was.staffId,
    user_id: was.userId!,
    reason: was.reason ?? '',
    read_only: was.readOnly ?? false,
  })
  return token
}
