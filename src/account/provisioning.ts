// Statements that create organizations, projects, users and keys. The setup command writes them as SQL.
import { sql } from 'drizzle-orm'
import { memberships, organizations, personalApiKeys, projects, users } from '../../drizzle'
import { type AnalyticsStore, DEFAULT_STORE } from '../storage/shards'
import type { Level } from '../auth/actor'
import { maskOf, newApiKey } from '../auth/api-keys'
import { secureValueOf } from '../auth/secure-value'
import type { Ids } from '../clock'
import type { Database } from '../storage/database'
import { toStoredTimestamp } from '../timestamps'

export interface ProvisionContext {
  db: Database
  ids: Ids
  now: Date
}

/** Returns a slug in lower case of at most 45 characters, which a random suffix makes unique. */
const slugOf = (name: string, ids: Ids) => {
  const base =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 40) || 'organization'
  return `${base}-${ids.secret(4).slice(-4).toLowerCase()}`
}

export function newOrganization({ db, ids, now }: ProvisionContext, name: string) {
  const id = ids.uuid(now)
  const at = toStoredTimestamp(now)
  return {
    id,
    statement: db
      .insert(organizations)
      .values({ id, name, slug: slugOf(name, ids), createdAt: at, updatedAt: at }),
  }
}

/** Creates a project. Its token is public, because client code contains it. */
export function newProject(
  { db, ids, now }: ProvisionContext,
  organizationId: string,
  name: string,
  timezone = 'UTC',
  store: AnalyticsStore = DEFAULT_STORE,
) {
  const uuid = ids.uuid(now)
  const apiToken = `phc_${ids.secret(32)}`
  return {
    uuid,
    apiToken,
    statement: db.insert(projects).values({
      uuid,
      organizationId,
      name,
      apiToken,
      timezone,
      ...store,
      createdAt: toStoredTimestamp(now),
    }),
  }
}

interface NewUser {
  email: string
  firstName: string
  passwordHash: string | null
  isStaff?: boolean
  /** Null: not confirmed; signing in does not require it. */
  isEmailVerified?: boolean | null
}

export function newUser(
  { db, ids, now }: ProvisionContext,
  { email, firstName, passwordHash, isStaff = false, isEmailVerified = true }: NewUser,
) {
  const uuid = ids.uuid(now)
  return {
    uuid,
    statement: db.insert(users).values({
      uuid,
      distinctId: ids.secret(32),
      email: email.toLowerCase(),
      firstName,
      passwordHash,
      isStaff,
      isEmailVerified,
      dateJoined: toStoredTimestamp(now),
    }),
  }
}

const userIdOf = (uuid: string) => sql<number>`(SELECT id FROM users WHERE uuid = ${uuid})`

export const newMembership = (
  { db, now }: ProvisionContext,
  userUuid: string,
  organizationId: string,
  level: Level,
) =>
  db
    .insert(memberships)
    .values({ userId: userIdOf(userUuid), organizationId, level, joinedAt: toStoredTimestamp(now) })

export interface NewKey {
  /** The id of the key. The default is a random one. */
  id?: string
  label: string
  description?: string | null
  scopes: string[]
  scopedTeams?: number[]
  scopedOrganizations?: string[]
}

/** Creates a key. `value` is not stored. */
export async function newPersonalApiKey(
  { db, ids, now }: ProvisionContext,
  userUuid: string,
  { id = ids.secret(16), ...key }: NewKey,
) {
  const value = newApiKey(ids)
  return {
    id,
    value,
    statement: db.insert(personalApiKeys).values({
      id,
      userId: userIdOf(userUuid),
      secureValue: await secureValueOf(value),
      maskValue: maskOf(value),
      scopedTeams: [],
      scopedOrganizations: [],
      ...key,
      createdAt: toStoredTimestamp(now),
    }),
  }
}
