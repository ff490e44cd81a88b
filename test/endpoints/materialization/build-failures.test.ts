// Builds of materialized rows that do not get there; those that meet another are in build-lease.test.ts.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpointMaterializations } from '../../../drizzle'
import {
  COUNTS,
  materializedEndpoint,
  nextMinute,
  NOTHING_UNDER_WAY,
  numbersBelow,
} from '../../support/endpoints/builds'
import { event, sendEach } from '../../support/capture'
import {
  createMaterializingTenant,
  interceptedShard,
  materializedTables,
  type MaterializingTenant,
} from '../../support/endpoints/materialization'
import { databaseOfSize } from '../../support/database/database-size'
import { database } from '../../support/tenant'
import { emptyStorage } from '../../support/databases'

beforeAll(emptyStorage)

let tenant: MaterializingTenant
beforeEach(async () => {
  tenant = await createMaterializingTenant()
})

describe('a full shard', () => {
  const FULL = { EVENTS: databaseOfSize(9_500_000_001) }

  it('begins no build, keeps the rows of the last one, and still takes events and runs queries', async () => {
    await sendEach(tenant, [event('ada', {}, 'a'), event('ada', {}, 'a')])
    const made = await materializedEndpoint(tenant, COUNTS, { data_freshness_seconds: 3600 })
    await tenant.consume({ env: { EVENTS: databaseOfSize(9_500_000_000) } })
    expect(await made.status()).toMatchObject({ status: 'Completed', ready: true })

    tenant.clock.advance({ minutes: 60 })
    expect(await nextMinute(tenant)).toBe(1)
    expect(await tenant.consume({ env: FULL })).toEqual({ retried: 0, acked: 1 })
    expect(await made.status()).toMatchObject({
      status: 'Failed',
      ready: true,
      error:
        'The analytics shard is full: no rows are materialized until its operator frees space or adds a shard.',
    })
    expect(await made.row()).toMatchObject({ ...NOTHING_UNDER_WAY, generation: 1, generations: 1 })
    await sendEach(tenant, [event('ada', {}, 'b')])
    expect((await made.run()).results).toEqual([
      ['a', 2],
      ['b', 1],
    ])

    tenant.clock.advance({ minutes: 1 })
    expect(await nextMinute(tenant)).toBe(1)
    await tenant.consume()
    expect(await made.status()).toMatchObject({ status: 'Completed', error: '' })
    await tenant.dropTables()
    expect(tenant.faults).toEqual([])
  })
})

describe('a build that fails', () => {
  /** Fails as soon as two events carry the largest number. */
  const SUM = 'SELECT sum(toInt(properties.n)) AS s FROM events'
  const LARGE = event('a', { n: '9223372036854775807' })
  const OVERFLOW = 'A number in this query is too large: integer overflow.'

  it('keeps the previous rows, and is tried again, each time later', async () => {
    await sendEach(tenant, [LARGE])
    const made = await materializedEndpoint(tenant, SUM, { data_freshness_seconds: 3600 })
    await tenant.consume()
    expect(await made.status()).toMatchObject({ status: 'Completed', ready: true })
    await sendEach(tenant, [LARGE])
    tenant.clock.advance({ minutes: 59 })
    for (const [failures, minutes] of [
      [1, 1],
      [2, 2],
      [3, 4],
    ] as const) {
      expect(await nextMinute(tenant)).toBe(1)
      expect(await tenant.consume()).toEqual({ retried: 0, acked: 1 })
      expect(await made.row()).toMatchObject({
        ...NOTHING_UNDER_WAY,
        status: 'Failed',
        failures,
        generation: 1,
      })
      expect(await nextMinute(tenant)).toBe(0)
      tenant.clock.advance({ minutes })
    }
    expect(tenant.faults).toEqual([])
    expect(await made.status()).toMatchObject({
      status: 'Failed',
      ready: true,
      error: OVERFLOW,
      last_materialized_at: '2026-03-10T12:00:00Z',
    })
    await tenant.dropTables()
    expect(await materializedTables(made.id)).toEqual({ [made.table(1)]: 1 })
    // What went wrong is forgotten once it goes well.
    await env.EVENTS.prepare('DELETE FROM events WHERE project_id = ?').bind(tenant.projectId).run()
    expect(await nextMinute(tenant)).toBe(1)
    await tenant.consume()
    expect(await made.status()).toMatchObject({ status: 'Completed', error: '' })
    expect(await made.row()).toMatchObject({ failures: 0, error: '' })
  })

  it('leaves no table when there was none', async () => {
    await sendEach(tenant, [LARGE, LARGE])
    const made = await materializedEndpoint(tenant, SUM)
    await tenant.consume()
    expect(await made.status()).toMatchObject({
      status: 'Failed',
      ready: false,
      error: OVERFLOW,
      last_materialized_at: null,
    })
    await tenant.dropTables()
    expect(await materializedTables(made.id)).toEqual({})
    expect((await tenant.get(tenant.endpoints(made.name))).body.is_materialized).toBe(false)
  })

  it('distinguishes rejected queries from service faults', async () => {
    const made = await materializedEndpoint(tenant, COUNTS)
    await tenant.consume()
    await database()
      .update(endpointMaterializations)
      .set({ nextBuildAt: '2026-01-01T00:00:00.000000Z' })
      .where(eq(endpointMaterializations.versionId, made.message.versionId))
    // The same query under other rules.
    await env.DB.prepare(
      `UPDATE endpoint_versions SET query = json_set(query, '$.query', 'SELECT 1 AS a, 1 AS a') WHERE id = ?`,
    )
      .bind(made.message.versionId)
      .run()
    await tenant.consume({ messages: [made.message] })
    expect(await made.status()).toMatchObject({
      status: 'Failed',
      ready: true,
      error: /^Several columns have the same name/,
    })
  })

  it('is tried again by the trigger after a storage fault, each time later, and begins again', async () => {
    const made = await materializedEndpoint(tenant, numbersBelow(3_000))
    const broken = (after: number) => {
      let calls = 0
      return interceptedShard((texts, run) => {
        if (texts.some((text) => text.startsWith('INSERT INTO "mat_')) && ++calls > after) {
          return Promise.reject(new Error('D1_ERROR: something of ours'))
        }
        return run()
      })
    }
    for (const [failures, minutes] of [
      [1, 1],
      [2, 2],
      [3, 4],
    ] as const) {
      expect(await tenant.consume({ chunk: 1_000, env: { EVENTS: broken(1) } })).toEqual({
        retried: 0,
        acked: 1,
      })
      expect(tenant.faults.splice(0)).toEqual([expect.stringContaining('something of ours')])
      expect(await made.status()).toMatchObject({
        status: 'Failed',
        ready: false,
        error: 'The rows could not be written because of a problem of the service. It is tried again.',
      })
      expect(await made.row()).toMatchObject({ ...NOTHING_UNDER_WAY, failures, generations: failures })
      expect(await materializedTables(made.id)).toEqual({ [made.table(failures)]: 1_000 })
      await tenant.dropTables()
      expect(await materializedTables(made.id)).toEqual({})
      tenant.clock.advance({ seconds: minutes * 60 - 1 })
      expect(await nextMinute(tenant)).toBe(0)
      tenant.clock.advance({ seconds: 1 })
      expect(await nextMinute(tenant)).toBe(1)
    }
    await tenant.consume()
    expect(await made.row()).toMatchObject({ status: 'Completed', failures: 0, rowCount: 3_000 })
  })

  it('is tried again by the trigger when the main database fails before it begins', async () => {
    const made = await materializedEndpoint(tenant, COUNTS)
    const DB = {
      prepare: (text: string) => env.DB.prepare(text),
      batch: () => Promise.reject(new Error('D1_ERROR: something of ours')),
    } as unknown as D1Database
    expect(await tenant.consume({ env: { DB } })).toEqual({ retried: 0, acked: 1 })
    expect(tenant.faults).toEqual([expect.stringContaining('something of ours')])
    expect(await made.row()).toMatchObject({ ...NOTHING_UNDER_WAY, status: 'Running' })
    expect(await nextMinute(tenant)).toBe(1)
    await tenant.consume()
    expect(await made.status()).toMatchObject({ status: 'Completed' })
  })
})

