// Builds of materialized rows (docs/reference/endpoints.md#life-cycle-of-materialized-rows): from the queue to the swap.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { projects } from '../../../drizzle'
import { materializedTables as tables } from '../../../drizzle/events'
import { readingFrom } from '../../../src/endpoints/materialization/tables'
import {
  COUNTS,
  materializedEndpoint,
  nextMinute,
  NOTHING_UNDER_WAY,
  numbersBelow,
} from '../../support/endpoints/builds'
import { event, sendEach } from '../../support/capture'
import { hogql, trends } from '../../support/endpoints/endpoints'
import {
  createMaterializingTenant,
  interceptedShard,
  materializedTables,
  type MaterializingTenant,
} from '../../support/endpoints/materialization'
import { configureProject } from '../../support/database/rows'
import { createTenant, database, shard } from '../../support/tenant'
import { emptyStorage } from '../../support/databases'

beforeAll(emptyStorage)

let tenant: MaterializingTenant
beforeEach(async () => {
  tenant = await createMaterializingTenant()
})

describe('the state of a materialization', () => {
  it('is reported at every stage', async () => {
    await sendEach(tenant, [event('a', {}, 'opened'), event('b', {}, 'closed'), event('b', {}, 'opened')])
    const made = await materializedEndpoint(tenant, COUNTS, { data_freshness_seconds: 3600 })
    const attached = {
      name: made.name,
      enabled: true,
      hibernated: false,
      can_materialize: true,
      error: '',
      saved_query_id: made.id,
    }
    expect(made.is_materialized).toBe(false)
    expect(made.materialization).toEqual({
      ...attached,
      ready: false,
      status: 'Running',
      last_materialized_at: null,
    })
    expect(await made.status()).toEqual(made.materialization)
    expect(tenant.waiting).toEqual([made.message])

    expect(await tenant.consume()).toEqual({ retried: 0, acked: 1 })
    const completed = {
      ...attached,
      ready: true,
      status: 'Completed',
      last_materialized_at: '2026-03-10T12:00:00Z',
    }
    expect(await made.status()).toEqual(completed)
    expect((await tenant.get(tenant.endpoints(made.name))).body).toMatchObject({
      is_materialized: true,
      materialization: completed,
    })
    expect(await made.row()).toMatchObject({ ...NOTHING_UNDER_WAY, generation: 1, rowCount: 2, failures: 0 })
    expect(await materializedTables(made.id)).toEqual({ [made.table(1)]: 2 })
    const preview = await tenant.post(tenant.endpoints(`${made.name}/materialization_preview`), {})
    expect(preview.body.cost).toEqual({
      rows_read: 3,
      seconds: expect.any(Number),
      builds_per_day: 24,
      rows_left: 10_000_000,
      bytes_left: 100_000_000,
      last_build: { rows: 2, bytes: expect.any(Number), seconds: 0 },
    })
    expect(preview.body.cost.last_build.bytes).toBeGreaterThan(10)
    expect((await made.run()).results).toEqual([
      ['opened', 2],
      ['closed', 1],
    ])

    // Due a little before its rows are too old, and not before.
    tenant.clock.advance({ minutes: 58 })
    expect(await nextMinute(tenant)).toBe(0)
    expect(await tenant.consume({ messages: [made.message] })).toEqual({ retried: 0, acked: 1 })
    expect((await made.row())?.generation).toBe(1)
    tenant.clock.advance({ seconds: 30 })
    expect(await nextMinute(tenant)).toBe(1)
    let during: unknown
    const EVENTS = interceptedShard(async (texts, run) => {
      if (texts.some((text) => text.startsWith('INSERT INTO'))) during = await made.status()
      return run()
    })
    await tenant.consume({ env: { EVENTS } })
    expect(during).toEqual({ ...completed, status: 'Running' })
    expect(await made.status()).toEqual({ ...completed, last_materialized_at: '2026-03-10T12:58:30Z' })
    // A run may still read the rows of the build before.
    expect(await materializedTables(made.id)).toEqual({ [made.table(1)]: 2, [made.table(2)]: 2 })
    await tenant.dropTables()
    expect(await materializedTables(made.id)).toEqual({ [made.table(2)]: 2 })

    await tenant.patch(tenant.endpoints(made.name), { is_materialized: false })
    expect(await made.status()).toEqual({
      name: made.name,
      enabled: false,
      ready: false,
      hibernated: false,
      can_materialize: true,
      reason: null,
    })
    expect(await made.row()).toBeUndefined()
    await tenant.dropTables()
    expect(await materializedTables(made.id)).toEqual({})
  })

  it('moves relative dates on with every build', async () => {
    const week = trends({
      series: [{ kind: 'EventsNode', event: 'opened' }],
      dateRange: { date_from: '-1d' },
    })
    const made = await materializedEndpoint(tenant, '', { query: week })
    await tenant.consume()
    const days = async () => (await made.run()).results[0].days
    expect(await days()).toEqual(['2026-03-09', '2026-03-10'])
    tenant.clock.advance({ hours: 23, minutes: 59 })
    expect(await days()).toEqual(['2026-03-09', '2026-03-10'])
    await tenant.consume({ messages: [made.message] })
    expect(await days()).toEqual(['2026-03-10', '2026-03-11'])
  })

  it('keeps moments, booleans, lists and NULLs as they are', async () => {
    await sendEach(tenant, [{ ...event('a'), timestamp: '2026-03-10T10:20:30.123Z' }])
    await database()
      .update(projects)
      .set({ timezone: 'Europe/Vienna' })
      .where(eq(projects.id, tenant.projectId))
    tenant.clock.advance({ minutes: 1 })
    const text =
      "SELECT timestamp, toDate(timestamp) AS day, event = 'opened' AS same, true AS yes, [timestamp] AS list, tuple(1, timestamp) AS pair, NULL AS nothing, 0.5 AS half FROM events"
    const made = await materializedEndpoint(tenant, text)
    const { endpoint_materialized: before, ...inline } = await made.run()
    await tenant.consume()
    const { endpoint_materialized: after, ...kept } = await made.run()
    expect([before, after]).toEqual([undefined, true])
    expect(kept.results).toEqual([
      [
        '2026-03-10T11:20:30.123000+01:00',
        '2026-03-10',
        1,
        true,
        ['2026-03-10T11:20:30.123000+01:00'],
        [1, '2026-03-10T11:20:30.123000+01:00'],
        null,
        0.5,
      ],
    ])
    expect([kept.results, kept.columns, kept.types]).toEqual([inline.results, inline.columns, inline.types])
  })

  it('has an index for its variables, and more rows than any answer', async () => {
    const { id } = await tenant.variable({ name: 'Least' })
    const query = hogql('SELECT number FROM numbers(120000) WHERE number = {variables.least}', {
      variables: { [id]: { variableId: id, code_name: 'least', value: '1' } },
    })
    const made = await materializedEndpoint(tenant, '', { query })
    await tenant.consume()
    expect(tenant.faults).toEqual([])
    expect(await made.row()).toMatchObject({ rowCount: 120_000, status: 'Completed' })
    const run = await tenant.post(tenant.endpoints(`${made.name}/run`), { variables: { least: 119_999 } })
    expect(run.body).toMatchObject({ results: [[119_999]], endpoint_materialized: true })
    const { results } = await env.EVENTS.prepare(
      `SELECT name FROM sqlite_master WHERE tbl_name = ? AND type = 'index'`,
    )
      .bind(made.table(1))
      .all()
    expect(results).toEqual([{ name: `${made.table(1)}_variables` }])
  })

  it('is read along its index, also where a variable is called what its column is', async () => {
    const variables: Record<string, object> = {}
    for (const name of ['since', 'until', 'event']) {
      const { id } = await tenant.variable({ name, type: name === 'event' ? 'String' : 'Date' })
      variables[id] = { variableId: id, code_name: name, value: '2026-03-01' }
    }
    const text =
      'SELECT toStartOfDay(timestamp) AS day, event, count() AS n FROM events WHERE timestamp >= {variables.since} AND timestamp < {variables.until} AND event = {variables.event} GROUP BY day, event ORDER BY day'
    const made = await materializedEndpoint(tenant, '', { query: hogql(text, { variables }) })
    await tenant.consume()
    const { read } = (await made.row())!.plan!
    const { results } = await env.EVENTS.prepare(`EXPLAIN QUERY PLAN ${readingFrom(read, made.table(1)).sql}`)
      .bind(...read.parameters.map(() => 1))
      .all<{ detail: string }>()
    expect(results[0]!.detail).toMatch(/^SEARCH s0 USING INDEX mat_\w+_variables \(c1=\? AND c3>\?\)$/)
  })
})

