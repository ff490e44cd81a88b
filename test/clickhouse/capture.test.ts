// Capture of a project whose events are on ClickHouse: through the served Worker, its queue and HTTP, once, and people as the main database
// has them.
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type ServedWorker, serveWorker } from '../support/server/served-worker'
import { event, PEOPLE_TABLES, type Sent } from './support/captured'
import { type Fault, FAULT_NAMES } from './support/fault-names'
import { type FaultyProxy, startFaultyProxy } from './support/faulty-proxy'
import { makeWarehouse, type Warehouse } from './support/warehouse'

let warehouse: Warehouse
let proxy: FaultyProxy
let served: ServedWorker

beforeAll(async () => {
  warehouse = await makeWarehouse('capture')
  proxy = await startFaultyProxy(warehouse.settings.CLICKHOUSE_URL)
  served = await serveWorker({ bindings: { ...warehouse.settings, CLICKHOUSE_URL: proxy.url } })
})
afterAll(async () => {
  await served.stop()
  await proxy.stop()
})

async function send(...batch: Sent[]): Promise<void> {
  const response = await fetch(`${served.url}/batch/`, {
    method: 'POST',
    body: JSON.stringify({ api_key: served.credentials.projectApiToken, batch }),
  })
  if (!response.ok) throw new Error(await response.text())
}

/** The number of events, and people as the main database has them. */
async function expectOnClickhouse(events: number): Promise<void> {
  await vi.waitFor(
    async () => {
      expect(await countOf('events')).toBe(events)
      for (const [d1, clickhouse] of PEOPLE_TABLES) {
        expect(await warehouse.rows(clickhouse)).toEqual(await served.database.prepare(d1).raw())
      }
    },
    { timeout: 25_000, interval: 200 },
  )
}

const countOf = async (table: string): Promise<unknown> =>
  (await warehouse.rows(`SELECT count() FROM ${table} FINAL`))[0]?.[0]

it('brings events, persons, groups and distinct ids', async () => {
  const text = `quotes ' " and \\ and \n and é 🦊`
  const nested = { a: [1, 2.5, null] }
  await send(
    event('ada', 'opened', { path: '/', $set: { plan: 'free' } }),
    event('ada', 'quoted', { text, nested }),
    event('ben', '$groupidentify', { $group_type: 'company', $group_key: 'acme', $group_set: { seats: 3 } }),
    event('ben', 'bought', { $groups: { company: 'acme' }, amount: 12.5 }),
  )
  await expectOnClickhouse(4)
  const [quoted] = await warehouse.rows(
    `SELECT distinct_id, properties, toString(timestamp), sets_properties FROM events FINAL WHERE event = 'quoted'`,
  )
  expect([quoted![0], JSON.parse(String(quoted![1])), quoted![2], quoted![3]]).toEqual([
    'ada',
    { text, nested },
    '2026-03-01 10:00:00.123000',
    false,
  ])
  // The shard of the project has nothing of it.
  expect(await served.events.prepare('SELECT count(*) AS n FROM events').first('n')).toBe(0)
})

it('keeps the other properties of a text that was cut within a character', async () => {
  const cut = '🦊'.slice(0, 1)
  await send(
    event('ada', 'cut', {
      text: `a ${cut}`,
      [cut]: [{ deep: cut }],
      path: '/cut',
      $set: { plan: 'basic', name: cut },
    }),
  )
  await expectOnClickhouse(5)
  expect(
    await warehouse.rows(
      `SELECT JSONExtractString(properties, 'path'), JSONExtractString(properties, 'text') FROM events FINAL WHERE event = 'cut'`,
    ),
  ).toEqual([['/cut', 'a \ufffd']])
  expect(
    await warehouse.rows(
      `SELECT JSONExtractString(properties, 'name') FROM persons FINAL WHERE JSONExtractString(properties, 'plan') = 'basic'`,
    ),
  ).toEqual([['\ufffd']])
})

it('follows what changes', async () => {
  await send(event('ada', '$set', { $set: { plan: 'pro' } }))
  await send(
    event('ben', '$groupidentify', { $group_type: 'company', $group_key: 'acme', $group_set: { seats: 4 } }),
  )
  await expectOnClickhouse(7)
  expect(
    await warehouse.rows(
      `SELECT JSONExtractString(properties, 'plan') FROM persons FINAL WHERE properties LIKE '%pro%'`,
    ),
  ).toEqual([['pro']])
})

