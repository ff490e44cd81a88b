// What a change owes another system is done also when the request that made the change dies right after its commit.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { claimDueTasks, MAX_TASKS_PER_RUN } from '../../src/outbox/outbox'
import { performDueTasks } from '../../src/jobs/outbox-tasks'
import { createMeter } from '../../src/storage/metered-d1'
import { event, eventsOf, mergeDangerously, sendBatch, sendEach } from '../support/capture'
import { createHarness } from '../support/harness'
import { createTenant, database, type Tenant } from '../support/tenant'
import { emptyStorage } from '../support/databases'

beforeAll(emptyStorage)

/** A queue that takes nothing: whoever asks it dies right after the commit. */
const FAILING = {
  sendBatch: () => Promise.reject(new Error('the queue is gone')),
} as unknown as Env['INGESTION']

async function tasksOf({ projectId }: Tenant): Promise<{ kind: string; attempts: number }[]> {
  const { results } = await env.DB.prepare(
    `SELECT task ->> '$.kind' AS kind, attempts FROM outbox WHERE project_id = ? ORDER BY kind`,
  )
    .bind(projectId)
    .all<{ kind: string; attempts: number }>()
  return results
}

/** What the minute's trigger does, some minutes later; then what it queued is stored. */
async function minutesLater(tenant: Tenant, minutes: number, bindings: Partial<Env> = {}) {
  tenant.clock.advance({ minutes })
  // Tasks that other tests left are not what this is about.
  await env.DB.prepare('DELETE FROM outbox WHERE project_id <> ?').bind(tenant.projectId).run()
  const faults: string[] = []
  const own = { ...tenant.env, ...bindings }
  const deps = { db: database(), env: own, meter: createMeter() }
  await performDueTasks(deps, tenant.clock.now(), (line) => void faults.push(line.message))
  await tenant.ingestion.drain(own)
  return faults
}

const personsOf = async ({ projectId }: Tenant) =>
  (
    await env.EVENTS.prepare(
      `SELECT d.distinct_id, json(p.properties) FROM person_distinct_ids d JOIN persons p
        ON p.project_id = d.project_id AND p.uuid = d.person_uuid AND NOT p.is_deleted
        WHERE d.project_id = ? ORDER BY 1`,
    )
      .bind(projectId)
      .raw()
  ).map((row) => row.join(' '))

describe('capture', () => {
  it('responds with 503 when the queue takes nothing; repeating the request stores its events once', async () => {
    const tenant = await createTenant()
    const dying = createHarness({ clock: tenant.clock, bindings: { INGESTION: FAILING } })
    const uuid = crypto.randomUUID()
    const batch = [{ ...event('ada', { $set: { plan: 'free' } }), uuid }]
    const { status, body, headers } = await sendBatch({ ...tenant, ...dying }, batch)
    expect({ status, body }).toEqual({
      status: 503,
      body: {
        type: 'server_error',
        code: 'database_unavailable',
        detail: 'The events could not be queued. Please retry.',
        attr: null,
      },
    })
    expect(headers.get('Retry-After')).toBe('1')
    await sendEach(tenant, [event('ada', { $set: { plan: 'pro' } }), batch[0]!])
    expect(await eventsOf(tenant)).toHaveLength(2)
    await minutesLater(tenant, 2)
    // The repeated request does not undo what came in between.
    expect(await personsOf(tenant)).toEqual(['ada {"plan":"pro"}'])
  })

  it('leaves copies of people to the trigger when it dies after its commit', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada'), event('ben')])
    const dying = createHarness({ clock: tenant.clock, bindings: { INGESTION: FAILING } })
    await sendBatch({ ...tenant, ...dying }, [
      event('ada', { $set: { plan: 'pro' } }),
      mergeDangerously('ada', 'ben'),
    ])
    expect(await tasksOf(tenant)).toEqual([{ kind: 'copy_people', attempts: 0 }])
    expect(await personsOf(tenant)).toEqual(['ada {}', 'ben {}'])
    // A request may still be at it.
    await minutesLater(tenant, 0)
    expect(await tasksOf(tenant)).toHaveLength(1)
    expect(await minutesLater(tenant, 2)).toEqual([])
    expect(await tasksOf(tenant)).toEqual([])
    expect(await personsOf(tenant)).toEqual(['ada {"plan":"pro"}', 'ben {"plan":"pro"}'])
  })

  it('leaves no task behind when all goes well', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [event('ada', { $set: { a: 1 } }), event('ben', { long: 'x'.repeat(200_000) })])
    expect(await tasksOf(tenant)).toEqual([])
    expect(await eventsOf(tenant)).toHaveLength(2)
  })

  it('keeps an event that no message holds in the outbox until it is stored', async () => {
    const tenant = await createTenant()
    const dying = createHarness({ clock: tenant.clock, bindings: { INGESTION: FAILING } })
    await sendBatch({ ...tenant, ...dying }, [event('ben', { long: 'x'.repeat(200_000) })])
    expect(await tasksOf(tenant)).toEqual([
      { kind: 'copy_people', attempts: 0 },
      { kind: 'store_event', attempts: 0 },
    ])
    await minutesLater(tenant, 2)
    expect(await tasksOf(tenant)).toEqual([])
    expect(await eventsOf(tenant)).toHaveLength(1)
  })
})

describe('the trigger', () => {
  it('tries a task that failed again, each time after twice as long', async () => {
    const tenant = await createTenant()
    const dying = createHarness({ clock: tenant.clock, bindings: { INGESTION: FAILING } })
    const { status, body } = await sendBatch({ ...tenant, ...dying }, [event('ada')])
    expect({ status, body, tasks: await tasksOf(tenant) }).toMatchObject({
      tasks: [{ kind: 'copy_people', attempts: 0 }],
    })
    const waits: number[] = []
    for (let step = 1, waited = 0; step <= 60 && waits.length < 4; step += 1) {
      const faults = await minutesLater(tenant, 1 / 12, { INGESTION: FAILING })
      waited += 5
      if (faults.length === 0) continue
      expect(faults).toEqual(['outbox task copy_people failed'])
      waits.push(waited)
      waited = 0
    }
    expect(waits).toEqual([5, 5, 10, 20])
    await minutesLater(tenant, 60)
    expect(await tasksOf(tenant)).toEqual([])
  })

  it('takes a bounded number of tasks at a time, and each of them once', async () => {
    const tenant = await createTenant()
    await env.DB.prepare(
      `INSERT INTO outbox (id, project_id, task, created_at, due_at) WITH RECURSIVE n(i) AS (
        SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        SELECT 'task-${tenant.projectId}-' || i, ?, '{"kind":"copy_people","persons":[],"groups":[]}', '2020', '2020' FROM n`,
    )
      .bind(tenant.projectId)
      .run()
    const now = tenant.clock.now()
    const claimed = [await claimDueTasks(database(), now), await claimDueTasks(database(), now)]
    expect(claimed.map(({ length }) => length)).toEqual([MAX_TASKS_PER_RUN, MAX_TASKS_PER_RUN])
    expect(new Set(claimed.flat().map(({ id }) => id)).size).toBe(2 * MAX_TASKS_PER_RUN)
    await env.DB.prepare('DELETE FROM outbox WHERE project_id = ?').bind(tenant.projectId).run()
  })
})
