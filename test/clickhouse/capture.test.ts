// What capture writes arrives on ClickHouse: through the served Worker, its queue and HTTP, once, and as the database has it.
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { backfill } from '../../src/analytics/warehouse/backfill'
import { type ServedWorker, serveWorker } from '../support/served-worker'
import { type FlakyProxy, startFlakyProxy } from './flaky-proxy'
import { makeWarehouse, type Warehouse } from './warehouse'

let warehouse: Warehouse
let proxy: FlakyProxy
let served: ServedWorker

beforeAll(async () => {
  warehouse = await makeWarehouse('capture')
  proxy = await startFlakyProxy(warehouse.settings.CLICKHOUSE_URL)
  served = await serveWorker({ bindings: { ...warehouse.settings, CLICKHOUSE_URL: proxy.url } })
})
afterAll(async () => {
  await served.stop()
  await proxy.stop()
})

type Sent = Record<string, unknown>

async function send(...batch: Sent[]): Promise<void> {
  const response = await fetch(`${served.url}/batch/`, {
    method: 'POST',
    body: JSON.stringify({ api_key: served.credentials.projectApiToken, batch }),
  })
  if (!response.ok) throw new Error(await response.text())
}

const event = (distinctId: string, name: string, properties: Sent = {}): Sent => ({
  event: name,
  distinct_id: distinctId,
  timestamp: '2026-03-01T10:00:00.123Z',
  properties,
})

/** The tables on both sides, as lists of the same rows. Moments are compared as far as both write them. */
const TABLES: readonly [d1: string, clickhouse: string][] = [
  [
    `SELECT project_id, uuid, event, distinct_id, properties, substr(replace(timestamp, 'T', ' '), 1, 26),
      substr(replace(created_at, 'T', ' '), 1, 26) FROM events ORDER BY uuid`,
    `SELECT project_id, uuid, event, distinct_id, properties, toString(timestamp), toString(created_at) FROM events FINAL ORDER BY uuid`,
  ],
  [
    `SELECT project_id, uuid, properties, is_identified, substr(replace(created_at, 'T', ' '), 1, 26), version
      FROM persons ORDER BY uuid`,
    `SELECT project_id, id, properties, toUInt8(is_identified), toString(created_at), version FROM persons FINAL ORDER BY id`,
  ],
  [
    `SELECT d.project_id, d.distinct_id, p.uuid FROM person_distinct_ids d JOIN persons p ON p.id = d.person_id
      ORDER BY d.distinct_id`,
    'SELECT project_id, distinct_id, person_id FROM person_distinct_ids FINAL ORDER BY distinct_id',
  ],
  [
    `SELECT project_id, type_index, group_key, properties, substr(replace(created_at, 'T', ' '), 1, 26), version
      FROM groups ORDER BY type_index, group_key`,
    'SELECT project_id, index, key, properties, toString(created_at), version FROM groups FINAL ORDER BY index, key',
  ],
  [
    `SELECT p.project_id, c.cohort_id, p.uuid FROM cohort_members c JOIN persons p ON p.id = c.person_id
      ORDER BY c.cohort_id, p.uuid`,
    'SELECT project_id, cohort_id, person_id FROM cohort_people FINAL ORDER BY cohort_id, person_id',
  ],
]

async function expectSameOnBoth(): Promise<void> {
  await vi.waitFor(
    async () => {
      for (const [d1, clickhouse] of TABLES) {
        expect(await warehouse.rows(clickhouse)).toEqual(await served.database.prepare(d1).raw())
      }
    },
    { timeout: 25_000, interval: 200 },
  )
}

const countOf = async (table: string): Promise<unknown> =>
  (await warehouse.rows(`SELECT count() FROM ${table} FINAL`))[0]?.[0]

it('brings events, persons, groups and who is who', async () => {
  await send(
    event('ada', 'opened', { path: '/', $set: { plan: 'free' } }),
    event('ada', 'opened', { text: `quotes ' " and \\ and \n and é 🦊`, nested: { a: [1, 2.5, null] } }),
    event('ben', '$groupidentify', { $group_type: 'company', $group_key: 'acme', $group_set: { seats: 3 } }),
    event('ben', 'bought', { $groups: { company: 'acme' }, amount: 12.5 }),
  )
  await expectSameOnBoth()
  expect(await countOf('events')).toBe(4)
})

