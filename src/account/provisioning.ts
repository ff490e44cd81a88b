// Statements that create organizations, projects, users and keys. The setup command writes them as SQL.
import { sql } from 'drizzle-orm'
import { memberships, organizations, personalApiKeys, projects, users } from '../../drizzle'
import { type AnalyticsStore, DEFAULT_STORE } from '../storage/shards'
import { type Level, OWNER } from '../auth/actor'
import { maskOf, newApiKey } from '../auth/api-keys'
import { secureValueOf } from '../auth/secure-value'
import type { Ids } from '../clock'
import type { Database } from '../storage/database'
import { toStoredTimestamp } from '../timestamps'
import { normalEmail } from './identity-fields'
import { hashPassword } from './password/hash'

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
      email: normalEmail(email),
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

type KeyColumns = typeof personalApiKeys.$inferInsert
export type NewKey = Pick<KeyColumns, 'label' | 'description' | 'scopes'> &
  Partial<Pick<KeyColumns, 'scopedTeams' | 'scopedOrganizations'>>

/** Creates a key. `value` is not stored. */
export async function newPersonalApiKey({ db, ids, now }: ProvisionContext, userUuid: string, key: NewKey) {
  const id = ids.secret(16)
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

// Seeds a deployment: its first organization, project, user and key. There is no default password.

export type SeedCredentials = Awaited<ReturnType<typeof seedDeployment>>['credentials']

/** Returns the statements, in order, for the first organization, project, user and key, with random secrets. */
export async function seedDeployment(
  db: Database,
  ids: Ids,
  now: Date,
  email: string,
  queryEngine: AnalyticsStore['queryEngine'] = 'd1',
) {
  const context = { db, ids, now }
  const password = ids.secret(18)
  const organization = newOrganization(context, 'My organization')
  const project = newProject(context, organization.id, 'Default project', 'UTC', {
    ...DEFAULT_STORE,
    queryEngine,
  })
  const user = newUser(context, {
    email,
    firstName: email.split('@')[0] ?? '',
    passwordHash: await hashPassword(password),
    isStaff: true,
  })
  const key = await newPersonalApiKey(context, user.uuid, { label: 'First key', scopes: ['*'] })
  return {
    credentials: {
      email,
      password,
      userUuid: user.uuid,
      projectUuid: project.uuid,
      projectApiToken: project.apiToken,
      personalApiKey: key.value,
    },
    statements: [
      organization.statement,
      project.statement,
      user.statement,
      newMembership(context, user.uuid, organization.id, OWNER),
      key.statement,
    ],
  }
}
