// SDKs, sign-in and background work while an analytics shard fails; operations.test.ts has the operations of the API.
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { waitIn } from '../../src/sdk/operations/capture'
import { messagesOf } from '../../src/analytics/ingestion/message'
import { createIds } from '../../src/clock'
import { insertTask } from '../../src/outbox/outbox'
import { noRows } from '../../src/outbox/ingestion-rows'
import { DAILY } from '../../src/jobs/crons'
import { performDueTasks } from '../../src/jobs/outbox-tasks'
import { onTrigger } from '../../src/jobs/scheduled'
import { createMeter } from '../../src/storage/metered-d1'
import { STATEMENT_DEADLINE_MS } from '../../src/storage/shards'
import { COUNTS, materializedEndpoint, nextMinute } from '../support/endpoints/builds'
import { event, eventsOf, personOf, sendBatch, sendEach } from '../support/capture'
import { open } from '../support/filters'
import { createHarness, type Harness } from '../support/harness'
import { createIngestionQueue } from '../support/ingestion-queue'
import { createMaterializingTenant } from '../support/endpoints/materialization'
import { elapse, failingD1, FAILURES, type FailingD1 } from '../support/faults/stalled-d1'
import { createTenant, database, type Tenant } from '../support/tenant'
import { createMember, login } from '../support/user'
import { emptyStorage } from '../support/databases'

beforeAll(emptyStorage)

let shard: FailingD1
let harness: Harness
beforeEach(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  shard = failingD1(env.EVENTS)
  harness = createHarness({ bindings: { EVENTS: shard.d1 } })
})
afterEach(() => vi.restoreAllMocks())

/** A harness whose captured events wait in a queue, as no test drains it while the shard fails. */
function withHeldQueue() {
  const held = createIngestionQueue()
  return { held, harness: createHarness({ bindings: { EVENTS: shard.d1, INGESTION: held.binding } }) }
}

/** Leaves three tasks that write to the shard, and end with it. */
async function addDeletions(tenant: Tenant): Promise<void> {
  const now = tenant.clock.now()
  for (let count = 0; count < 3; count += 1) {
    await insertTask({ db: database(), ids: createIds() }, now, tenant.projectId, {
      kind: 'delete_person_data',
      person: crypto.randomUUID(),
      distinctIds: ['ada'],
      cohortIds: [],
      deleteEvents: false,
      version: 1,
      before: '2026-01-01T00:00:00.000000Z',
    }).statement
  }
}

it('sign-in and SDKs do not call a shard that fails', async () => {
  const tenant = await createMember({ harness })
  await tenant.flag({ key: 'everybody', filters: open() })
  shard.fail('never answers')
  const sdk = { Authorization: `Bearer ${tenant.projectToken}` }
  const token = tenant.projectToken
  const responses = [
    await login(tenant),
    await tenant.send('POST', '/flags/?v=2', { body: { token, distinct_id: 'ada' } }),
    await tenant.get(`/api/feature_flag/local_evaluation/?token=${token}`),
    await tenant.send('POST', '/ofrep/v1/evaluate/flags', {
      body: { context: { targetingKey: 'ada' } },
      headers: sdk,
    }),
    await tenant.send('POST', '/ofrep/v1/evaluate/flags/everybody', {
      body: { context: { targetingKey: 'ada' } },
      headers: sdk,
    }),
    await tenant.send('GET', `/array/${token}/config`),
  ]
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  expect(responses[1]!.body).toMatchObject({
    errorsWhileComputingFlags: false,
    flags: { everybody: { enabled: true } },
  })
  expect(shard.failedCalls).toBe(0)
})

// A call that does not end, and one that fails at once.
it.each(['never answers', 'is overloaded'] as const)(
  'a capture that waits for its events is answered when its time is up, while the shard %s',
  async (failure) => {
    const queued = withHeldQueue()
    const tenant = await createTenant({ harness: queued.harness })
    shard.fail(failure)
    const headers = { Prefer: 'wait=1' }
    expect(waitIn(new Headers(headers))).toBe(1)
    const body = { api_key: tenant.projectToken, batch: [event('ada')] }
    const began = Date.now()
    const response = await tenant.send('POST', '/batch/', { body, headers })
    expect({ status: response.status, applied: response.headers.get('Preference-Applied') }).toEqual({
      status: 200,
      applied: null,
    })
    // Its own time of one second, not the ten of a query.
    expect(Date.now() - began).toBeLessThan(9_000)
    expect(shard.failedCalls).toBeGreaterThan(0)
  },
)

