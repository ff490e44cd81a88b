// The consumer of the ingestion queue: events once, copies by version, whatever the order and however often messages come.
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { consumeIngestion } from '../../../src/analytics/ingestion/consume'
import { messagesOf } from '../../../src/analytics/ingestion/message'
import { type EventRow, type IngestionRows, noRows } from '../../../src/outbox/ingestion-rows'
import { event, eventsOf, identify, mergeDangerously, sendBatch, sendEach } from '../../support/capture'
import { createHarness } from '../../support/harness'
import { createTenant, type Tenant } from '../../support/tenant'
import { propertyRuns } from '../../support/property-runs'

const AT = '2026-03-01T10:00:00.000000Z'

const eventRow = (uuid: string, name = 'opened', day = '2026-03-01'): EventRow => ({
  uuid,
  event: name,
  distinctId: 'ada',
  timestamp: `${day}T10:00:00.000000Z`,
  createdAt: AT,
  setsProperties: false,
  flagKey: null,
  flagResponse: null,
  properties: { a: 1 },
})

const textsOf = (projectId: number, rows: Partial<IngestionRows>): string[] =>
  messagesOf({ projectId, store: { shard: 'EVENTS', queryEngine: 'd1' } }, { ...noRows(), ...rows })

/** Has the consumer handle messages as one batch. */
async function consume(texts: readonly string[], bindings: Partial<Env> = {}) {
  const messages = texts.map((body) => ({
    id: crypto.randomUUID(),
    timestamp: new Date(),
    attempts: 1,
    body,
  }))
  const batch = createMessageBatch<string>('halyard-ingestion', messages)
  const faults: string[] = []
  await consumeIngestion(batch, { ...env, ...bindings }, (line) => void faults.push(line.message))
  const { retryMessages, explicitAcks } = await getQueueResult(batch, createExecutionContext())
  return { acked: explicitAcks.length, retried: retryMessages.length, faults }
}

const volumesOf = async ({ projectId }: Pick<Tenant, 'projectId'>) =>
  (
    await env.EVENTS.prepare(
      `SELECT day, iif(event = '', '*', event), events, bytes FROM event_volumes WHERE project_id = ? ORDER BY day, event`,
    )
      .bind(projectId)
      .raw()
  ).map((row) => row.join(' '))

describe('events', () => {
  it('are stored and counted once, however often their messages come', async () => {
    const tenant = await createTenant()
    const uuids = Array.from({ length: 5 }, () => crypto.randomUUID())
    const [first = '', second = '', both = ''] = [
      ...textsOf(tenant.projectId, { events: [eventRow(uuids[0]!), eventRow(uuids[1]!, 'closed')] }),
      ...textsOf(tenant.projectId, { events: [eventRow(uuids[2]!, 'opened', '2026-03-02')] }),
      ...textsOf(tenant.projectId, { events: uuids.map((uuid) => eventRow(uuid)) }),
    ]
    expect(await consume([first, second, first])).toEqual({ acked: 3, retried: 0, faults: [] })
    await consume([first])
    await consume([both, both])
    expect((await eventsOf(tenant)).map(({ uuid }) => uuid).toSorted()).toEqual(uuids.toSorted())
    expect(await volumesOf(tenant)).toEqual([
      '2026-03-01 * 4 28',
      '2026-03-01 closed 1 7',
      '2026-03-01 opened 3 21',
      '2026-03-02 * 1 7',
      '2026-03-02 opened 1 7',
    ])
  })

  it('of several projects in one batch stay with their projects', async () => {
    const [one, other] = [await createTenant(), await createTenant()]
    const uuid = crypto.randomUUID()
    await consume([
      ...textsOf(one.projectId, { events: [eventRow(uuid)] }),
      ...textsOf(other.projectId, { events: [eventRow(uuid), eventRow(crypto.randomUUID())] }),
    ])
    expect([(await eventsOf(one)).length, (await eventsOf(other)).length]).toEqual([1, 2])
  })

  it('wait while their shard fails, and do not hold back those of other shards', async () => {
    const [stuck, other] = [await createTenant(), await createTenant()]
    const failing = {
      prepare: (text: string) => env.EVENTS.prepare(text),
      batch: () => Promise.reject(new Error('D1_ERROR: Network connection lost.')),
    } as unknown as D1Database
    const store = { shard: 'EVENTS_2', queryEngine: 'd1' as const }
    const [text = ''] = messagesOf(
      { projectId: stuck.projectId, store },
      { ...noRows(), events: [eventRow(crypto.randomUUID())] },
    )
    const texts = [text, ...textsOf(other.projectId, { events: [eventRow(crypto.randomUUID())] })]
    expect(await consume(texts, { EVENTS_2: failing } as Partial<Env>)).toEqual({
      acked: 1,
      retried: 1,
      faults: ['rows were not written to an analytics store'],
    })
    expect(await eventsOf(other)).toHaveLength(1)
    expect(await consume(texts, { EVENTS_2: env.EVENTS } as Partial<Env>)).toMatchObject({ acked: 2 })
    expect(await eventsOf(stuck)).toHaveLength(1)
  })

  it('of a shard that is not bound are tried again', async () => {
    const [text = ''] = messagesOf(
      { projectId: 1, store: { shard: 'EVENTS_7', queryEngine: 'd1' } },
      { ...noRows(), events: [eventRow(crypto.randomUUID())] },
    )
    expect(await consume([text])).toMatchObject({ acked: 0, retried: 1 })
  })
})

