// The engine by itself: what it sends, what it makes of the responses, and what it says when there are none.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ClickhouseServer } from '../../src/analytics/clickhouse/server'
import { createClickhouseEngine } from '../../src/analytics/engine/clickhouse-engine'
import type { BoundValue, Run } from '../../src/analytics/engine/query-engine'
import { ApiError } from '../../src/errors'
import type { CompiledQuery, Parameter } from '../../src/hogql/compiled'
import { arrayOf, DATE, DATETIME, FLOAT, INTEGER, nullable, STRING, type Type } from '../../src/hogql/types'
import { makeWarehouse } from './support/warehouse'

let theServer: ClickhouseServer
const server = () => theServer

beforeAll(async () => {
  theServer = (await makeWarehouse('engine')).server
})

const RUN: Run = {
  projectId: 1,
  timezone: 'UTC',
  now: new Date('2026-03-20T12:00:00Z'),
  variables: new Map(),
  limit: 100,
  offset: 0,
  queryId: 'from the caller',
}

const compiled = (sql: string, types: Type[], parameters: Parameter[] = []): CompiledQuery => ({
  dialect: 'clickhouse',
  sql,
  parameters,
  columns: types.map((type, index) => ({ name: `c${index}`, type })),
  page: { ceiling: null, offset: 0, pageable: true },
  variables: [],
})

const rowsOf = async (query: CompiledQuery, run: Partial<Run> = {}, on: ClickhouseServer = server()) =>
  (await createClickhouseEngine(on).run(query, { ...RUN, ...run })).rows

async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => 'it succeeded',
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) throw new Error('no error that a caller sees', { cause: error })
  return error
}

const variable = (type: Type): Parameter => ({ kind: 'variable', name: 'v', type })

describe('values beside the statement', () => {
  const sent = async (value: BoundValue, type: Type, bound: string) => {
    const query = compiled(`SELECT {p1:${bound}} AS c0`, [type], [variable(type)])
    return (await rowsOf(query, { variables: new Map([[0, value]]) }))[0]?.[0]
  }

  it('arrive unchanged, with any content', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
        async (text) => {
          expect(await sent(text, STRING, 'String')).toBe(text)
          expect(await sent([text, 'x'], arrayOf(STRING), 'Array(String)')).toEqual([text, 'x'])
        },
      ),
      {
        numRuns: process.env.FUZZ_RUNS ? 60 : 20,
        examples: [['\\N'], ['NULL'], ["'); DROP TABLE events; --"], ['{p1:String}'], ['\t\n\r\0\\']],
      },
    )
  })

  it('may be NULL', async () => {
    expect(await sent(null, nullable(STRING), 'Nullable(String)')).toBeNull()
    expect(await sent('\\N', nullable(STRING), 'Nullable(String)')).toBe('\\N')
    expect(await sent([], arrayOf(STRING), 'Array(String)')).toEqual([])
  })

  it('are numbers, dates and moments', async () => {
    expect(await sent(0.1, FLOAT, 'Float64')).toBe(0.1)
    expect(await sent(-9_007_199_254_740_991, INTEGER, 'Int64')).toBe(-9_007_199_254_740_991)
    expect(await sent('2026-02-28', DATE, 'Date32')).toBe('2026-02-28')
    expect(await sent('2026-02-28T23:59:59.000001Z', DATETIME, "DateTime64(6, 'UTC')")).toBe(
      '2026-02-28T23:59:59.000001Z',
    )
  })

  it('may be many', async () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `person-${index}`)
    const query = compiled('SELECT length({p1:Array(String)}) AS c0', [INTEGER], [variable(arrayOf(STRING))])
    expect(await rowsOf(query, { variables: new Map([[0, ids]]) })).toEqual([[20_000]])
  })
})

describe('results', () => {
  it('has datetimes in the time zone of the project', async () => {
    const query = compiled("SELECT toDateTime64('2026-07-01 12:00:00.5', 6, 'UTC') AS c0", [DATETIME])
    expect(await rowsOf(query, { timezone: 'America/New_York' })).toEqual([
      ['2026-07-01T08:00:00.500000-04:00'],
    ])
  })

  it('has null for NaN and infinity', async () => {
    expect(await rowsOf(compiled('SELECT 1 / 0 AS c0, 0 / 0 AS c1', [FLOAT, FLOAT]))).toEqual([[null, null]])
  })
})

