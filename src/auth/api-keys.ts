// Creates and authenticates personal API keys.
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { personalApiKeys, users } from '../../drizzle'
import type { Ids } from '../clock'
import type { Database } from '../storage/database'
import { toStoredTimestamp } from '../timestamps'
import { type Access, accessFrom, accessSql, type Target } from './access'
import type { ApiKeyActor } from './actor'
import { userColumns } from './user-columns'

const USED_AT_RESOLUTION_MS = 3_600_000

/** Maximum characters of a key. Our keys have 47. Longer text is rejected before it is hashed, because a body may have a megabyte. */
export const MAX_KEY_LENGTH = 256

/** Creates a key: `phx_` and 32 random bytes. It is never stored. */
export const newApiKey = (ids: Pick<Ids, 'secret'>) => `phx_${ids.secret(32)}`

export const maskOf = (key: string) => `${key.slice(0, 4)}...${key.slice(-4)}`

export interface AuthenticatedKey {
  actor: ApiKeyActor
  /** The access to the target. It is null without a target, and for an unknown one. */
  access: Access | null
  lastUsedAt: string | null
}

/** Reads a key, its active owner and the target in one round trip. Returns null for an unknown key. */
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
      user: userColumns,
      access: accessSql(target).as('access'),
    })
    .from(personalApiKeys)
    .innerJoin(users, and(eq(users.id, personalApiKeys.userId), eq(users.isActive, true)))
    .where(eq(personalApiKeys.secureValue, secureValue))
  if (!row) return null

  const { lastUsedAt, access, ...key } = row
  return { actor: { kind: 'apiKey', ...key }, access: accessFrom(access), lastUsedAt }
}

/** Records the use of a key, at most hourly. The condition is in SQL, so that only one of several concurrent requests writes. */
export async function touchKey(
  db: Database,
  keyId: string,
  lastUsedAt: string | null,
  now: Date,
): Promise<void> {
  const due = toStoredTimestamp(new Date(now.getTime() - USED_AT_RESOLUTION_MS))
  if (lastUsedAt !== null && lastUsedAt >= due) return
  await db
    .update(personalApiKeys)
    .set({ lastUsedAt: toStoredTimestamp(now) })
    .where(
      and(
        eq(personalApiKeys.id, keyId),
        or(isNull(personalApiKeys.lastUsedAt), lt(personalApiKeys.lastUsedAt, due)),
      ),
    )
}
