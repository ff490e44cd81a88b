// Personal API keys: how one is made, and how one is recognised (decision 9, reference §15).
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { memberships, organizations, personalApiKeys, projects, users } from '../../drizzle'
import type { Ids } from '../clock'
import type { Database } from '../storage/database'
import { stored } from '../timestamps'
import type { ApiKeyActor } from './actor'

const USED_AT_RESOLUTION_MS = 3_600_000

/** A new key value: `phx_` and 32 random bytes. Shown once, never stored. */
export const newApiKey = (ids: Pick<Ids, 'secret'>) => `phx_${ids.secret(32)}`

/** The first and last four characters: enough to tell keys apart. */
export const maskOf = (key: string) => `${key.slice(0, 4)}...${key.slice(-4)}`

/** What is stored in place of a key: `sha256$` and the hex digest of its whole text. */
export async function secureValueOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return `sha256$${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** The project that a path names, seen with the key owner's membership in its organization. */
export interface ProjectAccess {
  id: number
  organizationId: string
  organizationName: string
  timezone: string
  requireEvaluationContexts: boolean
  keysAllowed: boolean
  /** Null: not a member. */
  membershipLevel: number | null
}

export interface Recognised {
  actor: ApiKeyActor
  /** Null: no such project (or none was asked for). */
  project: ProjectAccess | null
  lastUsedAt: string | null
}

/**
 * Looks up a key, its active owner and the wanted project in one round trip.
 * @param wanted a project id, or `@current` for the owner's own choice (else their first project), or null.
 * @returns null for a key that opens nothing.
 */
export async function recognise(
  db: Database,
  secureValue: string,
  wanted: number | '@current' | null,
): Promise<Recognised | null> {
  const firstReachable = sql`(SELECT min(p.id) FROM ${projects} p JOIN ${memberships} m
    ON m.organization_id = p.organization_id WHERE m.user_id = ${users.id})`
  const target =
    wanted === '@current' ? sql`coalesce(${users.currentProjectId}, ${firstReachable})` : sql`${wanted}`
  const [row] = await db
    .select({
      keyId: sql<string>`${personalApiKeys.id}`.as('key_id'),
      scopes: personalApiKeys.scopes,
      scopedTeams: personalApiKeys.scopedTeams,
      scopedOrganizations: personalApiKeys.scopedOrganizations,
      lastUsedAt: personalApiKeys.lastUsedAt,
      userId: sql<number>`${users.id}`.as('the_user_id'),
      userUuid: sql<string>`${users.uuid}`.as('user_uuid'),
      email: users.email,
      firstName: users.firstName,
      isStaff: users.isStaff,
      projectId: sql<number | null>`${projects.id}`.as('project_id'),
      organizationId: sql<string>`${organizations.id}`.as('organization_id'),
      organizationName: sql<string>`${organizations.name}`.as('organization_name'),
      keysAllowed: organizations.membersCanUsePersonalApiKeys,
      timezone: projects.timezone,
      requireEvaluationContexts: projects.requireEvaluationContexts,
      membershipLevel: sql<number | null>`${memberships.level}`.as('membership_level'),
    })
    .from(personalApiKeys)
    .innerJoin(users, and(eq(users.id, personalApiKeys.userId), eq(users.isActive, true)))
    .leftJoin(projects, eq(projects.id, target))
    .leftJoin(organizations, eq(organizations.id, projects.organizationId))
    .leftJoin(
      memberships,
      and(eq(memberships.userId, users.id), eq(memberships.organizationId, projects.organizationId)),
    )
    .where(eq(personalApiKeys.secureValue, secureValue))
  if (!row) return null

  return {
    actor: {
      kind: 'apiKey',
      keyId: row.keyId,
      user: {
        id: row.userId,
        uuid: row.userUuid,
        email: row.email,
        firstName: row.firstName,
        isStaff: row.isStaff,
      },
      scopes: row.scopes,
      scopedTeams: row.scopedTeams,
      scopedOrganizations: row.scopedOrganizations,
    },
    project:
      row.projectId === null
        ? null
        : {
            id: row.projectId,
            organizationId: row.organizationId,
            organizationName: row.organizationName,
            timezone: row.timezone ?? 'UTC',
            requireEvaluationContexts: row.requireEvaluationContexts ?? false,
            keysAllowed: row.keysAllowed ?? true,
            membershipLevel: row.membershipLevel,
          },
    lastUsedAt: row.lastUsedAt,
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
