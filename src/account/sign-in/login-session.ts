// Login sessions of a user (docs/reference/accounts.md#login-sessions).
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { dateTime } from '../../http/fields'
import { sessions } from '../../../drizzle'
import type { SessionActor } from '../../auth/actor'
import type { Client } from '../../auth/client'
import { endOtherSessions, isSessionOpen, touchSession } from '../../auth/sessions'
import type { Deps } from '../../deps'
import { notAuthenticated, notFound } from '../../errors'
import { columnsIn } from '../../storage/columns'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { toApiTimestamp, toStoredTimestamp } from '../../timestamps'

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

export const LoginSessionDocs = (): SchemaDocs => ({
  description: 'A signed-in browser. A session lasts 14 days.',
  fields: {
    id: 'Id of the session, for paths. Not a secret.',
    created_at: 'When the user signed in. ISO 8601, UTC.',
    last_activity: 'When the session was last used, to five minutes. ISO 8601, UTC.',
    location: 'City and country of the last request. Null if unknown.',
    device: 'Browser and operating system. Null if unknown.',
    login_method: '`password` or, for single sign-on, `oidc`; with or without a second factor.',
    is_current: 'Whether this request uses the session.',
  },
  example: {
    id: '019d4829-eb40-736b-9820-1e2bd73ab487',
    created_at: '2026-04-01T08:30:00Z',
    last_activity: '2026-04-01T08:50:00Z',
    location: 'London, United Kingdom',
    device: 'Chrome 135.0.0 on macOS 10.15',
    login_method: 'password',
    is_current: true,
  },
})

export type LoginSession = z.output<typeof LoginSession>

/**
 * Lists the user's sessions without impersonations: the current one first, with this request as its last activity, then the others by
 * their last use.
 */
export async function listSessions(
  { db, clock, afterResponse }: Deps,
  actor: SessionActor,
  client: Client,
): Promise<LoginSession[]> {
  const now = clock.now()
  afterResponse(() => touchSession(db, actor, client, now))
  const rows = await db
    .select({ ...columnsIn(sessions, LoginSession.shape), userAgent: sessions.userAgent })
    .from(sessions)
    .where(and(eq(sessions.userId, actor.user.id), gt(sessions.expiresAt, toStoredTimestamp(now))))
    .orderBy(sql`${sessions.id} <> ${actor.sessionId}`, desc(sessions.lastActivity), desc(sessions.id))
  // The module is large, and only this function needs it.
  const { deviceOf } = await import('./device')
  return rows.map(({ userAgent, ...row }) => {
    const isCurrent = row.id === actor.sessionId
    return {
      ...row,
      created_at: toApiTimestamp(row.created_at),
      last_activity: toApiTimestamp(isCurrent ? toStoredTimestamp(now) : row.last_activity),
      location: isCurrent ? client.location : row.location,
      device: deviceOf(isCurrent ? client.userAgent : userAgent),
      is_current: isCurrent,
    }
  })
}

/**
 * Ends one of the caller's sessions, which may be the current one.
 * @throws 404 for an id of another session; 401 if the current session was revoked meanwhile
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
 * Ends all of the caller's sessions but the current one, and returns their number.
 * @throws 401 if the current session was revoked meanwhile
 */
export async function revokeOthers(db: Database, actor: SessionActor): Promise<number> {
  const end = endOtherSessions(db, actor.user.id, actor.sessionId)
  const [ended] = await runIf(db, isSessionOpen(actor.sessionId), [end], notAuthenticated)
  return ended.length
}
