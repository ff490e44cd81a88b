// Which runs of SQL are answered from materialized rows, and how (docs/reference/endpoints.md#where-a-run-finds-its-rows).
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { endpointMaterializations, projects } from '../../../drizzle'
import { seen } from '../../support/responses'
import { COLUMN_TYPE_QUERIES } from '../../support/endpoints/column-types'
import { hogql } from '../../support/endpoints/endpoints'
import { createHarness } from '../../support/harness'
import { interceptedD1 } from '../../support/faults/intercepted-d1'
import type { MaterializingTenant } from '../../support/endpoints/materialization'
import {
  EVENT_COUNTS,
  materialized,
  pathsOf,
  tenantWithPlans,
} from '../../support/endpoints/materialized-runs'
import { event, sendEach } from '../../support/capture'
import { database } from '../../support/tenant'

let tenant: MaterializingTenant
beforeEach(async () => {
  tenant = await tenantWithPlans()
})

/** What `EVENT_COUNTS` gives from the materialized rows, and when run again. */
const BEFORE = [
  ['closed', 1],
  ['opened', 2],
]
const AFTER = [
  ['closed', 1],
  ['opened', 3],
]

const fieldsOf = ({ body }: { body: Record<string, unknown> }) => ({
  results: body.results,
  materialized: body.endpoint_materialized,
  cached: body.is_cached,
})
const KEPT = { results: BEFORE, materialized: true, cached: false }
const INLINE = { results: AFTER, materialized: undefined, cached: false }