/** The copies of a project, as queries see them. */
async function copiesOf({ projectId }: Pick<Tenant, 'projectId'>) {
  const all = (sql: string) => env.EVENTS.prepare(sql).bind(projectId).raw()
  return {
    persons: await all(
      'SELECT uuid, json(properties), version FROM persons WHERE project_id = ? AND NOT is_deleted ORDER BY uuid',
    ),
    distinctIds: await all(
      'SELECT distinct_id, person_uuid FROM person_distinct_ids WHERE project_id = ? ORDER BY distinct_id',
    ),
    groups: await all(
      'SELECT type_index, group_key, json(properties), version FROM groups WHERE project_id = ? ORDER BY 1, 2',
    ),
    cohortPeople: await all(
      'SELECT cohort_id, person_uuid FROM cohort_people WHERE project_id = ? AND NOT is_deleted ORDER BY 1, 2',
    ),
  }
}

/** The same of the main database. */
async function peopleOf({ projectId }: Pick<Tenant, 'projectId'>) {
  const all = (sql: string) => env.DB.prepare(sql).bind(projectId).raw()
  return {
    persons: await all('SELECT uuid, properties, version FROM persons WHERE project_id = ? ORDER BY uuid'),
    distinctIds: await all(
      `SELECT d.distinct_id, p.uuid FROM person_distinct_ids d JOIN persons p ON p.id = d.person_id
        WHERE d.project_id = ? ORDER BY d.distinct_id`,
    ),
    groups: await all(
      'SELECT type_index, group_key, properties, version FROM groups WHERE project_id = ? ORDER BY 1, 2',
    ),
    cohortPeople: await all(
      `SELECT m.cohort_id, p.uuid FROM cohort_members m JOIN persons p ON p.id = m.person_id
        WHERE p.project_id = ? ORDER BY 1, 2`,
    ),
  }
}

const NAMES = ['ada', 'ben', 'cleo', 'dan', 'anon-1', 'anon-2']
const name = fc.constantFrom(...NAMES)
const people = fc.oneof(
  fc.tuple(name, fc.integer({ max: 9 })).map(([id, value]) => event(id, { $set: { value } })),
  fc.tuple(name, name).map(([id, other]) => mergeDangerously(id, other)),
  fc.tuple(name, name).map(([id, other]) => identify(id, other)),
)

describe('copies of people', () => {
  it('are those of the main database, for messages in any order and repeated', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(people, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        async (requests, numbers) => {
          const tenant = await createTenant()
          await env.DB.prepare(
            `INSERT INTO cohorts (project_id, name, is_static, created_at) VALUES (?, 'All', 1, '${AT}')`,
          )
            .bind(tenant.projectId)
            .run()
          const sent: string[] = []
          const keeping = {
            sendBatch: async (messages: Iterable<{ body: string }>) => {
              for (const { body } of messages) sent.push(body)
            },
          } as unknown as Queue<string>
          const harness = createHarness({ clock: tenant.clock, bindings: { INGESTION: keeping } })
          for (const batch of requests) await sendBatch({ ...tenant, ...harness }, batch)
          // Twice each, in a random order.
          const shuffled = [...sent, ...sent]
            .map((text) => ({ text, place: numbers.next().value }))
            .toSorted((a, b) => a.place - b.place)
          for (const { text } of shuffled) await consume([text])
          expect(await copiesOf(tenant)).toEqual(await peopleOf(tenant))
        },
      ),
      { numRuns: propertyRuns(10, 25) },
    )
  })

  it('of persons and groups that no message holds are read from the main database', async () => {
    const tenant = await createTenant()
    const long = 'x'.repeat(200_000)
    await sendEach(tenant, [
      event('ada', { $set: { long } }),
      event('ben', { $group_type: 'company', $group_key: 'acme', $group_set: { long } }, '$groupidentify'),
    ])
    expect(await copiesOf(tenant)).toEqual(await peopleOf(tenant))
    expect(
      (await eventsOf(tenant)).map(({ properties }) => JSON.stringify(properties).length > 200_000),
    ).toEqual([true, true])
  })

  it('of a large person cost as much to change with a thousand distinct ids as with one', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada', { $set: { long: 'x'.repeat(200_000) } })])
    await env.DB.prepare(
      `INSERT INTO person_distinct_ids (project_id, distinct_id, person_id, version)
        SELECT p.project_id, 'other ' || value, p.id, 1 FROM persons p, json_each(?) WHERE p.project_id = ?`,
    )
      .bind(JSON.stringify(Array.from({ length: 1_000 }, (_, index) => index)), tenant.projectId)
      .run()
    await sendEach(tenant, [event('ada', { $set: { plan: 'pro' } })])
    const copied = await env.EVENTS.prepare(
      'SELECT count(*) AS count FROM person_distinct_ids WHERE project_id = ?',
    )
      .bind(tenant.projectId)
      .first<{ count: number }>()
    expect(copied).toEqual({ count: 1 })
  })
})