describe.each(FAILURES)('while the shard %s', (failure) => {
  it('takes events, which the queue holds until the shard is back', async () => {
    const queued = withHeldQueue()
    const tenant = await createTenant({ harness: queued.harness })
    shard.fail(failure)
    const response = await sendBatch(tenant, [event('ada', { $set: { plan: 'pro' } })])
    expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: { status: 'Ok' } })
    expect(shard.failedCalls).toBe(0)
    expect((await personOf(tenant, 'ada'))?.properties).toEqual({ plan: 'pro' })

    const message = queued.held.waiting.length
    expect(message).toBeGreaterThan(0)
    const drained = await elapse(() => queued.held.drain(tenant.env, () => undefined), [shard])
    expect(drained.value).toBe(message)
    expect(await eventsOf(tenant)).toEqual([])
    shard.recover()
    expect(await queued.held.drain(tenant.env)).toBe(0)
    expect(await eventsOf(tenant)).toHaveLength(1)
  })

  it('does not hold back events of other shards', async () => {
    const [stuck, other] = [await createTenant(), await createTenant()]
    const messageFor = ({ projectId }: { projectId: number }, name: string) => {
      const at = '2026-03-01T10:00:00.000000Z'
      const row = {
        uuid: crypto.randomUUID(),
        event: 'opened',
        distinctId: 'ada',
        timestamp: at,
        createdAt: at,
        setsProperties: false,
        flagKey: null,
        flagResponse: null,
        properties: {},
      }
      const project = { projectId, store: { shard: name, queryEngine: 'd1' as const } }
      return messagesOf(project, { ...noRows(), events: [row] })[0]!
    }
    const queue = createIngestionQueue()
    queue.waiting.push(
      messageFor(stuck, 'EVENTS_2'),
      messageFor(stuck, 'EVENTS_2'),
      messageFor(other, 'EVENTS_2'),
      messageFor(other, 'EVENTS'),
    )
    shard.fail(failure)
    const bindings = { ...env, EVENTS_2: shard.d1 } as Env
    const drained = elapse(() => queue.drain(bindings, () => undefined), [shard])
    await vi.waitFor(async () => expect(await eventsOf(other)).toHaveLength(1))
    expect((await drained).value).toBe(3)
    expect(queue.waiting).toHaveLength(3)
    // The other project of the shard is not tried.
    expect(shard.failedCalls).toBe(1)
  })

  it('creates projects in the shard that answers, and in the first one where none does', async () => {
    const other = failingD1(env.EVENTS)
    const bindings = { EVENTS: shard.d1, EVENTS_2: other.d1 } as Partial<Env>
    const own = createHarness({ bindings })
    const tenant = await createTenant({ harness: own, level: 15 })
    shard.fail(failure)
    const create = (name: string) =>
      elapse(() => tenant.post('/api/projects/', { name }), [shard, other], own.lines)
    const shardOf = async (id: number) =>
      env.DB.prepare('SELECT shard FROM projects WHERE id = ?').bind(id).first<string>('shard')
    const one = await create('one answers')
    expect([one.value.status, await shardOf(one.value.body.id)]).toEqual([201, 'EVENTS_2'])
    expect(one.answeredMs).toBeLessThanOrEqual(2_000)
    other.fail(failure)
    const none = await create('none answers')
    expect([none.value.status, await shardOf(none.value.body.id)]).toEqual([201, 'EVENTS'])
    expect(none.answeredMs).toBeLessThanOrEqual(2_000)
  })

  it('leaves tasks of the outbox for later, and waits for the shard once', async () => {
    const queued = withHeldQueue()
    const tenant = await createTenant({ harness: queued.harness })
    shard.fail(failure)
    await addDeletions(tenant)
    // Copies of people go to the queue: their task does not wait for the shard.
    await env.DB.prepare('DELETE FROM outbox WHERE project_id <> ?').bind(tenant.projectId).run()
    await sendBatch({ ...tenant, ...dying(tenant) }, [event('ada')])
    tenant.clock.advance({ minutes: 2 })
    const faults: string[] = []
    const deps = { db: database(), env: tenant.env, meter: createMeter() }
    const perform = () =>
      performDueTasks(deps, tenant.clock.now(), ({ message }) => void faults.push(message))
    const { answeredMs } = await elapse(perform, [shard])
    if (failure === 'never answers') expect(answeredMs).toBe(STATEMENT_DEADLINE_MS)
    expect(shard.failedCalls).toBe(1)
    expect(faults).toEqual(['outbox task delete_person_data failed'])
    expect(await tasksOf(tenant)).toEqual(['delete_person_data', 'delete_person_data', 'delete_person_data'])
    expect(queued.held.waiting.length).toBeGreaterThan(0)
    shard.recover()
    tenant.clock.advance({ minutes: 5 })
    await perform()
    expect(await tasksOf(tenant)).toEqual([])
  })

  it('does not stop the daily trigger, which continues with the other shards', async () => {
    const lines: string[] = []
    shard.fail(failure)
    const other = failingD1(env.EVENTS)
    let calls = 0
    const counted = {
      ...other.d1,
      prepare: (text: string) => ((calls += 1), other.d1.prepare(text)),
    } as D1Database
    const bindings = { ...env, EVENTS: shard.d1, EVENTS_2: counted, EVENTS_RETENTION_DAYS: '365' } as Env
    await elapse(() => onTrigger(DAILY, bindings, ({ message }) => void lines.push(message)), [shard])
    expect(lines).toEqual(
      ['prune events', 'prune endpoint_logs', 'planner statistics', 'size'].map(
        (step) => `trigger failed: ${step} of EVENTS`,
      ),
    )
    expect(calls).toBeGreaterThan(0)
  })
})

