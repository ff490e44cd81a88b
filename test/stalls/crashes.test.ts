// No transaction spans the main database, the shards and the queue. Each operation that writes to two of them is cut short at every one of its
// calls; once its retry has ended (queue, outbox, or the client's own), the state is that of an undisturbed run.
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { dropUnusedTables, MAX_DROPS } from '../../src/endpoints/materialization/unused-tables'
import { performDueTasks } from '../../src/jobs/outbox-tasks'
import { openDatabase } from '../../src/storage/database'
import { createMeter } from '../../src/storage/metered-d1'
import { COUNTS, materializedEndpoint, nextMinute, NOTHING_UNDER_WAY } from '../support/endpoints/builds'
import { event, groupIdentify, mergeDangerously, sendBatch, sendEach } from '../support/capture'
import { atEveryCall, CRASHES } from '../support/faults/crash'
import { hogql } from '../support/endpoints/endpoints'
import { testClock } from '../support/clock'
import { createFillQueue } from '../support/fill-queue'
import { open } from '../support/filters'
import { createHarness } from '../support/harness'
import { createIngestionQueue } from '../support/ingestion-queue'
import {
  createMaterializingTenant,
  materializedTables,
  type MaterializingTenant,
} from '../support/endpoints/materialization'
import { createTenant, database, type Tenant } from '../support/tenant'
import { emptyStorage } from '../support/databases'

beforeAll(emptyStorage)

beforeEach(() => {
  // What fails on purpose is logged.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  vi.spyOn(console, 'log').mockReturnValue()
})
afterEach(() => vi.restoreAllMocks())

const rows = async (db: D1Database, sql: string, ...values: unknown[]) =>
  (await db
    .prepare(sql)
    .bind(...values)
    .raw()) as unknown[][]
const outboxOf = ({ projectId }: Pick<Tenant, 'projectId'>) =>
  rows(env.DB, `SELECT task ->> '$.kind' FROM outbox WHERE project_id = ? ORDER BY 1`, projectId)

/** Has the minute's trigger do the outbox tasks of a tenant, some minutes later. */
async function performTasks(tenant: Tenant, bindings: Env, minutes = 3): Promise<void> {
  tenant.clock.advance({ minutes })
  await env.DB.prepare('DELETE FROM outbox WHERE project_id <> ?').bind(tenant.projectId).run()
  const deps = { db: database(), env: bindings, meter: createMeter() }
  await performDueTasks(deps, tenant.clock.now(), () => undefined)
}

