// Cookie sessions: how one is made, recognised, kept alive and ended (decision 10, reference/account-api.md §2.1, §9.1).
//
// A session is looked up in D1 for every request, together with what the path names: one round trip, and a session that was revoked is
// gone at once, everywhere. Nothing of a session is kept between requests.
import { createHash } from 'node:crypto'
import { and, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import { sessions, users } from '../../drizzle'
import type { Ids } from '../clock'
import type { Database } from '../storage/database'
import { stored } from '../timestamps'
import { type Access, accessFrom, accessSql, type Target } from './access'
import type { SessionActor } from './actor'
import type { Client } from './client'
import { impersonationFrom } from './impersonation'
import { userColumns, userFrom } from './user-columns'

/** From signing in, not sliding. */
export const SESSION_SECONDS = 14 * 24 * 3600
const ACTIVITY_RESOLUTION_MS = 5 * 60_000

/** How somebody signed in. The service has passwords only; the API knows more names. */
export type LoginMethod = 'password'

/** What is stored in place of a session's token: 256 random bits need no salt. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** A new token for a cookie: 32 random bytes. */
export const newToken = (ids: Pick<Ids, 'secret'>): string => ids.secret(32)

export interface NewSession {
  userId: number
  loginMethod: LoginMethod
  client: Client
}

/** A new session. `token` is the only copy there will ever be. */
export function newSession(
  { db, ids, now }: { db: Database; ids: Ids; now: Date },
  { userId, loginMethod, client }: NewSession,
) {
  const token = newToken(ids)
  const at = stored(now)
  return {
    token,
    statement: db.insert(sessions).values({
      id: ids.uuid(now),
      tokenHash: hashToken(token),
      userId,
      createdAt: at,
      authenticatedAt: at,
      expiresAt: stored(new Date(now.getTime() + SESSION_SECONDS * 1000)),
      lastActivity: at,
      userAgent: client.userAgent,
      location: client.location,
      loginMethod,
    }),
  }
}

export interface AuthenticatedSession {
  actor: SessionActor
  access: Access | null
  lastActivity: string
}

/**
 * Looks up a session that has not expired, the active user it acts for, and what the path names, in one round trip.
 * @returns null for a token that opens nothing; `impersonation expired` when staff looked as somebody
 *   else for too long.
 */
export async function authenticateSession(
  db: Database,
  token: string,
  target: Target,
  now: Date,
): Promise<AuthenticatedSession | 'impersonation expired' | null> {
  const [row] = await db
    .select({
      sessionId: sql<string>`${sessions.id}`.as('session_id'),
      ownerId: sql<number>`${sessions.userId}`.as('owner_id'),
      createdAt: sessions.createdAt,
      authenticatedAt: sessions.authenticatedAt,
      lastActivity: sessions.lastActivity,
      impersonatedUserId: sessions.impersonatedUserId,
      reason: sessions.impersonationReason,
      readOnly: sessions.impersonationReadOnly,
      startedAt: sessions.impersonationStartedAt,
      impersonationActivity: sessions.impersonationLastActivity,
      ...userColumns,
      access: accessSql(target).as('access'),
    })
    .from(sessions)
    .innerJoin(
      users,
      and(
        eq(users.id, sql`coalesce(${sessions.impersonatedUserId}, ${sessions.userId})`),
        eq(users.isActive, true),
      ),
    )
    .where(
      and(
        eq(sessions.tokenHash, hashToken(token)),
        gt(sessions.expiresAt, stored(now)),
        // Whoever signed in has to be active too, and staff still, while they act as somebody else.
        sql`EXISTS (SELECT 1 FROM users owner WHERE owner.id = ${sessions.userId} AND owner.is_active
          AND (owner.is_staff OR ${sessions.impersonatedUserId} IS NULL))`,
      ),
    )
  if (!row) return null

  const impersonation = impersonationFrom(row, now)
  if (impersonation === 'expired') return 'impersonation expired'
  return {
    actor: {
      kind: 'session',
      sessionId: row.sessionId,
      user: userFrom(row),
      createdAt: row.createdAt,
      authenticatedAt: row.authenticatedAt,
      impersonation,
    },
    access: accessFrom(row.access),
    lastActivity: row.lastActivity,
  }
}

/** Whether it is time to note that a session was used: every five minutes, or at every request while it impersonates. */
export const isTouchDue = (actor: SessionActor, lastActivity: string, now: Date): boolean =>
  actor.impersonation !== null || lastActivity < stored(new Date(now.getTime() - ACTIVITY_RESOLUTION_MS))

/** The statement that notes that a session was used, from where and with what. */
export function touchSession(db: Database, actor: SessionActor, client: Client, now: Date) {
  const at = stored(now)
  return (
    db
      .update(sessions)
      .set({
        lastActivity: at,
        userAgent: client.userAgent,
        location: client.location,
        ...(actor.impersonation ? { impersonationLastActivity: at } : {}),
      })
      // Requests overtake each other: what was noted never goes back.
      .where(and(eq(sessions.id, actor.sessionId), lt(sessions.lastActivity, at)))
  )
}

/** The statement that ends the session of a token, if there is one. */
export const endSession = (db: Database, token: string) =>
  db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token)))

/**
 * The condition, for a guard, that a session has not been revoked since its request was authorized. Whatever ends other sessions asks for
 * it: of several sessions that revoke each other at once, one remains.
 */
export const isSessionOpen = (sessionId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${sessions} WHERE ${eq(sessions.id, sessionId)})`

/** The statement that ends every session of a user but one; gives back a row for each. */
export const endOtherSessions = (db: Database, userId: number, keepId: string | null) =>
  db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), keepId === null ? undefined : sql`${sessions.id} <> ${keepId}`))
    .returning({ id: sessions.id })