it('follows what changes', async () => {
  await send(event('ada', '$set', { $set: { plan: 'pro' } }))
  await send(
    event('ben', '$groupidentify', { $group_type: 'company', $group_key: 'acme', $group_set: { seats: 4 } }),
  )
  await expectSameOnBoth()
  expect(
    await warehouse.rows(
      `SELECT JSONExtractString(properties, 'plan') FROM persons FINAL WHERE properties LIKE '%pro%'`,
    ),
  ).toEqual([['pro']])
})

it('follows merges: all ids of both, and no person that is gone', async () => {
  await send(event('anon-1', 'opened'), event('anon-2', 'opened'), event('cleo', 'opened'))
  await send(event('anon-2', '$create_alias', { alias: 'anon-1' }))
  await served.database.batch([
    served.database.prepare(
      `INSERT INTO cohorts (id, project_id, name, is_static, created_at) VALUES (7, 1, 'Early', 1, '2026-01-01T00:00:00.000000Z')`,
    ),
    served.database.prepare(
      `INSERT INTO cohort_members SELECT 7, person_id FROM person_distinct_ids WHERE distinct_id = 'anon-1'`,
    ),
  ])
  await send(event('cleo', '$merge_dangerously', { alias: 'anon-1' }))
  await expectSameOnBoth()
  const people = await warehouse.rows(
    `SELECT uniqExact(person_id) FROM person_distinct_ids FINAL WHERE distinct_id IN ('cleo', 'anon-1', 'anon-2')`,
  )
  expect(people).toEqual([[1]])
  expect(await countOf('cohort_people')).toBe(1)
})

it('brings rows that are larger than a message of the queue', async () => {
  const long = 'x'.repeat(300_000)
  await send(event('dan', 'exported', { long, $set: { biography: long } }))
  await expectSameOnBoth()
  expect(await warehouse.rows(`SELECT count() FROM events FINAL WHERE length(properties) > 600000`)).toEqual([
    [1],
  ])
})

it('brings thousands of events in one request', async () => {
  await send(
    ...Array.from({ length: 3_000 }, (_, index) => event(`person-${index % 50}`, 'opened', { index })),
  )
  await expectSameOnBoth()
})

it('writes what came twice once: the answer to an insert is lost, and the batch comes again', async () => {
  const before = Number(await countOf('events'))
  const inserts = proxy.seen('INSERT INTO events')
  proxy.loseAnswerOf('INSERT INTO events')
  await send(event('eve', 'opened', { only: 'once' }))
  await vi.waitFor(() => expect(proxy.seen('INSERT INTO events')).toBe(inserts + 2), {
    timeout: 20_000,
    interval: 50,
  })
  await expectSameOnBoth()
  expect(await countOf('events')).toBe(before + 1)
})

it('can be filled again from the database, which changes nothing', async () => {
  const before = await Promise.all(TABLES.map(([, clickhouse]) => warehouse.rows(clickhouse)))
  const copied = await backfill({
    read: async (sql) => (await served.database.prepare(sql).all<Record<string, unknown>>()).results,
    server: warehouse.server,
    pageSize: 700,
    onPage: () => {},
  })
  expect(copied).toMatchObject({ events: before[0]?.length, persons: before[1]?.length })
  expect(await Promise.all(TABLES.map(([, clickhouse]) => warehouse.rows(clickhouse)))).toEqual(before)
})

it('is filled from nothing by the database alone', async () => {
  const fresh = await makeWarehouse('backfilled')
  await backfill({
    read: async (sql) => (await served.database.prepare(sql).all<Record<string, unknown>>()).results,
    server: fresh.server,
    pageSize: 700,
    onPage: () => {},
  })
  for (const [, clickhouse] of TABLES)
    expect(await fresh.rows(clickhouse)).toEqual(await warehouse.rows(clickhouse))
})