describe.each(CRASHES)('a Worker that %s', (crash) => {
  it('builds the rows of a version once its message is delivered again', async () => {
    const tenant = await createMaterializingTenant()
    await sendEach(tenant, [event('ada', {}, 'a')])
    const made = await materializedEndpoint(tenant, COUNTS, { data_freshness_seconds: 86_400 })
    await tenant.consume()
    let count = 1
    const calls = await atEveryCall(crash, async (crashAt) => {
      await sendEach(tenant, [event('ada', {}, 'a')])
      count += 1
      tenant.clock.advance({ days: 2 })
      const started = tenant.clock.now().toISOString()
      const { bindings } = crashAt({ BUILDS: tenant.env.BUILDS })
      await tenant.consume({ messages: [made.message], env: bindings })
      await tenant.consume({ messages: [made.message], env: bindings })
      await tenant.consume({ messages: [made.message] })
      for (let minute = 0; minute < 10 && !(await isBuiltSince(started)); minute += 1) {
        tenant.clock.advance({ minutes: 1 })
        await nextMinute(tenant)
        await tenant.consume()
      }
      const row = await made.row()
      expect(row).toMatchObject({ ...NOTHING_UNDER_WAY, status: 'Completed', error: '', rowCount: 1 })
      expect((await made.run()).results).toEqual([['a', count]])
      await tenant.dropTables()
      const table = made.table(row!.generation!)
      expect(await materializedTables(made.id)).toEqual({ [table]: 1 })
      expect(
        await rows(env.EVENTS, 'SELECT name FROM materialized_tables WHERE project_id = ?', tenant.projectId),
      ).toEqual([[table]])
      expect(await outboxOf(tenant)).toEqual([])
    })
    expect(calls).toBeGreaterThan(10)

    async function isBuiltSince(moment: string): Promise<boolean> {
      const row = await made.row()
      return row!.lastMaterializedAt! >= moment.slice(0, 19) && row!.building === null
    }
  }, 60_000)

  it('deletes an endpoint with its rows once the client and the trigger retry', async () => {
    const tenant = await createMaterializingTenant()
    const request = await atEveryCall(crash, async (crashAt) => {
      const { made, expectGone } = await endpointWithRows(tenant)
      const dying = createHarness({
        clock: tenant.clock,
        bindings: { ...crashAt().bindings, BUILDS: tenant.env.BUILDS },
      })
      const headers = { Authorization: `Bearer ${tenant.key}` }
      const path = tenant.endpoints(made.name)
      const first = await dying.send('DELETE', path, { headers })
      expect([204, 503]).toContain(first.status)
      // 404: it was deleted, and the response was lost.
      expect([204, 404]).toContain((await tenant.delete(path)).status)
      await expectGone()
    })
    const trigger = await atEveryCall(crash, async (crashAt) => {
      const { made, expectGone } = await endpointWithRows(tenant)
      await tenant.delete(tenant.endpoints(made.name))
      const { DB, EVENTS } = crashAt().bindings
      await dropUnusedTables(openDatabase(DB, createMeter()), EVENTS, MAX_DROPS).catch(() => undefined)
      await expectGone()
    })
    expect([request, trigger].every((calls) => calls >= 3)).toBe(true)
  }, 60_000)

  it('stores events, persons and groups once when the client, the queue and the outbox retry', async () => {
    const undisturbed = await createTenant()
    await sendBatch(undisturbed, batch())
    const expected = await storedOf(undisturbed)
    expect(expected).toMatchObject({
      events: [['large'], ['opened'], ['$groupidentify'], ['$merge_dangerously']].sort(),
    })

    const calls = await atEveryCall(crash, async (crashAt) => {
      const tenant = await createTenant()
      const queue = createIngestionQueue()
      const { bindings } = crashAt({ INGESTION: queue.binding as Queue })
      const dying = createHarness({ clock: tenant.clock, bindings })
      const sent = batch()
      const first = await sendBatch({ ...tenant, ...dying }, sent)
      const own = { ...env, INGESTION: queue.binding } as Env
      // The same Worker consumes what it queued.
      await queue.drain({ ...own, ...bindings } as Env, () => undefined)
      if (first.status !== 200) {
        const again = createHarness({ clock: tenant.clock, bindings: { INGESTION: queue.binding } })
        expect((await sendBatch({ ...tenant, ...again }, sent)).status).toBe(200)
      }
      await queue.drain(own)
      await performTasks(tenant, own)
      await queue.drain(own)
      expect(await storedOf(tenant)).toEqual(expected)
      expect(await outboxOf(tenant)).toEqual([])
    })
    expect(calls).toBeGreaterThan(5)
  }, 60_000)

  it('fills every static cohort whose creation was committed, in the shard too', async () => {
    const calls = await atEveryCall(crash, async (crashAt) => {
      // The consumer uses the real time.
      const clock = testClock(new Date().toISOString())
      const tenant = await createTenant({ harness: createHarness({ clock }) })
      await sendEach(tenant, [event('ada'), event('ben')])
      const { id: flagId } = await tenant.flag({ filters: open() })
      const [ingestion, fills] = [createIngestionQueue(), createFillQueue()]
      const queues = { INGESTION: ingestion.binding as Queue, BUILDS: fills.binding }
      const { bindings } = crashAt(queues)
      const dying = createHarness({ clock, bindings })
      await dying.send('POST', tenant.flags(`${flagId}/create_static_cohort_for_flag`), {
        headers: { Authorization: `Bearer ${tenant.key}` },
      })
      const own = { ...env, ...queues } as Env
      // The same Worker consumes what it queued.
      await fills.drain({ ...own, ...bindings } as Env)
      await performTasks(tenant, own)
      await fills.drain(own)
      await ingestion.drain(own)
      const cohorts = await rows(
        env.DB,
        'SELECT id, is_calculating, "count" FROM cohorts WHERE project_id = ?',
        tenant.projectId,
      )
      expect(cohorts).toEqual(cohorts.map(([id]) => [id, 0, 2]))
      const inMain = await rows(
        env.DB,
        `SELECT m.cohort_id, p.uuid FROM cohort_members m JOIN persons p ON p.id = m.person_id
          WHERE p.project_id = ? ORDER BY 1, 2`,
        tenant.projectId,
      )
      const inShard = await rows(
        env.EVENTS,
        'SELECT cohort_id, person_uuid FROM cohort_people WHERE project_id = ? AND NOT is_deleted ORDER BY 1, 2',
        tenant.projectId,
      )
      expect(inMain).toHaveLength(2 * cohorts.length)
      expect(inShard).toEqual(inMain)
      expect(await outboxOf(tenant)).toEqual([])
    })
    expect(calls).toBeGreaterThan(6)
  }, 60_000)
})

