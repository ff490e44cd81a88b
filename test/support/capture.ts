// Sends events as an SDK does, and reads the results.
import { and, eq, sql } from 'drizzle-orm'
import { groups, groupTypes, personDistinctIds, persons } from '../../drizzle'
import { events } from '../../drizzle/events'
import type { Person } from '../../src/analytics/persons'
import { personByDistinctId } from './database/persons'
import type { TestResponse } from './harness'
import { database, shard, type Tenant } from './tenant'

export type SentEvent = Record<string, unknown>

/** The number of rows by which equal requests may differ: a search that finds nothing counts the row at which it ends, if there is one. */
export const CHANCE_ROWS = 5

/** Sends a batch with the tenant's token. */
export const sendBatch = (
  tenant: Tenant,
  batch: unknown,
  rest: Record<string, unknown> = {},
): Promise<TestResponse> =>
  tenant.send('POST', '/batch/', { body: { api_key: tenant.projectToken, batch, ...rest } })

/**
 * Sends events one by one, each in its own request.
 * @throws the response, if one is rejected
 */
export async function sendEach(tenant: Tenant, sent: readonly SentEvent[]): Promise<void> {
  for (const event of sent) {
    const { status, body } = await sendBatch(tenant, [event])
    if (status !== 200 || body.errors) throw new Error(JSON.stringify(body))
  }
}

/** Returns an event of a person, with properties of its own if a test needs them. */
export const event = (distinctId: string, properties: SentEvent = {}, name = 'opened'): SentEvent => ({
  event: name,
  distinct_id: distinctId,
  properties,
})

export const identify = (distinctId: string, anonymous?: string, properties: SentEvent = {}): SentEvent =>
  event(distinctId, { ...(anonymous ? { $anon_distinct_id: anonymous } : {}), ...properties }, '$identify')

export const alias = (distinctId: string, other: string): SentEvent =>
  event(distinctId, { alias: other }, '$create_alias')

export const mergeDangerously = (distinctId: string, other: string): SentEvent =>
  event(distinctId, { alias: other }, '$merge_dangerously')

export const groupIdentify = (
  type: string,
  key: unknown,
  set: SentEvent = {},
  distinctId = 'ada',
): SentEvent => event(distinctId, { $group_type: type, $group_key: key, $group_set: set }, '$groupidentify')

/** Returns the person of a distinct id, or null. */
export const personOf = ({ projectId }: Tenant, distinctId: string): Promise<Person | null> =>
  personByDistinctId(database(), projectId, distinctId)

/** Returns every person of the project, as distinct ids and properties, sorted by the first id. */
export async function peopleOf({
  projectId,
}: Tenant): Promise<{ distinctIds: string[]; properties: unknown }[]> {
  const rows = await database()
    .select({
      id: persons.id,
      properties: persons.properties,
      distinctId: personDistinctIds.distinctId,
    })
    .from(persons)
    .leftJoin(personDistinctIds, eq(personDistinctIds.personId, persons.id))
    .where(eq(persons.projectId, projectId))
    .orderBy(personDistinctIds.distinctId)
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((same) => ({
    distinctIds: same.map(({ distinctId }) => distinctId!),
    properties: same[0]!.properties,
  }))
}

/** Returns every stored event of the project, in the order of arrival. */
export const eventsOf = ({ projectId }: Tenant, name?: string) =>
  shard()
    .select({
      uuid: events.uuid,
      event: events.event,
      distinctId: events.distinctId,
      properties: sql`json(${events.properties})`
        .mapWith((text: string) => JSON.parse(text) as SentEvent)
        .as('properties_text'),
      timestamp: events.timestamp,
      createdAt: events.createdAt,
      setsProperties: sql`${events.setsProperties} > 0`.mapWith(Boolean).as('is_setting'),
      flagKey: events.flagKey,
      flagResponse: events.flagResponse,
    })
    .from(events)
    .where(and(eq(events.projectId, projectId), name === undefined ? undefined : eq(events.event, name)))
    .orderBy(events.id)

/** Returns the project's group types by number, and its groups. */
export async function groupsOf({ projectId }: Tenant) {
  const db = database()
  const [types, rows] = await db.batch([
    db.select().from(groupTypes).where(eq(groupTypes.projectId, projectId)).orderBy(groupTypes.index),
    db
      .select({
        typeIndex: groups.typeIndex,
        key: groups.key,
        properties: groups.properties,
        version: groups.version,
      })
      .from(groups)
      .where(eq(groups.projectId, projectId))
      .orderBy(groups.typeIndex, groups.key),
  ])
  return { types: types.map(({ name }) => name), groups: rows }
}
