// What counts as a response of ClickHouse: anything but a complete one is a server that does not answer, on every path that sends statements.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ClickhouseServer } from '../../src/analytics/clickhouse/server'
import { ClickhouseError, ClickhouseUnreachable } from '../../src/analytics/clickhouse/server'
import { createClickhouseEngine, rowsFromClickhouse } from '../../src/analytics/engine/clickhouse-engine'
import type { Run } from '../../src/analytics/engine/query-engine'
import { createClickhouseSink } from '../../src/analytics/ingestion/clickhouse-sink'
import { type EventRow, noRows } from '../../src/outbox/ingestion-rows'
import type { CompiledQuery } from '../../src/hogql/compiled'
import { INTEGER, STRING } from '../../src/hogql/types'
import { FAULT_NAMES } from './support/fault-names'
import { type FaultyProxy, startFaultyProxy } from './support/faulty-proxy'
import { makeWarehouse, type Warehouse } from './support/warehouse'

let warehouse: Warehouse
let proxy: FaultyProxy
let server: ClickhouseServer

beforeAll(async () => {
  warehouse = await makeWarehouse('faulty_server')
  proxy = await startFaultyProxy(warehouse.settings.CLICKHOUSE_URL)
  server = { ...warehouse.server, url: new URL(proxy.url) }
})
afterAll(() => proxy.stop())
beforeEach(() => {
  proxy.faultOf = () => null
})

const RUN: Run = {
  projectId: 1,
  timezone: 'UTC',
  now: new Date('2026-03-20T12:00:00Z'),
  variables: new Map(),
  limit: 100,
  offset: 0,
  queryId: null,
}

/** Rows whose texts look like the ends of a result. */
const query = (count: number): CompiledQuery => ({
  dialect: 'clickhouse',
  sql: `SELECT number AS c0, concat('\\n\\t],\\n\\t"rows": 2', repeat('é', 100)) AS c1 FROM numbers(${count})`,
  parameters: [],
  columns: [
    { name: 'c0', type: INTEGER },
    { name: 'c1', type: STRING },
  ],
  page: { ceiling: null, offset: 0, pageable: true },
  variables: [],
})

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => [index, `\n\t],\n\t"rows": 2${'é'.repeat(100)}`])

async function stream(count: number): Promise<unknown[][]> {
  return (await Array.fromAsync(rowsFromClickhouse(server, query(count), RUN))).flat()
}

const eventRow = (index: number, text = ''): EventRow => ({
  uuid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  event: 'opened',
  distinctId: 'ada',
  timestamp: '2026-03-01T10:00:00.000000Z',
  createdAt: '2026-03-01T10:00:00.000000Z',
  setsProperties: false,
  flagKey: null,
  flagResponse: null,
  properties: { index, text },
})

const insert = (events: readonly EventRow[], projectId = 1) =>
  createClickhouseSink(server).write(projectId, { ...noRows(), events: [...events] })

const UNAVAILABLE = { status: 503, code: 'query_engine_unavailable' }

describe.each(FAULT_NAMES)('a server that %s', (fault) => {
  it('is unavailable for a query', async () => {
    proxy.faultOf = () => fault
    await expect(createClickhouseEngine(server).run(query(100), RUN)).rejects.toMatchObject(UNAVAILABLE)
  })

  it('is unavailable for the rows of a build', async () => {
    proxy.faultOf = () => fault
    await expect(stream(10_000)).rejects.toMatchObject(UNAVAILABLE)
  })

  it('has not confirmed an insert', async () => {
    proxy.faultOf = () => fault
    const error = await insert([eventRow(1)]).then(
      () => 'confirmed',
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(fault === 'refuses the statement' ? ClickhouseError : ClickhouseUnreachable)
    proxy.faultOf = () => null
    await insert([eventRow(1)])
    expect(await warehouse.rows('SELECT count() FROM events FINAL WHERE project_id = 1')).toEqual([[1]])
  })
})

describe('a result', () => {
  it.each([0, 1, 2, 30_000])('of %d rows comes in batches as it is', async (count) => {
    expect(await stream(count)).toEqual(rowsOf(count))
  })
})

describe('an insert', () => {
  it('is split at a size, and writes all rows', async () => {
    const before = proxy.seen('INSERT INTO events')
    const text = 'x'.repeat(700_000)
    await insert(
      Array.from({ length: 25 }, (_, index) => eventRow(index, text)),
      2,
    )
    expect(proxy.seen('INSERT INTO events') - before).toBe(3)
    expect(
      await warehouse.rows('SELECT count(), uniqExact(uuid) FROM events FINAL WHERE project_id = 2'),
    ).toEqual([[25, 25]])
  })

  it('is split at a number of rows', async () => {
    const before = proxy.seen('INSERT INTO person_distinct_ids')
    const distinctIds = Array.from({ length: 50_001 }, (_, index) => ({
      distinctId: String(index),
      personUuid: 'p',
      version: 1,
    }))
    await createClickhouseSink(server).write(3, { ...noRows(), distinctIds })
    expect(proxy.seen('INSERT INTO person_distinct_ids') - before).toBe(2)
    expect(await warehouse.rows('SELECT count() FROM person_distinct_ids FINAL')).toEqual([[50_001]])
  })
})
