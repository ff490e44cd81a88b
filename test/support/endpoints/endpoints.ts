// Bodies and expected responses for tests of saved queries.
import { expect } from 'vitest'
import { and, eq, sql } from 'drizzle-orm'
import { activityLog, endpoints, endpointVersions, propertyDefinitions } from '../../../drizzle'
import { seen } from '../responses'
import { createTenant, database, type Tenant } from '../tenant'

/** The query of a body. */
export const hogql = (query: string, rest: Record<string, unknown> = {}) => ({
  kind: 'HogQLQuery',
  query,
  ...rest,
})

/** The same query as it is stored and shown, with every key. */
export const shownHogql = (query: string, rest: Record<string, unknown> = {}) => ({
  connectionId: null,
  explain: null,
  filters: null,
  kind: 'HogQLQuery',
  modifiers: null,
  name: null,
  query,
  response: null,
  sendRawQuery: null,
  tags: null,
  values: null,
  variables: null,
  version: null,
  ...rest,
})

/** A trends query with one series. */
export const trends = (rest: Record<string, unknown> = {}) => ({
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: '$pageview' }],
  ...rest,
})

/** Returns the response to an endpoint that is rejected. It fails if the endpoint is created. */
export async function refusalOfCreate(body: unknown) {
  const tenant = await createTenant()
  const response = seen(await tenant.post(tenant.endpoints(), body))
  expect((await tenant.get(tenant.endpoints())).body.count).toBe(0)
  return response
}

/** A tenant's user as records show them. */
export const summaryOf = ({ user }: Tenant) => ({
  id: user.id,
  uuid: user.uuid,
  distinct_id: expect.stringMatching(/^[0-9A-Za-z]{43}$/),
  first_name: 'Ada',
  last_name: '',
  email: user.email,
  is_email_verified: true,
  hedgehog_config: null,
  role_at_organization: null,
})

/** Returns the activity of an endpoint, oldest first. */
export async function activitiesOf({ projectId, user }: Tenant, endpointId: string) {
  const rows = await database()
    .select()
    .from(activityLog)
    .where(and(eq(activityLog.projectId, projectId), eq(activityLog.itemId, endpointId)))
    .orderBy(activityLog.createdAt, activityLog.id)
  return rows.map(({ scope, activity, detail, userId }) => {
    if (userId !== user.id) throw new Error('an entry of somebody else')
    const { changes, context, name } = detail
    return { scope, activity, name, changes, ...(context ? { context } : {}) }
  })
}

/** Records that a key ran an endpoint at a moment, as a run does. */
export const wasRun = ({ projectId }: Tenant, name: string, at: string) =>
  database()
    .update(endpoints)
    .set({ lastExecutedAt: at })
    .where(and(eq(endpoints.projectId, projectId), eq(endpoints.name, name)))

/** Returns a version as it is stored. */
export async function storedVersion(endpointId: string, version: number) {
  const [row] = await database()
    .select()
    .from(endpointVersions)
    .where(and(eq(endpointVersions.endpointId, endpointId), eq(endpointVersions.version, version)))
  return row
}

/** Returns the number of rows of an endpoint's versions. */
export async function countVersions(endpointId: string): Promise<number> {
  const [row] = await database()
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(endpointVersions)
    .where(eq(endpointVersions.endpointId, endpointId))
  return row!.count
}

/** Defines the type of a property's values. */
export const define = (
  { projectId }: Pick<Tenant, 'projectId'>,
  definition: Pick<typeof propertyDefinitions.$inferInsert, 'owner' | 'name' | 'type'>,
) =>
  database()
    .insert(propertyDefinitions)
    .values({ projectId, ...definition })
