// The browsers that a user is signed in with (spec "Login session", reference §2.2).
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import * as z from 'zod'
import { dateTime } from '../../http/fields'
import { sessions } from '../../../drizzle'
import type { SessionActor } from '../../auth/actor'
import type { Client } from '../../auth/client'
import { touchSession } from '../../auth/sessions'
import type { Deps } from '../../deps'
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
  { db, clock, afterResponse }: Deps,
  actor: SessionActor,
  client: Client,
): Promise<LoginSession[]> {
  const now = clock.now()
  afterResponse(() => touchSession(db, actor, client, now))
  const rows = await db
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastActivity: sessions.lastActivity,
      location: sessions.location,
      userAgent: sessions.userAgent,
      loginMethod: sessions.loginMethod,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, actor.user.id), gt(sessions.expiresAt, stored(now))))
    .orderBy(sql`${sessions.id} <> ${actor.sessionId}`, desc(sessions.lastActivity), desc(sessions.id))
  // Names of browsers are many, and only wanted here.
  const { deviceOf } = await import('./device')
  return rows.map((row) => {
    const isCurrent = row.id === actor.sessionId
    const { userAgent, location } = isCurrent ? client : row
    return {
      id: row.id,
      created_at: shown(row.createdAt),
      last_activity: shown(isCurrent ? stored(now) : row.lastActivity),
      location,
      device: deviceOf(userAgent),
      login_method: row.loginMethod,
      is_current: isCurrent,
    }
  })
}