describe('a build in several statements', () => {
  /** A shard that counts the statements that write rows. */
  const counting = () => {
    const written = { statements: 0 }
    const EVENTS = interceptedShard((texts, run) => {
      written.statements += texts.filter((text) => text.startsWith('INSERT INTO "mat_')).length
      return run()
    })
    return { written, EVENTS }
  }

  it.each([
    [2_500, 1_000, 3],
    [2_000, 1_000, 3],
    [999, 1_000, 1],
    [0, 1_000, 1],
  ])('writes %i rows, %i at a time, in %i statements', async (count, chunk, statements) => {
    const made = await materializedEndpoint(tenant, numbersBelow(count))
    const { written, EVENTS } = counting()
    await tenant.consume({ chunk, env: { EVENTS } })
    expect(tenant.faults).toEqual([])
    expect(written.statements).toBe(statements)
    expect((await made.run()).results.flat()).toEqual(Array.from({ length: count }, (_, n) => count - 1 - n))
  })

  it('respects the query’s own LIMIT and OFFSET', async () => {
    const made = await materializedEndpoint(tenant, `${numbersBelow(5_000)} LIMIT 2500 OFFSET 10`)
    await tenant.consume({ chunk: 1_000 })
    expect(await made.row()).toMatchObject({ status: 'Completed', rowCount: 2_500 })
    const { results } = await made.run()
    expect([results.length, results[0], results.at(-1)]).toEqual([2_500, [4_989], [2_490]])
  })

  it('fails with a message when the result exceeds the database', async () => {
    const made = await materializedEndpoint(tenant, numbersBelow(3_000))
    await tenant.consume({ chunk: 1_000, quota: { rows: 2_000 } })
    expect(await made.status()).toMatchObject({
      status: 'Failed',
      ready: false,
      error: 'The result has more than 2,000 rows. Aggregate more, or add a LIMIT.',
    })
    await tenant.dropTables()
    expect(await materializedTables(made.id)).toEqual({})
    tenant.clock.advance({ minutes: 1 })
    await tenant.consume({ messages: [made.message], quota: { rows: 3_000 } })
    expect(await made.row()).toMatchObject({ status: 'Completed', rowCount: 3_000 })
  })

  it('fails when the rows of all projects of the organization exceed its share of the shard', async () => {
    const sibling = await createTenant()
    await configureProject(sibling, { organizationId: tenant.organizationId })
    const others = { name: crypto.randomUUID(), projectId: sibling.projectId, versionId: 'v' }
    await shard()
      .insert(tables)
      .values({ ...others, bytes: 1_990_000_000, createdAt: '2026-03-10 12:00:00' })
    const made = await materializedEndpoint(tenant, "SELECT repeat('x', 90000), number FROM numbers(200)")
    await tenant.consume()
    expect(await made.status()).toMatchObject({
      status: 'Failed',
      error:
        'The materialized rows of this organization take more than 2,000 MB. Disable a materialization, or aggregate more.',
    })
    await configureProject(sibling, { organizationId: sibling.organizationId })
    tenant.clock.advance({ minutes: 1 })
    await tenant.consume({ messages: [made.message] })
    expect(await made.row()).toMatchObject({ status: 'Completed', rowCount: 200 })
  })

  it('writes smaller chunks when a statement is too large', async () => {
    const made = await materializedEndpoint(tenant, numbersBelow(6_000))
    const sizes: number[] = []
    const EVENTS = interceptedShard(async (texts, run) => {
      if (!texts.some((text) => text.startsWith('INSERT INTO "mat_'))) return run()
      const before = Object.values(await materializedTables(made.id))[0]!
      if (sizes.length < 2) {
        sizes.push(0)
        throw new Error('D1_ERROR: D1 DB exceeded its CPU time limit and was reset.')
      }
      const results = await run()
      sizes.push(Object.values(await materializedTables(made.id))[0]! - before)
      return results
    })
    await tenant.consume({ chunk: 32_000, env: { EVENTS } })
    expect(sizes).toEqual([0, 0, 2_000, 2_000, 2_000, 0])
    expect((await made.run()).results).toHaveLength(6_000)
  })

  it('writes nothing twice when a statement took effect and seemed to fail', async () => {
    const made = await materializedEndpoint(tenant, numbersBelow(6_000))
    let calls = 0
    const EVENTS = interceptedShard(async (texts, run) => {
      const results = await run()
      if (texts.some((text) => text.startsWith('INSERT INTO "mat_')) && ++calls === 2) {
        throw new Error('D1_ERROR: statement timed out')
      }
      return results
    })
    await tenant.consume({ chunk: 2_000, env: { EVENTS } })
    expect(await made.row()).toMatchObject({ status: 'Completed', rowCount: 6_000 })
    expect((await made.run()).results.flat()).toEqual(Array.from({ length: 6_000 }, (_, n) => 5_999 - n))
  })
})
