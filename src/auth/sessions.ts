// Cookie sessions (docs/reference/accounts.md#sign-in). Every request reads its session from D1, with the target, in one round trip. A
// revoked session is therefore invalid at once, everywhere.
import { createHash } from 'node:crypto'
import { and, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import { sessions, users } from '../../drizzle'
import type { Ids } from '../clock'
import type { Database } from '../storage/database'
import { toStoredTimestamp } from '../timestamps'
import { type Access, accessFrom, accessSql, type Target } from './access'
import type { SessionActor } from './actor'
import type { Client } from './client'
import { impersonationFrom } from './impersonation'
import { userColumns } from './user-columns'

/** The lifetime of a session. It starts at the sign-in, and use does not extend it. */
export const SESSION_SECONDS = 14 * 24 * 3600
const ACTIVITY_RESOLUTION_MS = 5 * 60_000

/** Returns the stored form of a token. It has no salt, because the token has 256 random bits. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

export const newToken = (ids: Pick<Ids, 'secret'>): string => ids.secret(32)

/**
 * Creates a session. `token` is not stored.
 * @param ssoOrganizationId the organization whose provider confirmed the user, or null for a password
 */
export function newSession(
  { db, ids, now }: { db: Database; ids: Ids; now: Date },
  {
    userId,
    client,
    ssoOrganizationId = null,
  }: { userId: number | SQL<number>; client: Client; ssoOrganizationId?: string | null },
) {
  const token = newToken(ids)
  const at = toStoredTimestamp(now)
  return {
    token,
    statement: db.insert(sessions).values({
      id: ids.uuid(now),
      tokenHash: hashToken(token),
      userId,
      createdAt: at,
      authenticatedAt: at,
      expiresAt: toStoredTimestamp(new Date(now.getTime() + SESSION_SECONDS * 1000)),
      lastActivity: at,
      userAgent: client.userAgent,
      location: client.location,
      loginMethod: ssoOrganizationId === null ? 'password' : 'oidc',
      ssoOrganizationId,
    }),
  }
}

export interface AuthenticatedSession {
  actor: SessionActor
  access: Access | null
  lastActivity: string
}

/** Reads a session, the active user for whom it acts and the target in one round trip. @returns null for an unknown or expired token */
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
      isImpersonable: sql<number>`(users.allow_impersonation IS NOT 0 AND NOT users.is_staff)`.as(
        'is_impersonable',
      ),
      impersonationActivity: sessions.impersonationLastActivity,
      needsTwoFactor: needsTwoFactor(sql`users.id`).as('needs_two_factor'),
      user: userColumns,
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
        gt(sessions.expiresAt, toStoredTimestamp(now)),
        // The owner of the session must be active, and during impersonation still staff.
        sql`EXISTS (SELECT 1 FROM users owner WHERE owner.id = ${sessions.userId} AND owner.is_active
          AND (owner.is_staff OR ${sessions.impersonatedUserId} IS NULL))`,
      ),
    )
  if (!row) return null

  const impersonation = impersonationFrom(row, now)
  // An opt-out of the user ends a running impersonation, too.
  if (impersonation === 'expired' || (impersonation && !row.isImpersonable)) return 'impersonation expired'
  return {
    actor: {
      kind: 'session',
      sessionId: row.sessionId,
      user: row.user,
      createdAt: row.createdAt,
      authenticatedAt: row.authenticatedAt,
      impersonation,
      needsTwoFactor: Boolean(row.needsTwoFactor),
    },
    access: accessFrom(row.access),
    lastActivity: row.lastActivity,
  }
}

/** SQL condition: an organization of the user requires a second factor that the user does not have. */
export const needsTwoFactor = (
  userId: SQL,
) => sql<number>`(NOT EXISTS (SELECT 1 FROM totp_devices t WHERE t.user_id = ${userId})
  AND EXISTS (SELECT 1 FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = ${userId} AND o.enforce_2fa))`

/** Whether to record activity: every five minutes, or at every request during impersonation. */
export const isTouchDue = (actor: SessionActor, lastActivity: string, now: Date): boolean =>
  actor.impersonation !== null ||
  lastActivity < toStoredTimestamp(new Date(now.getTime() - ACTIVITY_RESOLUTION_MS))

export function touchSession(db: Database, actor: SessionActor, client: Client, now: Date) {
  const at = toStoredTimestamp(now)
  return (
    db
      .update(sessions)
      .set({
        lastActivity: at,
        userAgent: client.userAgent,
        location: client.location,
        ...(actor.impersonation ? { impersonationLastActivity: at } : {}),
      })
      // Concurrent requests must not move the timestamp back.
      .where(and(eq(sessions.id, actor.sessionId), lt(sessions.lastActivity, at)))
  )
}

export const endSession = (db: Database, token: string) =>
  db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token)))

/** Maximum sessions of a user. A request that lists or ends them reads all. */
export const MAX_SESSIONS = 100

/** Ends the sessions of the user past MAX_SESSIONS that were not used for the longest time, in the batch that opens a session. */
export const endOldSessions = (db: Database, userId: number | SQL<number>) =>
  db.delete(sessions).where(sql`${sessions.id} IN (SELECT s.id FROM sessions s WHERE s.user_id = ${userId}
    ORDER BY s.last_activity DESC, s.id DESC LIMIT -1 OFFSET ${MAX_SESSIONS})`)

/** Write guard of statements that end other sessions. When several sessions revoke each other at the same time, one remains. */
export const isSessionOpen = (sessionId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${sessions} WHERE ${eq(sessions.id, sessionId)})`

/** Ends other sessions, and returns a row for each. */
export const endOtherSessions = (db: Database, userId: number, keepId: string | null) =>
  db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), keepId === null ? undefined : sql`${sessions.id} <> ${keepId}`))
    .returning({ id: sessions.id })
