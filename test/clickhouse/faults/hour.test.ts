// An hour in which everything fails by chance: D1 before and after a commit, the queue, the consumer between its write and its
// acknowledgement, ClickHouse in every way of the faulty proxy; messages come twice and out of order, clients repeat requests. After it, the
// shard and ClickHouse hold the events that were acknowledged and no others, and the people of an undisturbed run.
// `FUZZ_RUNS=20 FUZZ_SEED=7 npm run test:clickhouse -- test/clickhouse/faults` runs more hours, of other chance.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { consumeIngestion } from '../../../src/analytics/ingestion/consume'
import { performDueTasks } from '../../../src/jobs/outbox-tasks'
import { openDatabase } from '../../../src/storage/database'
import { createMeter } from '../../../src/storage/metered-d1'
import { sendBatch } from '../../support/capture'
import { testClock } from '../../support/clock'
import { createHarness } from '../../support/harness'
import { createTenant, type Tenant } from '../../support/tenant'
import { type Fault, FAULT_NAMES } from '../support/fault-names'
import { makeWarehouse, type Warehouse } from '../support/warehouse'
import { createFailingWorker } from './failing-worker'
import { createFaultyQueue } from './queue'
import { createRandom } from './random'
import { FIRST, nextRequest, type SentRequest } from './requests'
import { peopleInMain, type StoredEvent, storedInClickhouse, storedInShard } from './stored'

const HOURS = Number(env.FUZZ_RUNS || 1)
const SEED = Number(env.FUZZ_SEED || 1)

/** Whole hours are for `FUZZ_RUNS`. */
const MINUTES = env.FUZZ_RUNS ? 60 : 16
/** Half of it is past midnight, so that repeated events may fall on another day. */
const START = new Date(Date.parse('2026-03-11T00:00:00Z') - MINUTES * 30_000).toISOString()
const CLIENTS = ['one', 'two']

let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await makeWarehouse('hour')
})

/** Has the next statements of ClickHouse fail, in their order; null: it succeeds. */
async function planFaults(faults: readonly (Fault | null)[]): Promise<void> {
  const response = await fetch(inject('faultyClickhouse'), { method: 'PUT', body: JSON.stringify(faults) })
  if (!response.ok) throw new Error(`the proxy answered ${response.status}`)
}

