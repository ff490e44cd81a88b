// Signing browsers out from afar (spec "Login session", reference/account-api.md §2.3, §2.4).
import { and, eq } from 'drizzle-orm'
import { sessions } from '../../../drizzle'
import type { SessionActor } from '../../auth/actor'
import { endOtherSessions, isSessionOpen } from '../../auth/sessions'
import { notAuthenticated, notFound } from '../../errors'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'

/**
 * Ends one of the caller's sessions, also the one that asks.
 * @throws 404 for an id that is not one of theirs; 401 when the caller's session was revoked in the meantime.
 */
export async function revokeSession(db: Database, actor: SessionActor, id: string): Promise<void> {
  const end = db
    .delete(sessions)
    .where(and(eq(sessions.id, id.toLowerCase()), eq(sessions.userId, actor.user.id)))
    .returning({ id: sessions.id })
  const [ended] = await runIf(db, isSessionOpen(actor.sessionId), [end], notAuthenticated)
  if (ended.length === 0) throw notFound('Login session not found.')
}

/**
 * Ends all of the caller's sessions but the one that asks. Returns how many there were.
 * @throws 401 when the caller's session was revoked in the meantime.
 */
export async function revokeOthers(db: Database, actor: SessionActor): Promise<number> {
  const end = endOtherSessions(db, actor.user.id, actor.sessionId)
  const [ended] = await runIf(db, isSessionOpen(actor.sessionId), [end], notAuthenticated)
  return ended.length
}
