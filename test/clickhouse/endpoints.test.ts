// Saved queries of a deployment that has ClickHouse, from end to end: captured over HTTP, written by the queue's consumer, read by a run.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { COLUMN_TYPE_QUERIES } from '../support/endpoints/column-types'
import { type ServedWorker, serveWorker } from '../support/server/served-worker'
import { makeWarehouse, type Warehouse } from './support/warehouse'

let warehouse: Warehouse
let served: ServedWorker

beforeAll(async () => {
  warehouse = await makeWarehouse('endpoints')
  served = await serveWorker({ bindings: warehouse.settings })
})
afterAll(() => served.stop())

type Json = Record<string, unknown>

interface TestResponse {
  status: number
  headers: Headers
  body: Json
}

async function call(method: string, path: string, body?: unknown, on = served): Promise<TestResponse> {
  const response = await fetch(`${on.url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${on.credentials.personalApiKey}`,
      'Content-Type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
}

const endpoints = '/api/projects/1/endpoints/'

async function create(name: string, sql: string, more: Json = {}, on = served): Promise<void> {
  const { status, body } = await call(
    'POST',
    endpoints,
    { name, query: { kind: 'HogQLQuery', query: sql, ...more } },
    on,
  )
  expect(body).toMatchObject({ name })
  expect(status).toBe(201)
}

const run = (name: string, body: Json = {}, on = served) => call('POST', `${endpoints}${name}/run/`, body, on)

async function send(to: ServedWorker, ...batch: Json[]): Promise<void> {
  const response = await fetch(`${to.url}/batch/`, {
    method: 'POST',
    body: JSON.stringify({ api_key: to.credentials.projectApiToken, batch }),
  })
  expect(response.status).toBe(200)
}

const countOf = async (table: string) => (await warehouse.rows(`SELECT count() FROM ${table} FINAL`))[0]?.[0]

describe('a saved query', () => {
  beforeAll(async () => {
    await send(
      served,
      {
        event: 'bought',
        distinct_id: 'ada',
        timestamp: '2026-03-01T23:30:00Z',
        properties: { amount: 12.5 },
      },
      { event: 'bought', distinct_id: 'ben', timestamp: '2026-03-02T10:00:00Z', properties: { amount: 30 } },
      {
        event: 'opened',
        distinct_id: 'ben',
        timestamp: '2026-03-02T09:00:00Z',
        properties: { $set: { plan: 'pro' } },
      },
    )
    await vi.waitFor(async () => expect(await countOf('events')).toBe(3), { timeout: 10_000, interval: 100 })
  })

  it('reads captured events', async () => {
    await create(
      'revenue',
      "SELECT toDate(timestamp) AS day, sum(properties.amount) AS revenue, any(person.properties.plan) AS plan FROM events WHERE event = 'bought' GROUP BY day ORDER BY day",
    )
    const { status, body } = await run('revenue')
    expect(body).toMatchObject({
      results: [
        ['2026-03-01', 12.5, null],
        ['2026-03-02', 30, 'pro'],
      ],
      columns: ['day', 'revenue', 'plan'],
      hasMore: false,
    })
    expect(status).toBe(200)
  })

  it('takes values, and pages', async () => {
    const { body: variable } = await call('POST', '/api/projects/1/insight_variables/', {
      name: 'Who',
      type: 'String',
      default_value: 'ada',
    })
    const { id, code_name: codeName } = variable as { id: string; code_name: string }
    await create(
      'events-of',
      `SELECT event, timestamp FROM events WHERE distinct_id = {variables.${codeName}} ORDER BY timestamp`,
      {
        variables: { [id]: { variableId: id, code_name: codeName } },
      },
    )
    expect((await run('events-of')).body.results).toEqual([['bought', '2026-03-01T23:30:00Z']])
    const { body } = await run('events-of', { variables: { [codeName]: 'ben' }, limit: 1, offset: 0 })
    expect(body).toMatchObject({ results: [['opened', '2026-03-02T09:00:00Z']], hasMore: true })
    const hostile = await run('events-of', { variables: { [codeName]: "' OR 1 = 1 --" } })
    expect(hostile.body.results).toEqual([])
  })

  it('may use what D1 has nothing for', async () => {
    await create(
      'by-pattern',
      "SELECT event, match(event, '^b.*t$') AS found FROM events GROUP BY event ORDER BY event",
    )
    expect((await run('by-pattern')).body.results).toEqual([
      ['bought', 1],
      ['opened', 0],
    ])
  })
})

describe('a materialized query', () => {
  /** Has a version's rows written, by the queue's own consumer. */
  async function materialize(name: string, sql: string, more: Json = {}): Promise<void> {
    const query = { kind: 'HogQLQuery', query: sql, ...more }
    const made = await call('POST', endpoints, { name, query, is_materialized: true })
    expect(made.body).toMatchObject({ materialization: { status: 'Running' } })
    await vi.waitFor(
      async () => {
        const { body } = await call('GET', `${endpoints}${name}/materialization_status/`)
        expect(body).toMatchObject({ status: 'Completed', ready: true, error: '' })
      },
      { timeout: 20_000, interval: 200 },
    )
  }

  it('has its rows in the shard, as ClickHouse gives them', async () => {
    await materialize(
      'kept-values',
      "SELECT event, timestamp, toDate(timestamp) AS day, event = 'bought' AS same, true AS yes, [timestamp] AS moments, ['a', NULL] AS texts, tuple(1, timestamp) AS pair, NULL AS nothing, properties.amount / 3 AS part, count() AS n, match(event, '^b') AS found FROM events GROUP BY ALL ORDER BY timestamp DESC",
    )
    const kept = (await run('kept-values')).body
    const inline = (await run('kept-values', { refresh: 'direct' })).body
    expect([kept.endpoint_materialized, inline.endpoint_materialized]).toEqual([true, undefined])
    expect(inline.results).toHaveLength(3)
    expect([kept.results, kept.columns, kept.types]).toEqual([inline.results, inline.columns, inline.types])
  })

  it('has columns of every type', { timeout: 120_000 }, async () => {
    for (const [at, sql] of COLUMN_TYPE_QUERIES.entries()) {
      await materialize(`kept-types-${at}`, sql)
      const kept = (await run(`kept-types-${at}`)).body
      const inline = (await run(`kept-types-${at}`, { refresh: 'direct' })).body
      expect([kept.endpoint_materialized, inline.endpoint_materialized]).toEqual([true, undefined])
      expect([sql, kept.results, kept.types]).toEqual([sql, inline.results, inline.types])
    }
  })

  it('is filtered by its variables there, and may be larger than any answer', async () => {
    const { body: variable } = await call('POST', '/api/projects/1/insight_variables/', {
      name: 'Least',
      type: 'Number',
    })
    const { id } = variable as { id: string }
    await materialize(
      'kept-numbers',
      'SELECT number, number * 2 AS twice FROM numbers(120000) WHERE number = {variables.least}',
      {
        variables: { [id]: { variableId: id, code_name: 'least', value: 1 } },
      },
    )
    const { body } = await run('kept-numbers', { variables: { least: 119_999 } })
    expect(body).toMatchObject({ results: [[119_999, 239_998]], endpoint_materialized: true })
  })

  it('is missing when ClickHouse rejects it, with the reason', async () => {
    const query = { kind: 'HogQLQuery', query: 'SELECT intDiv(1, number) AS q FROM numbers(3)' }
    await call('POST', endpoints, { name: 'kept-nothing', query, is_materialized: true })
    await vi.waitFor(
      async () => {
        const { body } = await call('GET', `${endpoints}kept-nothing/materialization_status/`)
        expect(body).toMatchObject({ status: 'Failed', ready: false })
        expect(body.error).toMatch(/zero/i)
      },
      { timeout: 20_000, interval: 200 },
    )
    const { results } = await served.events
      .prepare("SELECT count(*) AS n FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 4) = 'mat_'")
      .all()
    // The table of the failed build waits for the trigger that drops it.
    expect(results).toEqual([{ n: COLUMN_TYPE_QUERIES.length + 3 }])
  })
})

describe('a materialized query with a row of more than 16 MiB', () => {
  it('is paused, as on D1', async () => {
    const query = {
      kind: 'HogQLQuery',
      query: "SELECT groupArray(concat(repeat('x', 1000), toString(number))) AS large FROM numbers(20000)",
    }
    const made = await call('POST', endpoints, { name: 'large-row', query, is_materialized: true })
    expect(made.status).toBe(201)
    await vi.waitFor(
      async () => {
        const { body } = await call('GET', `${endpoints}large-row/materialization_status/`)
        expect(body).toMatchObject({ status: 'Failed', ready: false })
        expect(body.error).toMatch(/^The result of this query is too large\..*Materialization is paused\./)
      },
      { timeout: 20_000, interval: 200 },
    )
  })
})

describe('when ClickHouse is unavailable', () => {
  const lines: string[] = []
  let away: ServedWorker

  beforeAll(async () => {
    away = await serveWorker({
      bindings: {
        ...warehouse.settings,
        CLICKHOUSE_URL: 'http://127.0.0.1:9',
        CLICKHOUSE_PASSWORD: 'hunter2',
      },
      onLine: (line) => lines.push(JSON.stringify(line)),
    })
  })
  afterAll(() => away.stop())

  it('responds with 503 and Retry-After, without the password', async () => {
    await create('anything', 'SELECT count() FROM events', {}, away)
    const { status, headers, body } = await run('anything', {}, away)
    expect([status, body.code, headers.get('Retry-After')]).toEqual([503, 'query_engine_unavailable', '5'])
    await vi.waitFor(() => expect(lines.join('')).toContain('ClickhouseUnreachable'), { timeout: 5_000 })
    expect(JSON.stringify(body) + lines.join('')).not.toContain('hunter2')
  })

  it('captures all the same', async () => {
    await send(away, { event: 'bought', distinct_id: 'ada' })
    const count = await away.database.prepare('SELECT count(*) AS n FROM persons').first('n')
    expect(count).toBe(1)
  })
})