/** A query whose check reads types of properties from the database. */
const BY_PLAN = hogql('SELECT properties.plan AS plan, count() AS n FROM events GROUP BY plan')

describe('a database that fails from some call on while an endpoint is written', () => {
  it.each<[string, 'POST' | 'PATCH', object]>([
    ['created', 'POST', { name: 'made', query: BY_PLAN }],
    ['created materialized', 'POST', { name: 'made', query: BY_PLAN, is_materialized: true }],
    ['materialized', 'PATCH', { is_materialized: true }],
    ['given another query', 'PATCH', { query: BY_PLAN }],
  ])(
    'is a 503 for one that is %s, and leaves no reason against materializing it',
    async (_, method, body) => {
      const calls = await atEveryCall('dies after a call', async (crashAt) => {
        const tenant = await createMaterializingTenant()
        if (method === 'PATCH') await tenant.endpoint({ name: 'made', query: BY_PLAN })
        const { DB, EVENTS } = crashAt().bindings
        const failing = createHarness({
          clock: tenant.clock,
          bindings: { DB, EVENTS, BUILDS: tenant.env.BUILDS },
        })
        const headers = { Authorization: `Bearer ${tenant.key}` }
        const path = tenant.endpoints(method === 'PATCH' ? 'made' : '')
        const { status } = await failing.send(method, path, { body, headers })
        expect([200, 201, 503]).toContain(status)
        const { status: after, body: stored } = await tenant.get(tenant.endpoints('made'))
        if (after === 200) expect(stored.materialization.reason ?? null).toBe(null)
      })
      expect(calls).toBeGreaterThanOrEqual(2)
    },
  )
})

/** An endpoint with materialized rows. */
async function endpointWithRows(tenant: MaterializingTenant) {
  const made = await materializedEndpoint(tenant, COUNTS)
  await tenant.consume()
  const endpointId = await endpointIdOf(made.message.versionId)
  expect(await materializedTables(made.id)).toEqual({ [made.table(1)]: expect.any(Number) })
  return {
    made,
    async expectGone() {
      await tenant.dropTables()
      expect(await materializedTables(made.id)).toEqual({})
      expect(await outboxOf(tenant)).toEqual([])
      expect(
        await rows(
          env.DB,
          `SELECT activity FROM activity_log WHERE item_id = ? AND scope = 'Endpoint' AND activity = 'deleted'`,
          endpointId,
        ),
      ).toEqual([['deleted']])
    },
  }
}

/** Events that create persons and a group, merge persons, and one that no message of the queue holds. Their ids are new each time. */
const batch = () =>
  [
    event('ada', { $set: { plan: 'pro' } }),
    groupIdentify('company', 'acme', { size: 3 }),
    event('ben', { long: 'x'.repeat(200_000) }, 'large'),
    mergeDangerously('ada', 'ben'),
  ].map((each) => ({ ...each, uuid: crypto.randomUUID() }))

/** What is stored of what a project captured: in the main database, and in the shard. */
async function storedOf({ projectId }: Tenant) {
  const inMain = (sql: string) => rows(env.DB, sql, projectId)
  const inShard = (sql: string) => rows(env.EVENTS, sql, projectId)
  return {
    events: await inShard('SELECT event FROM events WHERE project_id = ? ORDER BY 1'),
    volumes: await inShard(
      'SELECT event, sum(events), sum(bytes) FROM event_volumes WHERE project_id = ? GROUP BY 1',
    ),
    persons: await inMain('SELECT json(properties) FROM persons WHERE project_id = ? ORDER BY 1'),
    personCopies: await inShard(
      'SELECT json(properties) FROM persons WHERE project_id = ? AND NOT is_deleted ORDER BY 1',
    ),
    distinctIds: await inMain(
      `SELECT d.distinct_id, json(p.properties) FROM person_distinct_ids d JOIN persons p ON p.id = d.person_id
        WHERE d.project_id = ? ORDER BY 1`,
    ),
    distinctIdCopies: await inShard(
      `SELECT d.distinct_id, json(p.properties) FROM person_distinct_ids d
        JOIN persons p ON p.project_id = d.project_id AND p.uuid = d.person_uuid WHERE d.project_id = ? ORDER BY 1`,
    ),
    groups: await inMain('SELECT group_key, json(properties) FROM groups WHERE project_id = ?'),
    groupCopies: await inShard('SELECT group_key, json(properties) FROM groups WHERE project_id = ?'),
  }
}

const endpointIdOf = async (versionId: string) =>
  (await rows(env.DB, 'SELECT endpoint_id FROM endpoint_versions WHERE id = ?', versionId))[0]![0]