it('follows merges: all ids of both, and a tombstone of the merged person', async () => {
  await send(event('anon-1', 'opened'), event('anon-2', 'opened'), event('cleo', 'opened'))
  await send(event('anon-2', '$create_alias', { alias: 'anon-1' }))
  await served.database.batch([
    served.database.prepare(
      `INSERT INTO cohorts (id, project_id, name, is_static, created_at) VALUES (7, 1, 'Early', 1, '2026-01-01T00:00:00.000000Z')`,
    ),
    served.database.prepare(
      `INSERT INTO cohort_members (cohort_id, person_id) SELECT 7, person_id FROM person_distinct_ids WHERE distinct_id = 'anon-1'`,
    ),
  ])
  await send(event('cleo', '$merge_dangerously', { alias: 'anon-1' }))
  await expectOnClickhouse(12)
  const people = await warehouse.rows(
    `SELECT uniqExact(person_id) FROM person_distinct_ids FINAL WHERE distinct_id IN ('cleo', 'anon-1', 'anon-2')`,
  )
  expect(people).toEqual([[1]])
  expect(await countOf('cohort_people')).toBe(1)
})

it('brings rows that are larger than a message of the queue', async () => {
  const long = 'x'.repeat(300_000)
  await send(event('dan', 'exported', { long, $set: { biography: long } }))
  await expectOnClickhouse(13)
  expect(await warehouse.rows(`SELECT count() FROM events FINAL WHERE length(properties) > 600000`)).toEqual([
    [1],
  ])
  // The consumer deletes the task that held the event.
  await vi.waitFor(async () =>
    expect(
      await served.database
        .prepare(`SELECT count(*) AS n FROM outbox WHERE task ->> '$.kind' = 'store_event'`)
        .first('n'),
    ).toBe(0),
  )
})

it('brings thousands of events in one request', async () => {
  await send(
    ...Array.from({ length: 3_000 }, (_, index) => event(`person-${index % 50}`, 'opened', { index })),
  )
  await expectOnClickhouse(3_013)
})

it.each([
  ['loses the answer', 1],
  ['answers a page', 2],
] as const)('writes a batch once when the server %s to its insert', async (fault, count) => {
  const inserts = proxy.seen('INSERT INTO events')
  proxy.failOnce(fault, 'INSERT INTO events')
  await send(event('eve', 'opened', { only: 'once' }))
  await vi.waitFor(() => expect(proxy.seen('INSERT INTO events')).toBe(inserts + 2), {
    timeout: 20_000,
    interval: 50,
  })
  await expectOnClickhouse(3_013 + count)
})

it('writes a request once that the client repeats', async () => {
  const uuid = crypto.randomUUID()
  await send({ ...event('eve', 'repeated'), uuid })
  await send({ ...event('eve', 'repeated'), uuid })
  await send(event('eve', 'last'))
  await expectOnClickhouse(3_017)
})

it('answers when the events can be queried, where the request prefers to wait', async () => {
  const response = await fetch(`${served.url}/batch/`, {
    method: 'POST',
    headers: { Prefer: 'wait=10' },
    body: JSON.stringify({ api_key: served.credentials.projectApiToken, batch: [event('eve', 'awaited')] }),
  })
  expect(response.headers.get('Preference-Applied')).toBe('wait=10')
  expect(await countOf('events')).toBe(3_018)
})

it('answers when a change of a person can be queried', async () => {
  const response = await fetch(`${served.url}/batch/`, {
    method: 'POST',
    headers: { Prefer: 'wait=10' },
    body: JSON.stringify({
      api_key: served.credentials.projectApiToken,
      batch: [{ ...event('eve', '$set', { $set: { seat: 'awaited' } }), people_only: true }],
    }),
  })
  expect(response.headers.get('Preference-Applied')).toBe('wait=10')
  expect(
    await warehouse.rows(
      `SELECT count() FROM persons FINAL WHERE JSONExtractString(properties, 'seat') = 'awaited'`,
    ),
  ).toEqual([[1]])
})