describe.each(Array.from({ length: HOURS }, (_, hour) => SEED + hour))('the hour of seed %d', (seed) => {
  it('leaves the same events on D1 and on ClickHouse', { timeout: 240_000 }, async () => {
    const random = createRandom(seed)
    const clock = testClock(START)
    const queue = createFaultyQueue(random, clock)
    const worker = createFailingWorker(random, queue.binding)
    const bindings = { ...warehouse.settings, CLICKHOUSE_URL: inject('faultyClickhouse'), ...worker.bindings }
    const failing = createHarness({ clock, bindings })

    const undisturbed = await createTenant({ harness: createHarness({ clock }) })
    const onShard = { ...(await createTenant()), ...failing }
    const onClickhouse = { ...(await createTenant()), ...failing }
    await env.DB.prepare(`UPDATE projects SET query_engine = 'clickhouse' WHERE id = ?`)
      .bind(onClickhouse.projectId)
      .run()

    const tally: Record<string, number> = {}
    const count = (what: string) => (tally[what] = (tally[what] ?? 0) + 1)

    /** @returns whether the client has a response, so that it does not repeat its request. */
    async function send(tenant: Tenant, { batch, rest, isInvalid }: SentRequest): Promise<boolean> {
      const { result, hasDied } = await worker.run(() => sendBatch(tenant, batch, rest(clock.now())))
      count(String(result.status))
      if (hasDied || (worker.isFailing && random.isLikely(0.05))) return false
      if (result.status === 503) return false
      expect([result.status, result.body]).toMatchObject(isInvalid ? [400, {}] : [200, { status: 'Ok' }])
      return true
    }

    async function consume(): Promise<void> {
      const faults = Array.from({ length: 12 }, () =>
        random.isLikely(0.2) ? random.pick(FAULT_NAMES) : null,
      )
      await planFaults(worker.isFailing ? faults : [])
      await queue.deliver(async (batch) => {
        const { hasDied } = await worker.run(() =>
          consumeIngestion(batch, failing.env, () => count('errors of the consumer')),
        )
        return !hasDied && !(worker.isFailing && random.isLikely(0.1))
      })
    }

    async function trigger(): Promise<void> {
      const deps = { db: openDatabase(failing.env.DB, createMeter()), env: failing.env, meter: createMeter() }
      await worker.run(() =>
        performDueTasks(deps, clock.now(), () => count('errors of the trigger')).catch(() => undefined),
      )
    }

    worker.isFailing = false
    for (const tenant of [undisturbed, onShard, onClickhouse]) expect(await send(tenant, FIRST)).toBe(true)
    worker.isFailing = true

    const tenants = [onShard, onClickhouse]
    const sent: SentRequest[] = [FIRST]
    /** Of each tenant and client, in order. */
    const pending = tenants.flatMap((tenant) =>
      CLIENTS.map((client) => ({ tenant, client, requests: [] as SentRequest[] })),
    )
    for (let minute = 0; minute < MINUTES; minute += 1) {
      for (const client of CLIENTS) {
        const request = nextRequest(random, client, clock.now())
        sent.push(request)
        await sendBatch(undisturbed, request.batch, request.rest(clock.now()))
        for (const each of pending) if (each.client === client) each.requests.push(request)
      }
      for (const { tenant, requests } of random.shuffled(pending)) {
        while (requests[0] && (await send(tenant, requests[0]))) requests.shift()
      }
      // Long after it was answered, a request comes again.
      const repeated = random.pick(sent)
      const isSettled = pending.every(({ requests }) => !requests.includes(repeated))
      if (isSettled) for (const tenant of tenants) await send(tenant, repeated)
      clock.advance({ minutes: 1 })
      await consume()
      if (minute % 2) await trigger()
    }

    worker.isFailing = false
    queue.isFailing = false
    for (const { tenant, requests } of pending) {
      for (const request of requests) expect(await send(tenant, request)).toBe(true)
    }
    for (let rounds = 0; queue.length > 0 || rounds < 3; rounds += 1) {
      expect(rounds).toBeLessThan(100)
      clock.advance({ hours: 1 })
      await trigger()
      await consume()
    }

    const shard = await storedInShard(onShard.projectId)
    const clickhouse = await storedInClickhouse(warehouse, onClickhouse.projectId)
    const expected = await expectedEvents(sent)
    expect(shard.events.length).toBeGreaterThan(MINUTES * 1.5)
    const model = await storedInShard(undisturbed.projectId)
    expect(model.events.map(({ uuid, event, distinctId }) => ({ uuid, event, distinctId }))).toEqual(expected)
    for (const { events } of [shard, clickhouse]) {
      expect(withoutTime(events)).toEqual(withoutTime(model.events))
      expect(timed(events)).toEqual(timed(model.events))
    }
    // Of a repeated event there is one row, or the same row several times.
    expect(
      await warehouse.rows(
        `SELECT uuid FROM events WHERE project_id = ${onClickhouse.projectId} GROUP BY uuid
          HAVING uniqExact(timestamp, event, distinct_id, properties) > 1`,
      ),
    ).toEqual([])

    const people = await peopleInMain(undisturbed.projectId)
    for (const { projectId } of tenants) expect(await peopleInMain(projectId)).toEqual(people)
    expect({ people: shard.people, groups: shard.groups }).toEqual(people)
    expect({ people: clickhouse.people, groups: clickhouse.groups }).toEqual(people)
    const ids = tenants.map(({ projectId }) => projectId)
    const left = `SELECT task ->> '$.kind' FROM outbox WHERE project_id IN (${ids.join(', ')})`
    expect(await env.DB.prepare(left).raw()).toEqual([])
    process.stdout.write(
      `${JSON.stringify({ seed, events: expected.length, people: people.people.length, ...tally, ...worker.failures })}\n`,
    )
  })
})

const withoutTime = (events: readonly StoredEvent[]) => events.map((event) => ({ ...event, timestamp: '' }))

/** Events whose timestamp is the client's. */
const timed = (events: readonly StoredEvent[]) =>
  events.filter(({ event, uuid }) => event !== 'untimed' && uuid !== FIRST.batch[0]!.uuid)

/** Every event of the requests that can be used, once. */
const expectedEvents = (sent: readonly SentRequest[]) =>
  sent
    .flatMap(({ batch }) => batch)
    .filter(({ event }) => event !== 'refused')
    .map(({ uuid, event, distinct_id: distinctId }) => ({ uuid, event, distinctId }))
    .sort((a, b) => (String(a.uuid) < String(b.uuid) ? -1 : 1))
