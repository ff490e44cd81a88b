// What runs of insights take that runs of HogQL do not, and the reverse (reference/endpoints-api.md §3.2, §3.7).
import { beforeAll, describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/answers'
import { event, sendBatch } from '../../support/capture'
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
  const answer = await run(body)
  if (answer.status !== 200) return seen(answer)
  return Object.fromEntries(
    answer.body.results.map((one: { breakdown_value: unknown; data: number[] }) => [
      String(one.breakdown_value),
      one.data,
    ]),
  )
}

describe('a run of an insight', () => {
  it('gives the result of its kind, and no columns', async () => {
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

  it('takes its breakdowns and dates for variables, and no others', async () => {
    expect(await series({ variables: { plan: 'pro' } })).toEqual({ pro: [1, 1, 0] })
    expect(await series({ variables: { plan: 'pro', date_from: '2026-03-09' } })).toEqual({ pro: [1, 0] })
    expect(await series({ variables: { date_from: '2026-03-09', date_to: '2026-03-09' } })).toEqual({
      pro: [1],
      free: [1],
    })
    expect(await series({ variables: { browser: 'x', plan: 'pro' } })).toEqual(
      refused('variables', 'Unknown variable(s): browser'),
    )
  })

  it('takes filters, which win, and says that they are deprecated', async () => {
    const answer = await run({
      filters_override: { date_from: '2026-03-09' },
      variables: { date_from: '2026-03-08' },
    })
    expect(answer.body.results[0].data).toHaveLength(2)
    expect(answer.headers.get('X-PostHog-Warn')).toMatch(/^filters_override is deprecated\. /)
    expect((await run()).headers.has('X-PostHog-Warn')).toBe(false)
    const properties = [{ key: 'plan', value: 'free', operator: 'exact', type: 'event' }]
    expect(await series({ filters_override: { properties } })).toEqual({ free: [0, 1, 0] })
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