describe('a query that fails', () => {
  it('reports a timeout', async () => {
    const query = compiled('SELECT sum(sipHash64(number)) AS c0 FROM numbers(100000000000)', [INTEGER])
    const error = await failureOf(
      createClickhouseEngine(server(), { deadlineMs: 1_000, memory: 1e9, read: 1024 ** 4 }).run(query, RUN),
    )
    expect([error.status, error.code]).toEqual([400, 'query_timeout'])
  })

  it('reports that it reads too much', async () => {
    const query = compiled('SELECT sum(sipHash64(number)) AS c0 FROM numbers(100000000)', [INTEGER])
    const engine = createClickhouseEngine(server(), { deadlineMs: 10_000, memory: 1e9, read: 1e6 })
    const error = await failureOf(engine.run(query, RUN))
    expect([error.status, error.code]).toEqual([400, 'query_too_expensive'])
  })

  it('reports that its result is too large', async () => {
    const query = compiled("SELECT repeat('x', 1000000) AS c0 FROM numbers(40)", [STRING])
    const error = await failureOf(rowsOf(query))
    expect([error.status, error.code]).toEqual([400, 'query_too_large'])
  })

  it('returns one row more than a run shows, and none after it', async () => {
    const query = (count: number) => compiled(`SELECT number AS c0 FROM numbers(${count})`, [INTEGER])
    expect(await rowsOf(query(50_001))).toHaveLength(50_001)
    const error = await failureOf(rowsOf(query(50_002)))
    expect([error.status, error.code]).toEqual([400, 'query_too_large'])
  })

  it('reports that it took too much memory', async () => {
    const query = compiled(
      "SELECT length(groupArray(repeat('x', 1000 + number))) AS c0 FROM numbers(1000000)",
      [INTEGER],
    )
    const engine = createClickhouseEngine(server(), {
      deadlineMs: 10_000,
      memory: 50_000_000,
      read: 1024 ** 4,
    })
    const error = await failureOf(engine.run(query, RUN))
    expect([error.status, error.code]).toEqual([400, 'query_memory_limit'])
  })

  it('reports its cost', async () => {
    const codeOf = async (sql: string) => (await failureOf(rowsOf(compiled(sql, [INTEGER])))).code
    expect(await codeOf('SELECT intDiv(1, materialize(0)) AS c0')).toBe('division_by_zero')
    expect(await codeOf("SELECT match('x', materialize('(')) AS c0")).toBe('invalid_regex')
    expect(await codeOf("SELECT toInt64(materialize('x')) AS c0")).toBe('invalid_value')
  })

  it('cannot write', async () => {
    const query = compiled('INSERT INTO groups (project_id) VALUES (1)', [INTEGER])
    await expect(rowsOf(query)).rejects.toThrow()
  })
})

describe('a server that does not answer as it should', () => {
  const query = compiled('SELECT 1 AS c0', [INTEGER])

  it('is unavailable when no server listens', async () => {
    const error = await failureOf(rowsOf(query, {}, { ...server(), url: new URL('http://127.0.0.1:9') }))
    expect([error.status, error.code, error.headers]).toEqual([
      503,
      'query_engine_unavailable',
      { 'Retry-After': '5' },
    ])
  })

  it('is unavailable when it rejects the password, which is not shown', async () => {
    const error = await failureOf(rowsOf(query, {}, { ...server(), password: 'hunter2-wrong' }))
    expect([error.status, error.code]).toEqual([503, 'query_engine_unavailable'])
    expect(everythingOf(error)).toContain('AUTHENTICATION_FAILED')
    expect(everythingOf(error)).not.toContain('hunter2')
    expect(everythingOf(error)).not.toContain(server().password)
  })

  it('is unavailable when its tables are missing', async () => {
    const error = await failureOf(rowsOf(compiled('SELECT 1 AS c0 FROM nowhere', [INTEGER])))
    expect([error.status, error.code]).toEqual([503, 'query_engine_unavailable'])
  })

  it('is unavailable when something else answers, and is not followed elsewhere', async () => {
    const seen: (string | undefined)[] = []
    const other = createServer((request, response) => {
      seen.push(request.url)
      response.writeHead(request.url === '/elsewhere' ? 200 : 302, { Location: '/elsewhere' }).end('{}')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const url = new URL(`http://127.0.0.1:${(other.address() as AddressInfo).port}`)
    const error = await failureOf(rowsOf(query, {}, { ...server(), url }))
    other.close()
    expect(error.status).toBe(503)
    expect(seen).not.toContain('/elsewhere')
  })
})

const everythingOf = (error: unknown): string =>
  error instanceof Error
    ? `${JSON.stringify(error)} ${String(error.stack)} ${everythingOf(error.cause)}`
    : String(error)
