// Deleting persons: what is gone at once, what the trigger deletes, and what stays.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteFromShard, type PersonDeletion } from '../../src/analytics/delete-person-data'
import { createShardSink } from '../../src/analytics/ingestion/shard-sink'
import { performDueTasks } from '../../src/jobs/outbox-tasks'
import { noRows } from '../../src/outbox/ingestion-rows'
import { createMeter } from '../../src/storage/metered-d1'
import { event, eventsOf, identify, peopleOf, sendEach } from '../support/capture'
import { materializedEndpoint, nextMinute } from '../support/endpoints/builds'
import { hogql } from '../support/endpoints/endpoints'
import { createHarness } from '../support/harness'
import { createMaterializingTenant } from '../support/endpoints/materialization'
import { refused, seen } from '../support/responses'
import { createTenant, database, type Tenant } from '../support/tenant'
import { emptyStorage } from '../support/databases'

beforeAll(emptyStorage)

const personPath = ({ projectId }: Tenant, id: string | number = '') =>
  `/api/projects/${projectId}/persons/${id === '' ? '' : `${id}/`}`

const personNamed = async (tenant: Tenant, distinctId: string) =>
  (await tenant.get(`${personPath(tenant)}?distinct_id=${distinctId}`)).body.results[0]

/** What the minute's trigger does, two minutes later. */
async function trigger(tenant: Tenant, bindings: Partial<Env> = {}): Promise<string[]> {
  tenant.clock.advance({ minutes: 2 })
  // Tasks that other tests left are not what this is about.
  await env.DB.prepare('DELETE FROM outbox WHERE project_id <> ?').bind(tenant.projectId).run()
  const faults: string[] = []
  const own = { ...tenant.env, ...bindings }
  const deps = { db: database(), env: own, meter: createMeter() }
  await performDueTasks(deps, tenant.clock.now(), (line) => void faults.push(line.message))
  await tenant.ingestion.drain(own)
  return faults
}

const inShard = async ({ projectId }: Tenant, text: string) =>
  (await env.EVENTS.prepare(text).bind(projectId).raw()).map((row) => row.join(' '))

const tasksOf = async ({ projectId }: Tenant) =>
  (
    await env.DB.prepare(`SELECT task ->> '$.kind' FROM outbox WHERE project_id = ? ORDER BY 1`)
      .bind(projectId)
      .raw()
  ).flat()

/** What an analytics store has of people. */
const storedPeople = async (tenant: Tenant) => ({
  persons: await inShard(
    tenant,
    'SELECT json(properties) FROM persons WHERE project_id = ? AND NOT is_deleted ORDER BY 1',
  ),
  distinctIds: await inShard(
    tenant,
    'SELECT distinct_id FROM person_distinct_ids WHERE project_id = ? ORDER BY 1',
  ),
  history: await inShard(
    tenant,
    'SELECT distinct_id, name FROM person_property_history WHERE project_id = ? ORDER BY 1, 2',
  ),
  members: await inShard(
    tenant,
    'SELECT cohort_id FROM cohort_people WHERE project_id = ? AND NOT is_deleted',
  ),
})

const volumesOf = (tenant: Tenant) =>
  inShard(tenant, 'SELECT day, event, events, bytes FROM event_volumes WHERE project_id = ? ORDER BY 1, 2')

/** What `event_volumes` has to contain. */
const recount = (tenant: Tenant) =>
  inShard(
    tenant,
    `WITH e AS (SELECT substr(timestamp, 1, 10) AS day, event, octet_length(json(properties)) AS bytes FROM events WHERE project_id = ?1)
      SELECT day, event, count(*), sum(bytes) FROM e GROUP BY day, event
      UNION ALL SELECT day, '', count(*), sum(bytes) FROM e GROUP BY day ORDER BY 1, 2`,
  )

/** Ada, with two distinct ids, and Grace. */
async function twoPeople(options: { harness?: ReturnType<typeof createHarness> } = {}) {
  const tenant = await createTenant(options)
  await sendEach(tenant, [
    event('visitor', { $set: { plan: 'free' } }),
    identify('ada', 'visitor', { $set: { email: 'ada@example.com' } }),
    event('ada', {}, 'closed'),
    event('grace', { $set: { plan: 'pro' } }),
  ])
  return tenant
}