describe('a build that costs too much', () => {
  const PAUSED = 'Materialization is paused. Narrow the query, or set is_materialized to true to try again.'

  /** Has the project as many events as `events`, as far as estimates go. */
  const setVolume = (events: number) =>
    env.EVENTS.prepare(
      `INSERT INTO event_volumes (project_id, event, day, events, bytes, largest) VALUES (?1, '', '2026-03-01', ?2, ?2, 1)
        ON CONFLICT DO UPDATE SET events = excluded.events, bytes = excluded.bytes`,
    )
      .bind(tenant.projectId, events)
      .run()

  it('is paused before it reads anything, and resumed when it is asked for again', async () => {
    await setVolume(10_000_000_000)
    const made = await materializedEndpoint(tenant, COUNTS)
    expect(await tenant.consume()).toEqual({ retried: 0, acked: 1 })
    expect(await made.status()).toMatchObject({
      status: 'Failed',
      ready: false,
      error: expect.toSatisfy(
        (error: string) =>
          error.startsWith('This query is too large for the built-in database: it may take ') &&
          error.endsWith(PAUSED),
      ),
    })
    expect(await made.row()).toMatchObject({ nextBuildAt: null })
    tenant.clock.advance({ days: 2 })
    expect(await nextMinute(tenant)).toBe(0)
    await setVolume(10)
    const { body } = await tenant.patch(tenant.endpoints(made.name), { is_materialized: true })
    expect(body.materialization).toMatchObject({ status: 'Modified' })
    await tenant.consume()
    expect(await made.status()).toMatchObject({ status: 'Completed', ready: true, error: '' })
  })

  it('is paused when the smallest statement exceeds database limits', async () => {
    const made = await materializedEndpoint(tenant, numbersBelow(3_000))
    let tries = 0
    const limited = interceptedShard((texts, run) => {
      if (!texts.some((text) => text.startsWith('INSERT INTO "mat_'))) return run()
      tries += 1
      return Promise.reject(new Error('D1 DB exceeded its CPU time limit and was reset.'))
    })
    expect(await tenant.consume({ chunk: 4_000, env: { EVENTS: limited } })).toEqual({ retried: 0, acked: 1 })
    expect(tries).toBe(2)
    expect(await made.status()).toMatchObject({
      status: 'Failed',
      error: `This query exceeded the execution time limit of 10 seconds. Narrow its scope (e.g. a smaller date range). ${PAUSED}`,
    })
    expect(await made.row()).toMatchObject({ ...NOTHING_UNDER_WAY, nextBuildAt: null })
  })
})
