// What runs of insights take that runs of HogQL do not, and the reverse (docs/reference/endpoints.md#variables-of-a-run).
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { event, sendBatch } from '../../support/capture'
import { createMaterializingTenant } from '../../support/endpoints/materialization'
import { createTenant, type Tenant } from '../../support/tenant'

const opened = (timestamp: string, plan: string) => ({ ...event('ada', { plan }), timestamp })

let tenant: Tenant
let name: string
beforeAll(async () => {
  tenant = await createTenant()
  await sendBatch(tenant, [
    opened('2026-03-08T10:00:00Z', 'pro'),
    opened('2026-03-09T10:00:00Z', 'pro'),
    opened('2026-03-09T11:00:00Z', 'free'),
  ])
  const endpoint = await tenant.endpoint({
    query: {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'opened' }],
      dateRange: { date_from: '2026-03-08', date_to: '2026-03-10' },
      breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
    },
  })
  name = endpoint.name
})

const run = (body: Record<string, unknown> = {}) => tenant.post(tenant.endpoints(`${name}/run`), body)

/** Each series by what it is broken down by. */
const series = async (body: Record<string, unknown>) => {
  const response = await run(body)
  if (response.status !== 200) return seen(response)
  return Object.fromEntries(
    response.body.results.map((one: { breakdown_value: unknown; data: number[] }) => [
      String(one.breakdown_value),
      one.data,
    ]),
  )
}

describe('a run of an insight', () => {
  it('returns the result of its kind, and no columns', async () => {
    const { status, body } = await run()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      hasMore: false,
      is_cached: false,
      query: null,
      name,
      endpoint_version: 1,
    })
    expect(Object.keys(body)[0]).toBe('results')
    expect(body).not.toHaveProperty('columns')
    expect(body).not.toHaveProperty('types')
    expect(await series({})).toEqual({ pro: [1, 1, 0], free: [0, 1, 0] })
    expect((await run()).body.is_cached).toBe(true)
  })

  it('accepts its breakdowns and dates as variables, and no others', async () => {
    expect(await series({ variables: { plan: 'pro' } })).toEqual({ pro: [1, 1, 0] })
    expect(await series({ variables: { plan: 'pro', date_from: '2026-03-09' } })).toEqual({ pro: [1, 0] })
    expect(await series({ variables: { date_from: '2026-03-09', date_to: '2026-03-09' } })).toEqual({
      pro: [1],
      free: [1],
    })
    // A run with one date has a range of its own, and no date of the query.
    expect(await series({ variables: { plan: 'pro', date_to: '2026-03-09' } })).toEqual({
      pro: [0, 0, 0, 0, 0, 1, 1],
    })
    expect(await series({ variables: { plan: ['pro', 'free'] } })).toEqual(
      refused(
        'variables',
        "Could not apply filter for breakdown variable 'plan': it takes one text, number or boolean.",
      ),
    )
    expect(await series({ variables: { browser: 'x', plan: 'pro' } })).toEqual(
      refused(
        'variables',
        expect.stringMatching(/^Unknown variable\(s\): browser\. Known: .*date_from, date_to/),
      ),
    )
  })

  it('takes filters, which win, with a deprecation warning', async () => {
    const response = await run({
      filters_override: { date_from: '2026-03-09' },
      variables: { date_from: '2026-03-08' },
    })
    expect(response.body.results[0].data).toHaveLength(2)
    expect(response.headers.get('X-PostHog-Warn')).toMatch(/^filters_override is deprecated\. /)
    expect((await run()).headers.has('X-PostHog-Warn')).toBe(false)
    const properties = [{ key: 'plan', value: 'free', operator: 'exact', type: 'event' }]
    expect(await series({ filters_override: { properties } })).toEqual({ free: [0, 1, 0] })
  })

  it('takes filters in HogQL from who may write queries', async () => {
    const filtered = (key: string) => ({ filters_override: { properties: [{ key, type: 'hogql' }] } })
    expect(await series(filtered("properties.plan = 'free'"))).toEqual({ free: [0, 1, 0] })
    // It chooses no value of the breakdown, though it is written alike.
    expect(seen(await run(filtered('plan')))).toEqual(
      refused('filters_override', expect.stringMatching(/The filter 'plan': Unable to resolve field: plan/)),
    )
    expect((await run(filtered("1) OR (1 = '"))).status).toBe(400)
    const caller = await tenant.withKey({ scopes: ['endpoint:read'] })
    const { status, body } = await caller.post(tenant.endpoints(`${name}/run`), filtered('1'))
    expect([status, body.detail]).toEqual([403, "API key missing required scope 'query:read'"])
  })

  it('has no pages', async () => {
    expect(seen(await run({ limit: 1, offset: 0 }))).toEqual(
      refused('offset', 'offset is only supported for HogQL endpoints'),
    )
    expect(seen(await run({ limit: 1 }))).toEqual(
      refused('limit', 'Limit/offset parameters are only supported for HogQLQuery, not TrendsQuery'),
    )
  })
})

describe('an insight of more rows than a run reads', () => {
  /** As many events as numbers, of one day, each with a plan of its own. */
  const happened = (projectId: number, from: number, to: number) =>
    env.EVENTS.prepare(
      `WITH RECURSIVE n(i) AS (SELECT CAST(?2 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
       INSERT INTO events (project_id, uuid, event, distinct_id, properties, timestamp, created_at)
       SELECT ?1, 'event-' || i, 'opened', 'ada', jsonb_object('plan', 'plan ' || i),
         '2026-03-09T10:00:00.000000Z', '2026-03-09T10:00:00.000000Z' FROM n`,
    )
      .bind(projectId, from, to)
      .run()

  it('is rejected, since its numbers would be wrong', async () => {
    const many = await createMaterializingTenant()
    await happened(many.projectId, 1, 50_000)
    const made = await many.endpoint({
      query: {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: 'opened' }],
        dateRange: { date_from: '2026-03-09', date_to: '2026-03-09' },
        breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
      },
      optional_breakdown_properties: ['plan'],
    })
    const runAgain = (body: object = {}) =>
      many.post(many.endpoints(`${made.name}/run`), { refresh: 'force', ...body })
    // Values past the most that are shown are added up: nothing is missing.
    const { results } = (await runAgain()).body
    expect([results.length, results.at(-1).count]).toEqual([10_001, 40_000])
    await happened(many.projectId, 50_001, 50_001)
    const tooLarge = refused(
      null,
      'The result of this query is too large. Ask for a shorter range, longer periods, or fewer values of a breakdown.',
      'query_too_large',
    )
    expect(seen(await runAgain())).toEqual(tooLarge)
    expect(seen(await runAgain({ refresh: 'cache' }))).toEqual(tooLarge)
    expect((await runAgain({ variables: { plan: 'plan 7' } })).body.results).toMatchObject([{ count: 1 }])
    await many.patch(many.endpoints(made.name), { is_materialized: true })
    await many.consume({ messages: [{ projectId: many.projectId, versionId: made.current_version_id }] })
    const kept = await runAgain({ variables: { plan: 'plan 7' } })
    expect(kept.body).toMatchObject({ endpoint_materialized: true, results: [{ count: 1 }] })
    expect(seen(await runAgain())).toEqual(tooLarge)
  })
})
