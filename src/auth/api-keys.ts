// Personal API keys: how one is made, and how one is recognised (decision 9, reference §15).
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { personalApiKeys, users } from '../../drizzle'
import type { Ids } from '../clock'
import type { Database } from '../storage/database'
import { stored } from '../timestamps'
import { type Access, accessFrom, accessSql, type Target } from './access'
import type { ApiKeyActor } from './actor'
import { userColumns, userFrom } from './user-columns'

const USED_AT_RESOLUTION_MS = 3_600_000

/** Ours have 47 characters. A longer text is refused before it is hashed: a body may carry a megabyte. */
export const MAX_KEY_LENGTH = 256

/** A new key value: `phx_` and 32 random bytes. Shown once, never stored. */
export const newApiKey = (ids: Pick<Ids, 'secret'>) => `phx_${ids.secret(32)}`

/** The first and last four characters: enough to tell keys apart. */
export const maskOf = (key: string) => `${key.slice(0, 4)}...${key.slice(-4)}`

/** What is stored in place of a key: `sha256$` and the hex digest of its whole text. */
export async function secureValueOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return `sha256$${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

export interface AuthenticatedKey {
  actor: ApiKeyActor
  /** Null: there is no such thing (or none was asked for). */
  access: Access | null
  lastUsedAt: string | null
}

/**
 * Looks up a key, its active owner and what the path names in one round trip.
 * @returns null for a key that opens nothing.
 */
export async function authenticateKey(
  db: Database,
  secureValue: string,
  target: Target,
): Promise<AuthenticatedKey | null> {
  const [row] = await db
    .select({
      keyId: sql<string>`${personalApiKeys.id}`.as('key_id'),
      scopes: personalApiKeys.scopes,
      scopedTeams: personalApiKeys.scopedTeams,
      scopedOrganizations: personalApiKeys.scopedOrganizations,
      lastUsedAt: personalApiKeys.lastUsedAt,
      ...userColumns,
      access: accessSql(target).as('access'),
    })
    .from(personalApiKeys)
    .innerJoin(users, and(eq(users.id, personalApiKeys.userId), eq(users.isActive, true)))
    .where(eq(personalApiKeys.secureValue, secureValue))
  if (!row) return null

  const { keyId, scopes, scopedTeams, scopedOrganizations, lastUsedAt, access, ...user } = row
  return {
    actor: { kind: 'apiKey', keyId, user: userFrom(user), scopes, scopedTeams, scopedOrganizations },
    access: accessFrom(access),
    lastUsedAt,
  }
}

/** Notes that a key was used, at most hourly. The condition is in SQL, so requests that race write once. */
export async function touchKey(
  db: Database,
  keyId: string,
  lastUsedAt: string | null,
  now: Date,
): Promise<void> {
  const due = stored(new Date(now.getTime() - USED_AT_RESOLUTION_MS))
  if (lastUsedAt !== null && lastUsedAt >= due) return
  await db
    .update(personalApiKeys)
    .set({ lastUsedAt: stored(now) })
    .where(
      and(
        eq(personalApiKeys.id, keyId),
        or(isNull(personalApiKeys.lastUsedAt), lt(personalApiKeys.lastUsedAt, due)),
      ),
    )
}
