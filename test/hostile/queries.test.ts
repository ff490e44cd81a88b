// Queries that would take all the time or memory of a shard: rejected before they start, or ended within a counted number of rows and bytes.
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { noRows } from '../../src/outbox/ingestion-rows'
import { createShardSink } from '../../src/analytics/ingestion/shard-sink'
import { hogql } from '../support/endpoints/endpoints'
import { createTenant, type Tenant } from '../support/tenant'

/** Events of one person, in one session. */
const EVENTS = 8_222

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant()
  const sink = createShardSink(env.EVENTS)
  for (let start = 0; start < EVENTS; start += 1_000) {
    await sink.write(tenant.projectId, {
      ...noRows(),
      events: Array.from({ length: Math.min(1_000, EVENTS - start) }, (_, index) => ({
        uuid: crypto.randomUUID(),
        event: 'opened',
        distinctId: 'ada',
        timestamp: `2026-03-09T12:00:00.${String(start + index).padStart(6, '0')}Z`,
        createdAt: '2026-03-09T12:00:00.000000Z',
        setsProperties: false,
        flagKey: null,
        flagResponse: null,
        properties: { $session_id: 'one', n: start + index },
      })),
    })
  }
})

const create = (sql: string) =>
  tenant.post(tenant.endpoints(), { name: `hostile-${crypto.randomUUID()}`, query: hogql(sql) })

async function run(sql: string) {
  const { status, body } = await create(sql)
  expect(status).toBe(201)
  return tenant.post(tenant.endpoints(`${body.name}/run`), { limit: 50_000 })
}

describe('a query that costs too much for any data', () => {
  it.each([
    ["SELECT repeat('x', 100000) AS t FROM numbers(20000) ORDER BY t LIMIT 20000", "function 'repeat'"],
    ['SELECT count() FROM numbers(1000000) AS a CROSS JOIN numbers(1000) AS b', 'joins'],
    ["SELECT length(arrayStringConcat(range(100000), repeat('x', 100000)))", "function 'arrayStringConcat'"],
    ['SELECT uniqExact(repeat(toString(number), 10000)) FROM numbers(100000)', 'aggregates'],
    ['SELECT topK(1000)(repeat(toString(number), 1000)) FROM numbers(100000)', 'aggregates'],
    [
      'SELECT row_number() OVER (ORDER BY repeat(toString(number), 10000)) FROM numbers(100000)',
      "function 'repeat'",
    ],
    [
      'WITH t AS (SELECT number AS n FROM numbers(1000)) SELECT count() FROM t AS a CROSS JOIN t AS b CROSS JOIN t AS c',
      'joins',
    ],
    [
      'SELECT arraySort(x -> arraySum(arrayMap(y -> y * x, range(1000))), range(100000))',
      "function 'arraySum'",
    ],
  ])('is not stored: %s', async (sql, mostly) => {
    const { status, body, line } = await create(sql)
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        type: 'validation_error',
        code: 'query_too_expensive',
        detail: expect.stringMatching(
          new RegExp(
            `^Invalid HogQL query: This query is too large for the built-in database: it may take [\\d,]+ s, most of it for ${mostly}, and the limit is 15 s\\. Lower the numbers in it, or connect ClickHouse\\.$`,
          ),
        ),
        attr: 'query',
      },
    })
    expect(line.events_round_trips ?? 0).toBe(0)
  })
})

describe('a query that costs too much for the data', () => {
  it.each([
    "SELECT repeat('x', 100000) AS t FROM numbers(20000) LIMIT 20000",
    'SELECT count() FROM events AS a CROSS JOIN events AS b',
    'SELECT count() FROM events AS a, numbers(100000) AS b',
    'SELECT count() FROM events AS a JOIN events AS b ON a.person_id = b.person_id WHERE a.timestamp < b.timestamp',
    'SELECT count() FROM events AS a JOIN events AS b ON a.properties.$session_id = b.properties.$session_id',
    'SELECT count() FROM events AS a JOIN events AS b ON a.distinct_id = b.distinct_id JOIN events AS c ON b.distinct_id = c.distinct_id',
    "SELECT position(repeat('a', 100000), concat(repeat('a', 50000), 'b')) FROM events",
    'SELECT count() FROM (SELECT arrayJoin(range(100000)) AS x FROM events)',
    'SELECT count() FROM events GROUP BY repeat(toString(properties.n), 100000)',
  ])('is refused after reading each event four times at most: %s', async (sql) => {
    const { status, body, line } = await run(sql)
    expect({ status, code: body.code, detail: body.detail }).toEqual({
      status: 400,
      code: 'query_too_expensive',
      detail: expect.stringMatching(
        /^This query is too large for the built-in database: .* connect ClickHouse\.$/,
      ),
    })
    expect(line.events_rows_read).toBeLessThan(4 * EVENTS + 100)
  })
})

describe('a query whose answer is too large', () => {
  it.each([
    "SELECT repeat('x', 10000) AS t FROM numbers(10000)",
    "SELECT length(groupArray(repeat('x', 10000))) FROM events",
    "SELECT arrayStringConcat(groupArray(repeat('x', 10000)), '') FROM events",
    "SELECT length(replaceAll(repeat('a', 100000), 'a', repeat('b', 1000)))",
  ])('ends in the database: %s', async (sql) => {
    const { status, body } = await run(sql)
    expect([status, body.code]).toEqual([400, 'query_too_large'])
  })
})

describe('a query that looks hostile and is not', () => {
  it.each([
    ["SELECT length(repeat('x', 1000)) AS n FROM numbers(10000) ORDER BY n LIMIT 1", [[1_000]], 30_000],
    ['SELECT sum(arraySum(range(10000))) FROM events', [[EVENTS * 49_995_000]], 5 * EVENTS],
    ["SELECT count() FROM events WHERE repeat('ab', 50000) LIKE '%a%a%a%a%a%a%c'", [[0]], 100],
    ['SELECT count() FROM events AS a JOIN events AS b ON a.uuid = b.uuid', [[EVENTS]], 3 * EVENTS],
  ])('is answered: %s', async (sql, rows, rowsRead) => {
    const { status, body, line } = await run(sql)
    expect([status, body.results]).toEqual([200, rows])
    expect(line.events_rows_read).toBeLessThan(rowsRead)
  })
})
