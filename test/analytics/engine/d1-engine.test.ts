// Compiled queries on real D1: what is bound, what comes back, and what a query may cost.
import { env, waitUntil } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { shardEngine } from '../../support/database/d1-engine'
import { d1Failure } from '../../../src/analytics/engine/d1-errors'
import { engineFor } from '../../../src/analytics/engine/select-engine'
import { createQueryGates } from '../../../src/analytics/query-gate/query-gate-client'
import { createRequestMemory } from '../../../src/http/limits/request-memory'
import type { Run } from '../../../src/analytics/engine/query-engine'
import { MAX_RESULT_BYTES } from '../../../src/analytics/engine/limits'
import type { CompiledQuery, CostFormulas, Parameter } from '../../../src/hogql/compiled'
import { LIGHT_QUERY_NS, MAX_QUERY_NS } from '../../../src/hogql/cost/budget'
import * as types from '../../../src/hogql/types'
import { createMeter } from '../../../src/storage/metered-d1'

const meter = createMeter()
const engine = shardEngine({ meter })

const RUN: Run = {
  projectId: 7,
  timezone: 'UTC',
  now: new Date('2026-03-10T12:00:00.900Z'),
  variables: new Map(),
  limit: 10,
  offset: 0,
  queryId: null,
}

/** A query that gives its parameters back. */
const echo = (parameters: Parameter[], kinds: types.Type[] = []): CompiledQuery => ({
  dialect: 'sqlite',
  sql: `SELECT ${parameters.map((_, place) => `?${place + 1} AS c${place}`).join(', ')}
    LIMIT ?${parameters.length + 1} OFFSET ?${parameters.length + 2}`,
  parameters: [...parameters, { kind: 'limit' }, { kind: 'offset' }],
  columns: parameters.map((_, place) => ({ name: 'x', type: kinds[place] ?? types.nullable(types.STRING) })),
  page: { ceiling: null, offset: 0, pageable: true },
  variables: [],
})

const query = (sql: string, columns: types.Type[] = [types.INTEGER]): CompiledQuery => ({
  ...echo([]),
  sql: `${sql} LIMIT ?1 OFFSET ?2`,
  columns: columns.map((type) => ({ name: 'same', type })),
})

/** A plan that says what a query costs. */
const costing = (nanoseconds: number): CostFormulas => ({
  statistics: [],
  readsEvents: false,
  measures: [],
  texts: [],
  steps: [nanoseconds, 0],
  parts: [['rows', 0]],
  held: 1,
})