it('counts the calls of a flag, and rebuilds properties of the past', async () => {
  const key = { Authorization: `Bearer ${served.credentials.personalApiKey}` }
  const post = async (path: string, body: unknown) => {
    const headers = { ...key, 'Content-Type': 'application/json' }
    const answer = await fetch(served.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answer.json()) as Record<string, unknown>
  }
  const flag = await post('/api/projects/1/feature_flags/', {
    key: 'plans',
    created_at: '2026-01-01T00:00:00Z',
    _should_create_usage_dashboard: true,
    filters: {
      groups: [
        {
          properties: [{ key: 'plan', type: 'person', operator: 'exact', value: 'free' }],
          rollout_percentage: 100,
        },
      ],
    },
  })
  const called = {
    ...event('fay', '$feature_flag_called', { $feature_flag: 'plans', $feature_flag_response: true }),
  }
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const groupKey = 'Zoë "A" & 5'
  const identifyGroup = ($group_set: Sent, $group_key = groupKey) =>
    event('fay', '$groupidentify', { $group_type: 'company', $group_key, $group_set })
  await send(
    event('fay', '$identify', { $anon_distinct_id: 'fay-before' }),
    { ...called, timestamp: hoursAgo(1) },
    { ...called, distinct_id: 'fay-before', timestamp: hoursAgo(1) },
    { ...event('fay', '$set', { $set: { plan: 'free' } }), timestamp: hoursAgo(48) },
    { ...event('fay', '$set', { $set: { plan: 'pro' } }), timestamp: hoursAgo(1) },
    { ...identifyGroup({ tier: 'free' }), timestamp: hoursAgo(48) },
    { ...identifyGroup({ tier: 'pro' }), timestamp: hoursAgo(1) },
    { ...identifyGroup({ tier: 'free' }, 'Another'), timestamp: hoursAgo(1) },
  )
  await expectOnClickhouse(3_026)
  const dashboard = await fetch(`${served.url}/api/projects/1/dashboards/${String(flag.usage_dashboard)}/`, {
    headers: key,
  })
  const { tiles } = (await dashboard.json()) as {
    tiles: { insight: { result: { label: string; count: number }[] } }[]
  }
  expect(tiles[0]!.insight.result).toMatchObject([{ label: 'true', count: 2 }])
  expect(tiles[1]!.insight.result).toMatchObject([{ label: 'true', count: 1 }])
  const path = `/api/projects/1/feature_flags/${String(flag.id)}/test_evaluation/`
  const then = await post(path, { distinct_id: 'fay', timestamp: hoursAgo(24) })
  expect([then.result, (await post(path, { distinct_id: 'fay' })).result]).toEqual([true, false])

  const tiers = await post('/api/projects/1/feature_flags/', {
    key: 'tiers',
    created_at: '2026-01-01T00:00:00Z',
    filters: {
      aggregation_group_type_index: 0,
      groups: [
        {
          properties: [{ key: 'tier', type: 'group', group_type_index: 0, operator: 'exact', value: 'free' }],
          rollout_percentage: 100,
        },
      ],
    },
  })
  const ofGroup = async (more: Sent) => {
    const body = { distinct_id: 'fay', groups: { company: groupKey }, ...more }
    const result = await post(`/api/projects/1/feature_flags/${String(tiers.id)}/test_evaluation/`, body)
    return result.result
  }
  expect(await ofGroup({ timestamp: hoursAgo(24) })).toBe(true)
  expect(await ofGroup({})).toBe(false)

  const changes = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => ({
      ...event('gus', '$set', { $set: { plan: index % 2 ? 'pro' : 'free' } }),
      timestamp: hoursAgo(48),
    }))
  await send(...changes(0, 5_000))
  await send(...changes(5_000, 10_001))
  await expectOnClickhouse(13_027)
  expect(await post(path, { distinct_id: 'gus', timestamp: hoursAgo(24) })).toEqual({
    error:
      'The history of this person is too long to rebuild their properties: at most 20000 names of properties over all distinct ids, 10000 events that have no history, and 16 MiB together.',
  })
})

it('responds with 503 to a run while the server answers as it should not', async () => {
  const call = async (path: string, body: unknown) => {
    const response = await fetch(`${served.url}/api/projects/1/endpoints/${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${served.credentials.personalApiKey}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const query = { kind: 'HogQLQuery', query: 'SELECT event, distinct_id FROM events LIMIT 1000' }
  expect((await call('', { name: 'all', query })).status).toBe(201)
  const run = () => call('all/run/', {})
  const responses: [Fault, unknown, unknown][] = []
  try {
    for (const fault of FAULT_NAMES) {
      proxy.faultOf = () => fault
      const { status, body } = await run()
      responses.push([fault, status, body.code])
    }
  } finally {
    proxy.faultOf = () => null
  }
  expect(responses).toEqual(FAULT_NAMES.map((fault) => [fault, 503, 'query_engine_unavailable']))
  expect((await run()).body.results).toHaveLength(1_000)
})