describe('deleting a person', () => {
  it('takes the person from the main database and from queries immediately', async () => {
    const tenant = await twoPeople()
    const { uuid } = await personNamed(tenant, 'ada')
    expect(seen(await tenant.delete(personPath(tenant, uuid)))).toEqual({ status: 202, body: null })
    expect((await tenant.get(personPath(tenant, uuid))).status).toBe(404)
    expect(await peopleOf(tenant)).toEqual([{ distinctIds: ['grace'], properties: { plan: 'pro' } }])
    expect((await storedPeople(tenant)).persons).toEqual(['{"plan":"pro"}'])
    expect((await tenant.delete(personPath(tenant, uuid))).status).toBe(404)
    const { body } = await tenant.get(`/api/projects/${tenant.projectId}/activity_log/?scope=Person`)
    expect(body.results).toMatchObject([
      { activity: 'deleted', scope: 'Person', item_id: uuid, detail: { name: uuid, changes: [] } },
    ])
  })

  it('deletes copies and history in the background, and keeps events unless asked', async () => {
    const tenant = await twoPeople()
    const { id } = await personNamed(tenant, 'ada')
    await tenant.delete(personPath(tenant, id))
    expect(await tasksOf(tenant)).toEqual(['delete_person_data'])
    expect(await trigger(tenant)).toEqual([])
    expect(await storedPeople(tenant)).toEqual({
      persons: ['{"plan":"pro"}'],
      distinctIds: ['grace'],
      history: ['grace plan'],
      members: [],
    })
    expect(await eventsOf(tenant)).toHaveLength(4)
  })

  it('deletes once more what a late message brought', async () => {
    const tenant = await twoPeople()
    const { uuid } = await personNamed(tenant, 'ada')
    const sink = createShardSink(env.EVENTS)
    const late = (await eventsOf(tenant)).find((each) => each.distinctId === 'ada')!
    await tenant.delete(`${personPath(tenant, uuid)}?delete_events=true`)
    await trigger(tenant)
    await sink.write(tenant.projectId, {
      ...noRows(),
      distinctIds: [{ distinctId: 'ada', personUuid: uuid, version: 1 }],
      events: [{ ...late, setsProperties: false, properties: {} }],
    })
    expect(await tasksOf(tenant)).toEqual(['delete_person_data'])
    tenant.clock.advance({ days: 1 })
    await trigger(tenant)
    expect(await eventsOf(tenant)).toHaveLength(2)
    tenant.clock.advance({ days: 4 })
    expect(await trigger(tenant)).toEqual([])
    expect((await eventsOf(tenant)).map(({ distinctId }) => distinctId)).toEqual(['grace'])
    expect((await storedPeople(tenant)).distinctIds).toEqual(['grace'])
    expect(await volumesOf(tenant)).toEqual(await recount(tenant))
    expect(await tasksOf(tenant)).toEqual([])
  })

  it('deletes the events so far on request, and counts those that stay', async () => {
    const tenant = await twoPeople()
    const { uuid } = await personNamed(tenant, 'ada')
    await tenant.delete(`${personPath(tenant, uuid)}?delete_events=true`)
    tenant.clock.advance({ seconds: 5 })
    // Somebody else under the same id.
    await sendEach(tenant, [event('ada', { $set: { plan: 'new' } }, 'returned')])
    expect(await trigger(tenant)).toEqual([])
    expect((await eventsOf(tenant)).map((each) => [each.event, each.distinctId])).toEqual([
      ['opened', 'grace'],
      ['returned', 'ada'],
    ])
    expect(await volumesOf(tenant)).toEqual(await recount(tenant))
    expect(await storedPeople(tenant)).toEqual({
      persons: ['{"plan":"new"}', '{"plan":"pro"}'],
      distinctIds: ['ada', 'grace'],
      history: ['ada plan', 'grace plan'],
      members: [],
    })
    expect((await personNamed(tenant, 'ada')).uuid).not.toBe(uuid)
  })

  it('deletes history of events whose clock is ahead, and keeps that of a newer person', async () => {
    const tenant = await twoPeople()
    const ahead = (hours: number) => new Date(tenant.clock.now().getTime() + hours * 3_600_000).toISOString()
    await sendEach(tenant, [
      { ...event('ada', { $set: { email: 'old@example.com' } }), timestamp: ahead(20) },
    ])
    const { uuid } = await personNamed(tenant, 'ada')
    await tenant.delete(personPath(tenant, uuid))
    tenant.clock.advance({ seconds: 5 })
    const rest = { $set: { city: 'Turin' } }
    await sendEach(tenant, [event('ada', rest), { ...event('ada', rest), timestamp: ahead(10) }])
    const left = ['ada city', 'ada city', 'grace plan']
    expect(await trigger(tenant)).toEqual([])
    expect((await storedPeople(tenant)).history).toEqual(left)
    tenant.clock.advance({ days: 5 })
    expect(await trigger(tenant)).toEqual([])
    expect((await storedPeople(tenant)).history).toEqual(left)
    expect(await tasksOf(tenant)).toEqual([])
  })

  it('deletes cached results of the project, and builds materialized rows again', async () => {
    const tenant = await createMaterializingTenant()
    const other = await createTenant()
    const query = 'SELECT distinct_id FROM events ORDER BY distinct_id'
    for (const each of [tenant, other]) {
      await sendEach(each, [event('ada'), event('grace')])
      await each.endpoint({ name: 'cached', query: hogql(query) })
    }
    const run = async (of: Tenant) => (await of.post(of.endpoints('cached/run'))).body.results
    const endpoint = await materializedEndpoint(tenant, query)
    await tenant.consume()
    const { uuid } = await personNamed(tenant, 'ada')
    for (const each of [tenant, other]) expect(await run(each)).toEqual([['ada'], ['grace']])
    await tenant.delete(`${personPath(tenant, uuid)}?delete_events=true`)
    expect(await run(tenant)).toEqual([['ada'], ['grace']])
    expect(await trigger(tenant)).toEqual([])
    const cached = 'SELECT body FROM endpoint_results WHERE project_id = ?'
    expect(await inShard(tenant, cached)).toEqual([])
    expect(await inShard(other, cached)).toHaveLength(1)
    expect(await run(tenant)).toEqual([['grace']])
    expect((await endpoint.run()).results).toEqual([['ada'], ['grace']])
    expect(await nextMinute(tenant)).toBe(1)
    await tenant.consume()
    expect((await endpoint.run()).results).toEqual([['grace']])
    expect(await nextMinute(tenant)).toBe(0)
  })

  it('takes the person from static cohorts, and counts their members', async () => {
    const tenant = await twoPeople()
    const people = [await personNamed(tenant, 'ada'), await personNamed(tenant, 'grace')]
    const { body: cohort } = await tenant.post(`/api/projects/${tenant.projectId}/cohorts/`, {
      name: 'Both',
      is_static: true,
      _create_static_person_ids: people.map(({ uuid }) => uuid),
    })
    expect((await storedPeople(tenant)).members).toHaveLength(2)
    await sendEach(tenant, [event('grace', { $set: { plan: 'basic' } })])
    const version = await env.DB.prepare('SELECT people_version FROM projects WHERE id = ?')
      .bind(tenant.projectId)
      .first<number>('people_version')
    await tenant.delete(personPath(tenant, people[0].uuid))
    const { body } = await tenant.get(`/api/projects/${tenant.projectId}/cohorts/${cohort.id}/`)
    expect(body.count).toBe(1)
    await trigger(tenant)
    expect((await storedPeople(tenant)).members).toEqual([String(cohort.id)])
    // A late copy of a change before the deletion.
    const late = { cohortId: cohort.id, personUuid: people[0].uuid, version: version!, isDeleted: false }
    await createShardSink(env.EVENTS).write(tenant.projectId, { ...noRows(), cohortPeople: [late] })
    expect((await storedPeople(tenant)).members).toEqual([String(cohort.id)])
  })

  it('is done by the trigger when the request dies right after its commit', async () => {
    const failing = { sendBatch: () => Promise.reject(new Error('gone')) } as unknown as Env['INGESTION']
    const tenant = await twoPeople()
    const { uuid } = await personNamed(tenant, 'ada')
    const dying = createHarness({ clock: tenant.clock, bindings: { INGESTION: failing } })
    const { status } = await dying.send('DELETE', `${personPath(tenant, uuid)}?delete_events=true`, {
      headers: { Authorization: `Bearer ${tenant.key}` },
    })
    expect(status).toBe(202)
    expect((await storedPeople(tenant)).persons).toHaveLength(2)
    expect(await trigger(tenant)).toEqual([])
    expect((await storedPeople(tenant)).persons).toEqual(['{"plan":"pro"}'])
    expect(await eventsOf(tenant)).toHaveLength(1)
  })

  it.each([
    ['keep_person=true', 'keep_person', 'Unknown parameter: keep_person. Known parameters: delete_events.'],
    ['delete_event=true', 'delete_event', 'Unknown parameter: delete_event. Did you mean delete_events?'],
    [
      'delete_events=true&delete_events=false',
      'delete_events',
      'The parameter delete_events is given more than once.',
    ],
  ])('deletes no one for a parameter that it would ignore: %s', async (query, attr, detail) => {
    const tenant = await twoPeople()
    const person = await personNamed(tenant, 'ada')
    const response = await tenant.delete(`${personPath(tenant, person.uuid)}?${query}`)
    expect(response).toMatchObject({ status: 400, body: { attr, detail } })
    expect(await personNamed(tenant, 'ada')).toEqual(person)
  })

  it('continues in the next run when a run has no more batches', async () => {
    const tenant = await twoPeople()
    const task = async (budget: number) => {
      const left = { batches: budget }
      const deletion: PersonDeletion = {
        kind: 'delete_person_data',
        person: crypto.randomUUID(),
        distinctIds: ['ada', 'visitor'],
        cohortIds: [],
        deleteEvents: true,
        version: 100,
        before: '2026-03-10T12:00:00.000000Z',
      }
      return deleteFromShard(env.EVENTS, tenant.projectId, deletion, left)
    }
    expect(await task(0)).toBe(false)
    expect(await task(2)).toBe(false)
    expect(await eventsOf(tenant)).toHaveLength(1)
    expect(await task(10)).toBe(true)
    expect(await volumesOf(tenant)).toEqual(await recount(tenant))
  })

  it('needs the scope, a known person of the project and a boolean', async () => {
    const harness = createHarness()
    const [tenant, other] = [await twoPeople({ harness }), await createTenant({ harness })]
    const { uuid, id } = await personNamed(tenant, 'ada')
    const reader = await tenant.withKey({ scopes: ['person:read'] })
    expect((await reader.delete(personPath(tenant, uuid))).status).toBe(403)
    for (const each of [uuid, id, 'ada', crypto.randomUUID()])
      expect((await other.delete(personPath(other, each))).status).toBe(404)
    expect(seen(await tenant.delete(`${personPath(tenant, uuid)}?delete_events=perhaps`))).toEqual(
      refused('delete_events', 'Must be a valid boolean.'),
    )
    expect(await peopleOf(tenant)).toHaveLength(2)
  })

  it('leaves nothing of a person whose events arrive during the deletion', async () => {
    const tenant = await twoPeople()
    const { uuid } = await personNamed(tenant, 'ada')
    const answers = await Promise.all([
      tenant.delete(personPath(tenant, uuid)),
      ...Array.from({ length: 5 }, (_, n) => sendEach(tenant, [event('ada', { $set: { n } })])),
    ])
    expect(answers[0]).toMatchObject({ status: 202 })
    expect((await tenant.get(personPath(tenant, uuid))).status).toBe(404)
    await trigger(tenant)
    const main = await peopleOf(tenant)
    const { persons, distinctIds } = await storedPeople(tenant)
    expect(persons).toHaveLength(main.length)
    expect(distinctIds).toEqual(main.flatMap((each) => each.distinctIds).sort())
  })
})