describe('the D1 engine', () => {
  it('binds every kind of parameter', async () => {
    const LIST = types.arrayOf(types.STRING)
    const parameters: Parameter[] = [
      { kind: 'literal', value: "it's" },
      { kind: 'literal', value: null },
      { kind: 'literal', value: true },
      { kind: 'literal', value: 0.5 },
      { kind: 'project' },
      { kind: 'variable', name: 'list', type: LIST },
      { kind: 'variable', name: 'flag', type: types.BOOLEAN },
      { kind: 'clock', which: 'now' },
      { kind: 'clock', which: 'today' },
    ]
    const kinds = [
      types.STRING,
      types.NULL,
      types.BOOLEAN,
      types.FLOAT,
      types.INTEGER,
      LIST,
      types.BOOLEAN,
      types.DATETIME,
      types.DATE,
    ]
    const variables = new Map<number, string[] | boolean>([
      [5, ['a', '"b"']],
      [6, false],
    ])
    expect(await engine.run(echo(parameters, kinds), { ...RUN, variables })).toEqual({
      rows: [["it's", null, true, 0.5, 7, ['a', '"b"'], false, '2026-03-10T12:00:00Z', '2026-03-10']],
    })
  })

  it.each([
    ['UTC', '2026-03-10T00:30:00Z', '2026-03-10'],
    ['America/New_York', '2026-03-10T00:30:00Z', '2026-03-09'],
    ['Pacific/Auckland', '2026-03-10T11:30:00Z', '2026-03-11'],
    ['Europe/Amsterdam', '2026-12-31T23:00:00Z', '2027-01-01'],
  ])('knows which day it is in %s', async (timezone, now, today) => {
    const { rows } = await engine.run(echo([{ kind: 'clock', which: 'today' }]), {
      ...RUN,
      timezone,
      now: new Date(now),
    })
    expect(rows).toEqual([[today]])
  })

  it('gives columns of the same name each its own value', async () => {
    const { rows } = await engine.run(query('SELECT 1 AS c0, 2 AS c1', [types.INTEGER, types.INTEGER]), RUN)
    expect(rows).toEqual([[1, 2]])
  })

  it('applies limit and offset', async () => {
    const numbers = query("SELECT value AS c0 FROM json_each('[1,2,3,4,5]')")
    expect((await engine.run(numbers, { ...RUN, limit: 0 })).rows).toEqual([])
    expect((await engine.run(numbers, { ...RUN, limit: 2, offset: 1 })).rows).toEqual([[2], [3]])
    expect((await engine.run(numbers, { ...RUN, offset: 9 })).rows).toEqual([])
  })

  it('is one round trip', async () => {
    const { roundTrips } = meter
    await engine.run(query('SELECT 1 AS c0'), RUN)
    expect(meter.roundTrips).toBe(roundTrips + 1)
  })

  it('rejects a variable without a value', async () => {
    const unbound = echo([{ kind: 'variable', name: 'x', type: types.STRING }])
    await expect(engine.run(unbound, RUN)).rejects.toThrow('no value for the variable at 0')
  })

  /** D1 that does not answer: here it would answer in this very thread, and no timer could come before it. */
  const silent = {
    prepare: () => ({ bind: () => ({ all: () => new Promise(() => {}) }) }),
    batch: async () => [],
  } as unknown as D1Database

  it('responds with a timeout to a heavy query past the deadline', async () => {
    const heavy = { ...query('SELECT 1 AS c0'), cost: costing(LIGHT_QUERY_NS) }
    await expect(
      shardEngine({ db: silent, deadlineMs: 20, shard: 'SILENT' }).run(heavy, RUN),
    ).rejects.toMatchObject({
      status: 400,
      code: 'query_timeout',
      attr: null,
      detail:
        'This query exceeded the execution time limit of 10 seconds. Narrow its scope (e.g. a smaller date range).',
    })
  })

  it('waits while its organization runs a heavy query of any project, and no longer than others run theirs', async () => {
    const running = Promise.withResolvers<unknown>()
    const busy = { ...silent, prepare: () => ({ bind: () => ({ all: () => running.promise }) }) }
    const deps = {
      env: { ...env, EVENTS_77: busy } as Env,
      eventsMeter: meter,
      queryGates: createQueryGates(env.QUERY_GATES, waitUntil, 30),
      memory: createRequestMemory().open(),
    }
    const heavy = { ...query('SELECT 1 AS c0'), cost: costing(LIGHT_QUERY_NS) }
    const run = (organizationId: string, projectId: number) =>
      engineFor(deps, { organizationId, store: { shard: 'EVENTS_77', queryEngine: 'd1' } }).run(heavy, {
        ...RUN,
        projectId,
      })
    const first = run('one', 1)
    await expect(run('one', 2)).rejects.toMatchObject({ status: 429, code: 'throttled' })
    const other = run('other', 3)
    running.resolve({ results: [{ c0: 1 }], meta: {} })
    expect([await first, await other]).toEqual([{ rows: [[1]] }, { rows: [[1]] }])
  })

  it('responds with 503 to a light query past the deadline', async () => {
    const light = { ...query('SELECT 1 AS c0'), cost: costing(LIGHT_QUERY_NS - 1) }
    await expect(
      shardEngine({ db: silent, deadlineMs: 20, shard: 'SILENT' }).run(light, RUN),
    ).rejects.toMatchObject({
      status: 503,
      code: 'query_capacity',
      headers: { 'Retry-After': '5' },
    })
  })

  it('rejects a query over its cost limit before it starts', async () => {
    const heaviest = { ...query('SELECT 1 AS c0'), cost: costing(MAX_QUERY_NS) }
    expect(await engine.run(heaviest, RUN)).toEqual({ rows: [[1]] })
    const { roundTrips } = meter
    await expect(engine.run({ ...heaviest, cost: costing(2 * MAX_QUERY_NS) }, RUN)).rejects.toMatchObject({
      status: 400,
      code: 'query_too_expensive',
      detail:
        'This query is too large for the built-in database: it may take 30 s, most of it for rows, and the limit is 15 s. Lower the numbers in it, or connect ClickHouse.',
    })
    expect(meter.roundTrips).toBe(roundTrips)
  })

  it.each([50_000, 20])('ends in the database for too many bytes in %i rows', async (count) => {
    const text = (bytes: number) =>
      query(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
          SELECT hex(zeroblob(${Math.floor(bytes / count / 2)})) AS c0 FROM n`,
        [types.STRING],
      )
    const all = { ...RUN, limit: 50_000 }
    expect((await engine.run(text(MAX_RESULT_BYTES), all)).rows).toHaveLength(count)
    await expect(
      engine.run(text((MAX_RESULT_BYTES * count) / (count - 1) + 2 * count), all),
    ).rejects.toMatchObject({
      status: 400,
      code: 'query_too_large',
    })
  })

  it('leaves columns without a decoder unchanged', async () => {
    const sql =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT i AS c0, i % 2 AS c1, 'x' AS c2 FROM n"
    const { rows } = await engine.run(query(sql, [types.INTEGER, types.BOOLEAN, types.STRING]), {
      ...RUN,
      limit: 50_000,
    })
    expect(rows).toHaveLength(10_000)
    expect(rows.slice(0, 2)).toEqual([
      [1, true, 'x'],
      [2, false, 'x'],
    ])
  })
})

describe('errors of D1', () => {
  it.each<[message: string, status: number, code: string]>([
    ['D1_ERROR: string or blob too big: SQLITE_TOOBIG', 400, 'query_too_large'],
    ['D1_ERROR: Response is too large', 400, 'query_too_large'],
    ['D1 DB exceeded its memory limit and was reset.', 400, 'query_memory_limit'],
    ['D1 DB exceeded its CPU time limit and was reset.', 400, 'query_timeout'],
    ['D1 DB storage operation exceeded timeout which caused object to be reset.', 400, 'query_timeout'],
    ['D1 DB is overloaded. Too many requests queued.', 503, 'query_capacity'],
    ['Network connection lost.', 503, 'query_capacity'],
    ['D1_ERROR: integer overflow: SQLITE_ERROR', 400, 'integer_overflow'],
    ['D1_ERROR: malformed JSON: SQLITE_ERROR', 400, 'invalid_json'],
    ["D1_ERROR: bad JSON path: 'x': SQLITE_ERROR", 400, 'invalid_json'],
    ['D1_ERROR: LIKE or GLOB pattern too complex: SQLITE_ERROR', 400, 'pattern_too_complex'],
    ['D1_ERROR: too many terms in compound SELECT: SQLITE_ERROR', 400, 'query_too_complex'],
    ['D1_ERROR: Expression tree is too large (maximum depth 100): SQLITE_ERROR', 400, 'query_too_complex'],
  ])('%s is a %i %s', (message, status, code) => {
    const failure = d1Failure(new Error(message)) as { detail: string }
    expect(failure).toMatchObject({ status, code })
    expect(failure.detail).not.toMatch(/D1|SQLite/i)
  })

  it('are internal errors otherwise', () => {
    const error = new Error('D1_ERROR: no such column: c7: SQLITE_ERROR')
    expect(d1Failure(error)).toBe(error)
  })
})
