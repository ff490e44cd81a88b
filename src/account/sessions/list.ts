// The browsers that a user is signed in with (spec "Login session", reference §2.2).
import { and, desc, eq, gt, lte, sql } from 'drizzle-orm'
import * as z from 'zod'
import { dateTime } from '../../http/fields'
import { sessions } from '../../../drizzle'
import type { SessionActor } from '../../auth/actor'
import type { Client } from '../../auth/client'
import type { Deps } from '../../deps'
import type { Database } from '../../storage/database'
import { shown, stored } from '../../timestamps'

export const LoginSession = z
  .object({
    id: z.uuid(),
    created_at: dateTime(),
    last_activity: dateTime(),
    location: z.string().nullable(),
    device: z.string().nullable(),
    login_method: z.string(),
    is_current: z.boolean(),
  })
  .meta({ id: 'LoginSession' })

export type LoginSession = z.output<typeof LoginSession>

/**
 * The caller's sessions: the current one first, as this request finds it, then the most recently used. Staff who look as somebody are not
 * among theirs.
 */
export async function listSessions(
  { db, clock }: Deps,
  actor: SessionActor,
  client: Client,
): Promise<LoginSession[]> {
  const at = stored(clock.now())
  const [, rows] = await db.batch([
    noteUse(db, actor, client, at),
    db
      .select({
        id: sessions.id,
        createdAt: sessions.createdAt,
        lastActivity: sessions.lastActivity,
        location: sessions.location,
        userAgent: sessions.userAgent,
        loginMethod: sessions.loginMethod,
      })
      .from(sessions)
      .where(and(eq(sessions.userId, actor.user.id), gt(sessions.expiresAt, at)))
      .orderBy(sql`${sessions.id} <> ${actor.sessionId}`, desc(sessions.lastActivity), desc(sessions.id)),
  ])
  // Names of browsers are many, and only wanted here.
  const { deviceOf } = await import('./device')
  return rows.map(({ id, createdAt, lastActivity, location, userAgent, loginMethod }) => ({
    id,
    created_at: shown(createdAt),
    last_activity: shown(lastActivity),
    location,
    device: deviceOf(userAgent),
    login_method: loginMethod,
    is_current: id === actor.sessionId,
  }))
}

/**
 * The statement that notes from where, and with what, the session that asks was used. It leaves alone the session of staff who look as
 * somebody: it is not listed, and has an idle time of its own.
 */
const noteUse = (db: Database, actor: SessionActor, { userAgent, location }: Client, at: string) =>
  db
    .update(sessions)
    .set({ lastActivity: at, userAgent, location })
    .where(
      and(
        eq(sessions.id, actor.sessionId),
        eq(sessions.userId, actor.user.id),
        // Requests overtake each other: what was noted never goes back.
        lte(sessions.lastActivity, at),
      ),
    )
