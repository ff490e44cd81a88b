// Signing browsers out from afar (spec "Login session", reference §2.3, §2.4).
import { and, eq } from 'drizzle-orm'
import { sessions } from '../../../drizzle'
import type { SessionActor } from '../../auth/actor'
import { endOtherSessions } from '../../auth/sessions'
import { notFound } from '../../errors'
import type { Database } from '../../storage/database'

/**
 * Ends one of the caller's sessions, also the one that asks.
 * @throws 404 for an id that is not one of theirs, whoever's it is.
 */
export async function revokeSession(db: Database, actor: SessionActor, id: string): Promise<void> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id.toLowerCase()), eq(sessions.userId, actor.user.id)))
    .returning({ id: sessions.id })
  if (ended.length === 0) throw notFound('Login session not found.')
}

/** Ends all of the caller's sessions but the one that asks. Returns how many there were. */
export async function revokeOthers(db: Database, actor: SessionActor): Promise<number> {
  const ended = await endOtherSessions(db, actor.user.id, actor.sessionId)
  return ended.length
}
