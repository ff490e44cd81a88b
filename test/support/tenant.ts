// An organization with a project, a user and a key, which is made for one test.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { memberships, personalApiKeys, projects, users } from '../../drizzle'
import {
  newMembership,
  newOrganization,
  newPersonalApiKey,
  newProject,
  newUser,
  type ProvisionContext,
  type NewKey,
} from '../../src/account/provisioning'
import type { Level } from '../../src/auth/actor'
import { createIds } from '../../src/clock'
import { type Database, openDatabase } from '../../src/storage/database'
import { runBatch } from '../../src/storage/run-batch'
import { createMeter } from '../../src/storage/metered-d1'
import { type TestResponse, createHarness, type Harness } from './harness'

const ids = createIds()
let count = 0

/** Databases for preparing and checking, whose cost is not counted. */
export const database = (): Database => openDatabase(env.DB, createMeter())
export const shard = (): Database => openDatabase(env.EVENTS, createMeter())

export interface Person {
  id: number
  uuid: string
  email: string
}

export interface Tenant extends Harness {
  organizationId: string
  projectId: number
  /** The public token that SDKs send. */
  projectToken: string
  user: Person
  key: string
  /** Returns a path below this project's flags. */
  flags(rest?: string | number): string
  /** Returns a path below this project's endpoints. */
  endpoints(rest?: string): string
  get(path: string): Promise<TestResponse>
  post(path: string, body?: unknown): Promise<TestResponse>
  patch(path: string, body?: unknown): Promise<TestResponse>
  put(path: string, body?: unknown): Promise<TestResponse>
  delete(path: string): Promise<TestResponse>
  /** Returns the same tenant with another key of the same user. */
  withKey(key: Partial<NewKey>): Promise<Tenant>
  /**
   * Creates a flag and returns it.
   * @throws the response, if that fails
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever came back
  flag(body?: Record<string, unknown>): Promise<any>
  /**
   * Creates an endpoint and returns it.
   * @throws the response, if that fails
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever came back
  endpoint(body?: Record<string, unknown>): Promise<any>
  /**
   * Creates a variable for queries and returns it.
   * @throws the response, if that fails
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever came back
  variable(body?: Record<string, unknown>): Promise<any>
}

/** Changes the level of a tenant's user. Keys are cached for a while, so that this must come before the first request. */
export const setLevel = ({ user }: Pick<Tenant, 'user'>, level: Level) =>
  database().update(memberships).set({ level }).where(eq(memberships.userId, user.id))

export async function createTenant(options: { level?: Level; harness?: Harness } = {}): Promise<Tenant> {
  const { level = 1, harness = createHarness() } = options
  const db = database()
  const context = { db, ids, now: harness.clock.now() }
  count += 1
  const organization = newOrganization(context, `Organization ${count}`)
  const project = newProject(context, organization.id, `Project ${count}`)
  const user = newUser(context, {
    email: `${ids.uuid(context.now)}@example.com`,
    firstName: 'Ada',
    passwordHash: null,
  })
  const wanted = { label: 'test', scopes: ['*'] }
  const key = await keyInUse(context, user.uuid, wanted)
  const results = await runBatch(db, [
    organization.statement,
    project.statement,
    user.statement,
    newMembership(context, user.uuid, organization.id, level),
    ...key.statements,
    db.select().from(projects).where(eq(projects.uuid, project.uuid)),
    db.select().from(users).where(eq(users.uuid, user.uuid)),
  ])
  const [[projectRow], [userRow]] = results.slice(-2) as [
    (typeof projects.$inferSelect)[],
    (typeof users.$inferSelect)[],
  ]
  return tenantWith(harness, organization.id, projectRow!, userRow!, wanted, key.value)
}

/** A key whose hourly record of use is written already, because tests of cost do not count it. */
async function keyInUse(context: ProvisionContext, userUuid: string, wanted: NewKey) {
  const { id, value, statement } = await newPersonalApiKey(context, userUuid, wanted)
  const used = context.db
    .update(personalApiKeys)
    .set({ lastUsedAt: context.now.toISOString() })
    .where(eq(personalApiKeys.id, id))
  return { value, statements: [statement, used] }
}

function tenantWith(
  harness: Harness,
  organizationId: string,
  { id: projectId, apiToken: projectToken }: { id: number; apiToken: string },
  user: Person,
  wanted: NewKey,
  key: string,
): Tenant {
  const headers = { Authorization: `Bearer ${key}` }
  const flags = (rest: string | number = '') =>
    `/api/projects/${projectId}/feature_flags/${rest}${rest === '' ? '' : '/'}`
  const endpoints = (rest = '') => `/api/projects/${projectId}/endpoints/${rest}${rest === '' ? '' : '/'}`
  const post = (path: string, body: unknown = {}) => harness.send('POST', path, { body, headers })
  const made = async (path: string, body: unknown) => {
    const response = await post(path, body)
    if (response.status !== 201) throw new Error(JSON.stringify(response.body))
    return response.body
  }
  return {
    ...harness,
    organizationId,
    projectId,
    projectToken,
    user,
    key,
    flags,
    endpoints,
    get: (path) => harness.send('GET', path, { headers }),
    post,
    patch: (path, body = {}) => harness.send('PATCH', path, { body, headers }),
    put: (path, body = {}) => harness.send('PUT', path, { body, headers }),
    delete: (path) => harness.send('DELETE', path, { headers }),
    withKey: async (other) => {
      const db = database()
      const another = { ...wanted, ...other }
      const { value, statements } = await keyInUse({ db, ids, now: harness.clock.now() }, user.uuid, another)
      await runBatch(db, statements)
      return tenantWith(
        harness,
        organizationId,
        { id: projectId, apiToken: projectToken },
        user,
        another,
        value,
      )
    },
    flag: (body = {}) =>
      made(flags(), { key: `flag-${ids.secret(6)}`, _should_create_usage_dashboard: false, ...body }),
    endpoint: (body = {}) =>
      made(endpoints(), {
        name: `endpoint-${ids.secret(6)}`,
        query: { kind: 'HogQLQuery', query: 'SELECT count() FROM events' },
        ...body,
      }),
    variable: (body = {}) =>
      made(`/api/projects/${projectId}/insight_variables/`, {
        name: `Variable ${ids.secret(6)}`,
        type: 'String',
        ...body,
      }),
  }
}