describe('after a long outage', () => {
  it('tries tasks soon', async () => {
    const tenant = await createTenant({ harness: withHeldQueue().harness })
    await addDeletions(tenant)
    await env.DB.prepare('DELETE FROM outbox WHERE project_id <> ?').bind(tenant.projectId).run()
    const deps = { db: database(), env: tenant.env, meter: createMeter() }
    const perform = () => {
      tenant.clock.advance({ minutes: 2 })
      return performDueTasks(deps, tenant.clock.now(), () => {})
    }
    shard.fail('is overloaded')
    for (let run = 0; run < 8; run += 1) await perform()
    shard.recover()
    await perform()
    // Those that were not tried do not wait for the delay of a failure, which has grown to twenty minutes.
    expect((await tasksOf(tenant)).length).toBeLessThanOrEqual(1)
  })
})

describe('where the queue is not durable', () => {
  it.each(FAILURES)(
    'capture stores events before it responds, and refuses them while the shard %s',
    async (failure) => {
      const direct = createHarness({
        bindings: {
          EVENTS: shard.d1,
          CAPTURE_STORES: 'on',
          INGESTION: failingQueue('the queue is not used'),
        },
      })
      const tenant = await createTenant({ harness: direct })
      const sent = [{ ...event('ada', { n: 1 }), uuid: crypto.randomUUID() }]
      shard.fail(failure)
      const { value } = await elapse(() => sendBatch(tenant, sent), [shard])
      expect(value).toMatchObject({
        status: 503,
        body: { detail: 'The events could not be stored. Please retry.' },
      })
      shard.recover()
      expect(await sendBatch(tenant, sent)).toMatchObject({ status: 200 })
      expect(await eventsOf(tenant)).toMatchObject([{ event: 'opened', distinctId: 'ada' }])
    },
  )
})

const failingQueue = (message: string) =>
  ({ sendBatch: () => Promise.reject(new Error(message)) }) as unknown as Env['INGESTION']

/** A harness whose queue takes nothing: requests end right after their commit. */
const dying = ({ clock }: Pick<Harness, 'clock'>) =>
  createHarness({
    clock,
    bindings: { INGESTION: failingQueue('the queue is gone') },
  })

async function tasksOf({ projectId }: { projectId: number }): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT task ->> '$.kind' AS kind FROM outbox WHERE project_id = ? ORDER BY kind`,
  )
    .bind(projectId)
    .all<{ kind: string }>()
  return results.map(({ kind }) => kind)
}

describe('a build while its shard fails', () => {
  it.each(FAILURES)('fails while the shard %s, and is done once it is back', async (failure) => {
    const tenant = await createMaterializingTenant({ EVENTS: shard.d1 })
    await sendEach(tenant, [event('ada', {}, 'a')])
    const made = await materializedEndpoint(tenant, COUNTS)
    shard.fail(failure)
    const { value } = await elapse(() => tenant.consume({ messages: [made.message] }), [shard])
    expect(value).toEqual({ retried: 0, acked: 1 })
    // Whoever reads what is stored of it does not wait for the shard.
    const calls = shard.failedCalls
    expect(await made.status()).toMatchObject({ status: 'Failed', ready: false })
    expect(shard.failedCalls).toBe(calls)
    shard.recover()
    tenant.clock.advance({ minutes: 5 })
    expect(await nextMinute(tenant)).toBe(1)
    await tenant.consume()
    expect(await made.status()).toMatchObject({ status: 'Completed', ready: true })
    expect((await made.run()).results).toEqual([['a', 1]])
  })
})