describe('a run of a materialized version', () => {
  it('has the rows of a query with regular expressions', async () => {
    const query = hogql(
      `SELECT replaceRegexpOne(event, '(.)(.*)', '\\\\2-\\\\1') AS name, count() AS n
      FROM events WHERE match(event, '^o[a-z]+ed$') GROUP BY name ORDER BY name`,
    )
    const { run } = await materialized(tenant, { query, data_freshness_seconds: 3600 })
    expect(fieldsOf(seen(await run()) as never)).toEqual({
      results: [['pened-o', 2]],
      materialized: true,
      cached: false,
    })
  })

  it('has the rows of a query with values of its own', async () => {
    const query = {
      ...hogql('SELECT count() AS n FROM events WHERE event = {name}'),
      values: { name: 'opened' },
    }
    const { run } = await materialized(tenant, { query })
    expect(fieldsOf(seen(await run()) as never)).toEqual({
      results: [[2]],
      materialized: true,
      cached: false,
    })
  })

  it.each(COLUMN_TYPE_QUERIES)('has the columns of %s', async (sql) => {
    const { run } = await materialized(tenant, { query: hogql(sql) })
    const [kept, inline] = [(await run()).body, (await run({ refresh: 'direct' })).body]
    expect([kept.endpoint_materialized, inline.endpoint_materialized]).toEqual([true, undefined])
    expect([kept.results, kept.types]).toEqual([inline.results, inline.types])
  })

  it('has the rows of an insight with filters in HogQL and by a regular expression', async () => {
    const properties = [
      { type: 'hogql', key: "properties.plan = 'free' OR event = 'none'" },
      { type: 'event', key: 'plan', operator: 'regex', value: '^f.+e$' },
    ]
    const query = {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: null, properties }],
      dateRange: { date_from: '-30d' },
      trendsFilter: { display: 'BoldNumber' },
    }
    const { run } = await materialized(tenant, { query, data_freshness_seconds: 3600 })
    const { status, body } = await run()
    expect([status, body.endpoint_materialized, body.results[0].aggregated_value]).toEqual([200, true, 2])
  })

  it('reads its rows, and reports so with their time', async () => {
    const { made, run } = await materialized(tenant, { data_freshness_seconds: 3600 })
    tenant.clock.advance({ minutes: 10 })
    const response = await run()
    expect(seen(response)).toMatchObject({
      status: 200,
      body: {
        results: BEFORE,
        columns: ['event', 'n'],
        types: [
          ['event', 'String'],
          ['n', 'Int64'],
        ],
        hasMore: false,
        is_cached: false,
        last_refresh: '2026-03-10T12:10:00Z',
        next_allowed_client_refresh: '2026-03-10T13:00:00Z',
        cache_target_age: '2026-03-10T13:00:00Z',
        endpoint_materialized: true,
        endpoint_materialized_at: '2026-03-10T12:00:00Z',
      },
    })
    // What is known of it after a run of the query itself stands where it did.
    expect(Object.keys(response.body).slice(-3)).toEqual([
      'endpoint_version_created_at',
      'endpoint_materialized',
      'endpoint_materialized_at',
    ])
    expect(fieldsOf(await run())).toEqual({ ...KEPT, cached: true })
    expect(await pathsOf(made.id)).toEqual(['materialized miss', 'materialized hit'])
  })

  it('keeps constants beside a total, also where nothing matches', async () => {
    await tenant.variable({ name: 'plan', default_value: 'pro' })
    const { run } = await materialized(tenant, {
      query: hogql('SELECT count() AS c, 1 AS z FROM events WHERE properties.plan = {variables.plan}'),
    })
    for (const [plan, count] of [
      ['free', 2],
      ['pro', 1],
      ['none', 0],
    ]) {
      expect(fieldsOf(await run({ variables: { plan } }))).toEqual({ ...KEPT, results: [[count, 1]] })
    }
  })

  it('takes two round trips to the shard, and one when the response is stored', async () => {
    const { run } = await materialized(tenant)
    await run()
    const { line } = await run({ refresh: 'force' })
    expect(line).toMatchObject({ d1_round_trips: 1, events_round_trips: 2 })
    expect((await run()).line).toMatchObject({ d1_round_trips: 1, events_round_trips: 1 })
  })

  it.each<[string, (of: Awaited<ReturnType<typeof materialized>>) => Promise<unknown>, object]>([
    ['with refresh: force', ({ run }) => run({ refresh: 'force' }), KEPT],
    ['with refresh: direct', ({ run }) => run({ refresh: 'direct' }), INLINE],
    [
      'whose rows are too old',
      ({ run }) => {
        tenant.clock.advance({ days: 1 })
        return run()
      },
      INLINE,
    ],
    [
      'whose rows are nearly too old',
      ({ run }) => {
        tenant.clock.advance({ hours: 23, minutes: 59, seconds: 59 })
        return run()
      },
      KEPT,
    ],
    [
      'whose last build failed',
      async ({ made, run }) => {
        await database()
          .update(endpointMaterializations)
          .set({ status: 'Failed', error: 'no' })
          .where(eq(endpointMaterializations.endpointId, made.id))
        return run()
      },
      KEPT,
    ],
    [
      'in a project of another time zone than when they were built',
      async ({ run }) => {
        await database()
          .update(projects)
          .set({ timezone: 'Europe/Vienna' })
          .where(eq(projects.id, tenant.projectId))
        // A key knows its project for a while.
        tenant.clock.advance({ minutes: 1 })
        return run()
      },
      INLINE,
    ],
    [
      'that was given up',
      async ({ run, update }) => {
        await update({ is_materialized: false })
        return run()
      },
      INLINE,
    ],
    ['that another version follows', ({ run }) => run({ version: 1 }), KEPT],
  ])('%s', async (_, act, expected) => {
    const of = await materialized(tenant)
    expect(fieldsOf((await act(of)) as never)).toEqual(expected)
  })

  it('continues inline when its rows cannot be read', async () => {
    const { made, run } = await materialized(tenant)
    await env.EVENTS.prepare(
      `DROP TABLE "mat_${made.materialization.saved_query_id.replaceAll('-', '')}_1"`,
    ).run()
    expect(fieldsOf(await run())).toEqual(INLINE)
    expect(await pathsOf(made.id)).toEqual(['materialized_fallback miss'])
  })

  it('does not go on inline while its shard is overloaded: the query itself would wait for the same', async () => {
    const { made } = await materialized(tenant)
    const reads: string[] = []
    const EVENTS = interceptedD1(env.EVENTS, ({ texts, run }) => {
      reads.push(...texts.filter((text) => /FROM (?:"mat_|events|event_volumes)/.test(text)))
      return texts.some((text) => text.includes('"mat_'))
        ? Promise.reject(new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.'))
        : run()
    })
    const busy = createHarness({ clock: tenant.clock, bindings: { EVENTS } })
    const response = await busy.send('POST', `${tenant.endpoints(made.name)}run/`, {
      body: {},
      headers: { Authorization: `Bearer ${tenant.key}` },
    })
    expect([response.status, response.body.code, response.headers.get('Retry-After')]).toEqual([
      503,
      'query_capacity',
      '5',
    ])
    expect(reads).toHaveLength(1)
    expect(reads[0]).toContain('"mat_')
    expect(await pathsOf(made.id)).toEqual([expect.stringContaining('path=materialized ')])
  })

  it('never returns the result of another build, nor for the query itself', async () => {
    const { made, run } = await materialized(tenant, { data_freshness_seconds: 900 })
    expect(fieldsOf(await run())).toEqual(KEPT)
    expect(fieldsOf(await run())).toEqual({ ...KEPT, cached: true })
    expect(fieldsOf(await run({ refresh: 'direct' }))).toEqual(INLINE)
    expect(fieldsOf(await run())).toEqual({ ...KEPT, cached: true })
    tenant.clock.advance({ minutes: 14 })
    await tenant.consume({
      messages: [{ projectId: tenant.projectId, versionId: made.current_version_id }],
    })
    expect(fieldsOf(await run())).toEqual({ ...KEPT, results: AFTER })
    expect(fieldsOf(await run())).toEqual({ ...KEPT, results: AFTER, cached: true })
    tenant.clock.advance({ minutes: 16 })
    expect(fieldsOf(await run())).toEqual(INLINE)
    expect(fieldsOf(await run())).toEqual({ ...INLINE, cached: true })
  })

  it('pages through them, within the query’s own LIMIT', async () => {
    const { run } = await materialized(tenant, {
      query: hogql('SELECT number FROM numbers(10) ORDER BY number DESC LIMIT 5'),
    })
    const page = async (limit: number, offset: number) => {
      const { body } = await run({ limit, offset })
      return [body.results.flat(), body.hasMore, body.endpoint_materialized]
    }
    expect(await page(2, 0)).toEqual([[9, 8], true, true])
    expect(await page(2, 2)).toEqual([[7, 6], true, true])
    expect(await page(2, 4)).toEqual([[5], false, true])
    expect((await run()).body).toMatchObject({ results: [[9], [8], [7], [6], [5]], hasMore: false })
  })
})

describe('variables', () => {
  const BY_EVENT = 'SELECT count() AS n FROM events WHERE event = {variables.name}'

  const withVariable = async () => {
    const { id } = await tenant.variable({ name: 'Name', default_value: 'closed' })
    return materialized(tenant, {
      query: hogql(BY_EVENT, { variables: { [id]: { variableId: id, code_name: 'name' } } }),
    })
  }

  it('filter the rows, and are all required', async () => {
    const { made, run } = await withVariable()
    const ofName = async (name: unknown) => (await run({ variables: { name } })).body
    expect(await ofName('opened')).toMatchObject({ results: [[2]], endpoint_materialized: true })
    expect(await ofName('closed')).toMatchObject({ results: [[1]], endpoint_materialized: true })
    // One row where there is nothing, as from the query itself.
    expect(await ofName('nothing')).toMatchObject({ results: [[0]] })
    for (const variables of [undefined, {}, { name: null }]) {
      expect(seen(await run({ variables }))).toEqual({
        status: 400,
        body: {
          type: 'validation_error',
          code: 'invalid_input',
          detail: "Required variable(s) 'name' not provided",
          attr: 'variables',
        },
      })
    }
    expect((await pathsOf(made.id)).at(-1)).toBe(
      "Endpoint execution failed · invalid request · variables: Required variable(s) 'name' not provided",
    )
    expect(await run({ variables: { name: 'opened', other: 1 } })).toMatchObject({
      status: 400,
      body: { detail: 'Unknown variable(s): other. Known: name.' },
    })
    // The query itself has a default.
    expect((await run({ refresh: 'direct' })).body).toMatchObject({ results: [[1]] })
  })

  describe('that bound a range', () => {
    const TIMES = [
      '2026-03-07T00:00:00Z',
      '2026-03-07T13:30:00Z',
      '2026-03-08T00:00:00Z',
      '2026-03-08T23:59:59Z',
      '2026-03-09T00:00:00Z',
      '2026-03-09T08:00:00Z',
    ]

    /** An endpoint that counts what happened between two variables, once as it is and once materialized, if it can be. */
    const ranged = async (condition: string) => {
      await sendEach(
        tenant,
        TIMES.map((timestamp) => ({ ...event('ada', {}, 'timed'), timestamp })),
      )
      for (const name of ['a', 'b']) {
        await tenant.variable({ name, type: 'Date', default_value: '2026-03-01T00:00:00Z' })
      }
      const query = hogql(
        `SELECT event, count() AS n FROM events WHERE event = 'timed' AND ${condition} GROUP BY event`,
      )
      const inline = await tenant.endpoint({ query })
      const rows = async (name: string, a: string, b: string) => {
        const { status, body } = await tenant.post(tenant.endpoints(`${name}/run`), {
          variables: { a, b },
        })
        expect(status).toBe(200)
        return body as Record<string, unknown>
      }
      return { query, inline: (a: string, b: string) => rows(inline.name, a, b), rows }
    }

    it('give the rows of the query: stored ones for whole days, and those of a run otherwise', async () => {
      const { query, inline, rows } = await ranged('timestamp >= {variables.a} AND timestamp < {variables.b}')
      const { name } = await tenant.endpoint({ query, is_materialized: true })
      await tenant.consume()
      for (const [a, b, count, isStored] of [
        ['2026-03-07T00:00:00Z', '2026-03-09T00:00:00Z', 4, true],
        ['2026-03-08', '2026-03-10', 4, true],
        ['2026-03-07T13:00:00Z', '2026-03-09T00:00:00Z', 3, false],
        ['2026-03-07T00:00:00Z', '2026-03-08T12:00:00Z', 3, false],
        ['2026-03-07T13:31:00Z', '2026-03-09T08:00:00Z', 3, false],
        ['2026-03-08T00:00:01Z', '2026-03-09T00:00:01Z', 2, false],
      ] as const) {
        const stored = await rows(name, a, b)
        const own = await inline(a, b)
        expect([a, b, stored.results, stored.endpoint_materialized ?? false]).toEqual([
          a,
          b,
          own.results,
          isStored,
        ])
        expect(own.results).toEqual([['timed', count]])
      }
    })

    it('are not materialized where they are compared by > and <=', async () => {
      const { query, inline } = await ranged('timestamp > {variables.a} AND timestamp <= {variables.b}')
      const { results } = await inline('2026-03-07T00:00:00Z', '2026-03-09T00:00:00Z')
      expect(results).toEqual([['timed', 4]])
      const made = await tenant.post(tenant.endpoints(), {
        name: 'excluded-bound',
        query,
        is_materialized: true,
      })
      expect([made.status, JSON.stringify(made.body)]).toEqual([
        400,
        expect.stringContaining("Variable 'a' is compared by > with a column that is stored by periods"),
      ])
    })
  })
})

describe('refresh: direct', () => {
  it('is rejected without a materialization', async () => {
    const made = await tenant.endpoint({ query: hogql(EVENT_COUNTS), is_materialized: true })
    const direct = () => tenant.post(tenant.endpoints(`${made.name}/run`), { refresh: 'direct' })
    expect(await direct()).toMatchObject({ status: 400, body: { attr: 'refresh' } })
    await tenant.consume()
    expect(await direct()).toMatchObject({ status: 200, body: { results: BEFORE } })
  })
})
