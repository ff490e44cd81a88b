// Runs of insights that are answered from materialized rows (docs/reference/endpoints.md#where-a-run-finds-its-rows).
import { beforeEach, describe, expect, it } from 'vitest'
import { event, sendEach } from '../../support/capture'
import { trends } from '../../support/endpoints/endpoints'
import type { MaterializingTenant } from '../../support/endpoints/materialization'
import { materialized, pathsOf, tenantWithPlans } from '../../support/endpoints/materialized-runs'

let tenant: MaterializingTenant
beforeEach(async () => {
  tenant = await tenantWithPlans()
})

describe('an insight', () => {
  const BROKEN_DOWN = trends({
    series: [{ kind: 'EventsNode', event: 'opened' }],
    breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
    dateRange: { date_from: '-2d' },
  })

  it('has its own result, from the rows', async () => {
    const { made, run } = await materialized(tenant, { query: BROKEN_DOWN })
    const inline = (await run({ variables: { plan: 'pro', date_from: '-2d' }, refresh: 'force' })).body
    expect(inline.endpoint_materialized).toBeUndefined()
    expect(inline.results).toMatchObject([{ breakdown_value: 'pro', data: [0, 0, 2] }])
    const kept = (await run({ variables: { plan: 'pro' } })).body
    expect(kept).toMatchObject({ endpoint_materialized: true })
    expect(kept.results).toEqual([{ ...inline.results[0], data: [0, 0, 1], count: 1 }])
    expect(await run()).toMatchObject({
      status: 400,
      body: { detail: "Required variable(s) 'plan' not provided" },
    })
    expect(await pathsOf(made.id)).toEqual([
      'inline miss',
      'materialized miss',
      "Endpoint execution failed · invalid request · variables: Required variable(s) 'plan' not provided",
    ])
  })

  it('documents its required variables, and that its range is fixed', async () => {
    const variablesOf = async (name: string) => {
      const { body } = await tenant.get(tenant.endpoints(`${name}/openapi.json`))
      const { properties, required } = body.components.schemas.Variables
      return [Object.keys(properties), required]
    }
    const { made, update } = await materialized(tenant, { query: BROKEN_DOWN })
    expect(await variablesOf(made.name)).toEqual([['plan'], ['plan']])
    await update({ is_materialized: false })
    expect(await variablesOf(made.name)).toEqual([['plan', 'date_from', 'date_to'], undefined])
  })

  it('takes the one value of its one breakdown from filters_override, and anything else inline', async () => {
    const { run } = await materialized(tenant, { query: BROKEN_DOWN })
    const by = (filters_override: object) => run({ filters_override })
    const property = (rest: object = {}) => ({
      key: 'plan',
      value: 'pro',
      operator: 'exact',
      type: 'event',
      ...rest,
    })
    expect((await by({ properties: [property()] })).body.endpoint_materialized).toBe(true)
    expect((await by({ properties: [property({ value: ['pro'] })] })).body.endpoint_materialized).toBe(true)
    const dated = await by({ date_from: '-1d', properties: [property()] })
    expect(dated).toMatchObject({ status: 200 })
    expect(dated.body.endpoint_materialized).toBeUndefined()
    const others = [{ value: null }, { value: '' }, { operator: 'is_not' }, { type: 'person' }]
    for (const properties of [...others.map((other) => [property(other)]), []]) {
      expect(await by({ properties })).toMatchObject({ status: 400, body: { attr: 'variables' } })
    }
  })

  it('adds up over an omitted optional breakdown, without a warning about its limit', async () => {
    const { run, update } = await materialized(tenant, {
      query: BROKEN_DOWN,
      optional_breakdown_properties: ['plan'],
    })
    const { body } = await run({ limit: 1 })
    expect(body.endpoint_materialized).toBe(true)
    const one = async (plan: string) => (await run({ variables: { plan } })).body.results[0].data as number[]
    const [pro, free] = [await one('pro'), await one('free')]
    expect(body.results).toHaveLength(1)
    expect(body.results[0]).not.toHaveProperty('breakdown_value')
    expect(body).toMatchObject({ hasMore: false })
    expect(body).not.toHaveProperty('limit')
    expect(body).not.toHaveProperty('offset')
    expect(body.results[0]).toMatchObject({
      label: 'opened',
      data: pro.map((value, day) => value + free[day]!),
    })
    await update({ optional_breakdown_properties: [] })
    expect(await run()).toMatchObject({ status: 400 })
  })

  it('merges minima, maxima and sums over an optional breakdown, and asks the query itself for other numbers', async () => {
    await sendEach(
      tenant,
      [
        ['ada', 'pro', 1],
        ['ada', 'pro', 9],
        ['ada', 'free', 2],
      ].map(([who, plan, amount]) => event(String(who), { plan, amount }, 'paid')),
    )
    for (const [math, first] of [
      [{ math: 'min', math_property: 'amount' }, 1],
      [{ math: 'max', math_property: 'amount' }, 9],
      [{ math: 'sum', math_property: 'amount' }, 12],
      [{ math: 'avg', math_property: 'amount' }, null],
      [{ math: 'dau' }, null],
      [{ math: 'hogql', math_hogql: 'max(toFloat(properties.amount))' }, null],
    ] as const) {
      const { run } = await materialized(tenant, {
        query: trends({
          series: [{ kind: 'EventsNode', event: 'paid', ...math }],
          breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
          dateRange: { date_from: '-2d' },
        }),
        optional_breakdown_properties: ['plan'],
      })
      const { status, body } = await run({ limit: 1 })
      expect(body).not.toHaveProperty('limit')
      const numbers = Object.fromEntries(
        body.results.map((line: { breakdown_value?: string; data: number[] }) => [
          line.breakdown_value ?? 'all',
          line.data.at(-1),
        ]),
      )
      expect([math, status, body.endpoint_materialized]).toEqual([
        math,
        200,
        first === null ? undefined : true,
      ])
      if (first === null) expect(Object.keys(numbers).sort()).toEqual(['free', 'pro'])
      else expect(numbers).toEqual({ all: first })
      const { body: chosen } = await run({ variables: { plan: 'pro' } })
      expect(chosen.endpoint_materialized).toBe(true)
    }
  })

  it('counts no person twice in a retention without its optional breakdown', async () => {
    const retention = (retentionType: string) => ({
      query: {
        kind: 'RetentionQuery',
        dateRange: { date_from: '-1d' },
        retentionFilter: { retentionType, targetEntity: { id: 'opened' }, returningEntity: { id: 'opened' } },
        breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
      },
      optional_breakdown_properties: ['plan'],
    })
    await sendEach(tenant, [event('ada', { plan: 'free' }, 'opened')])
    const first = await materialized(tenant, retention('retention_first_ever_occurrence'))
    const { body } = await first.run()
    expect(body.endpoint_materialized).toBe(true)
    expect(body.results.map(({ values }: { values: { count: number }[] }) => values[0]!.count)).toEqual([
      0, 2,
    ])
    for (const type of ['retention_recurring', 'retention_first_time']) {
      const { run } = await materialized(tenant, retention(type))
      const again = (await run()).body
      expect(again.endpoint_materialized).toBeUndefined()
      expect(again.results.map((row: { breakdown_value: string }) => row.breakdown_value)).toEqual([
        'free',
        'free',
        'pro',
        'pro',
      ])
    }
  })

  it.each([
    [
      'values are normalized',
      { ...BROKEN_DOWN, breakdownFilter: { breakdown: 'plan', breakdown_normalize_url: true } },
    ],
    [
      'it decides which event is the first',
      {
        kind: 'RetentionQuery',
        retentionFilter: { retentionType: 'retention_first_ever_occurrence', targetEntity: { id: 'opened' } },
        breakdownFilter: { breakdown: 'plan' },
      },
    ],
  ])('computes a filter of its breakdown from the events where %s', async (_, query) => {
    const { run } = await materialized(tenant, { query, optional_breakdown_properties: ['plan'] })
    expect((await run({ variables: { plan: 'pro' } })).body.endpoint_materialized).toBe(true)
    const { status, body } = await run({ filters_override: { properties: [{ key: 'plan', value: 'pro' }] } })
    expect([status, body.endpoint_materialized]).toEqual([200, undefined])
  })

  it('prefers filters_override to variables, from the rows as from the query', async () => {
    const { made, run, update } = await materialized(tenant, { query: BROKEN_DOWN })
    const filter = (key: string, value: string, operator = 'exact') => ({
      key,
      value,
      operator,
      type: 'event',
    })
    const values = async (request: object) => {
      const { body } = await run({ refresh: 'force', variables: { plan: 'free' }, ...request })
      return [
        body.results.map(({ breakdown_value: value }: { breakdown_value: string }) => value),
        body.endpoint_materialized,
      ]
    }
    const pro = { properties: [filter('plan', 'pro')] }
    expect(await values({})).toEqual([['free'], true])
    expect(await values({ filters_override: pro })).toEqual([['pro'], true])
    expect(await values({ filters_override: pro, refresh: 'direct' })).toEqual([['pro'], undefined])
    expect(await values({ filters_override: { properties: [filter('plan', 'free', 'is_not')] } })).toEqual([
      ['pro'],
      undefined,
    ])
    // The first gives what is required; the second needs the events themselves.
    const both = { properties: [filter('plan', 'pro'), filter('seat', 'none', 'is_not')] }
    expect(await values({ filters_override: both, variables: {} })).toEqual([['pro'], undefined])
    expect(await values({ filters_override: { properties: [filter('seat', 'none', 'is_not')] } })).toEqual([
      ['free'],
      undefined,
    ])
    const ofPersons = { ...filter('plan', '', 'is_not_set'), type: 'person' }
    expect(await values({ filters_override: { properties: [ofPersons] } })).toEqual([['free'], undefined])
    expect(
      await run({ filters_override: { properties: [filter('seat', 'none'), filter('plan', 'pro')] } }),
    ).toMatchObject({ status: 400, body: { detail: "Required variable(s) 'plan' not provided" } })
    await update({ is_materialized: false })
    expect((await pathsOf(made.id)).at(-1)).toContain('invalid request')
    expect(await values({ filters_override: pro })).toEqual([['pro'], undefined])
  })

  it('keeps the days of the moment that its rows are of', async () => {
    const { run } = await materialized(tenant, { query: BROKEN_DOWN, data_freshness_seconds: 604_800 })
    tenant.clock.advance({ days: 2 })
    const { body } = await run({ variables: { plan: 'pro' } })
    expect(body.endpoint_materialized).toBe(true)
    expect(body.results[0].days).toEqual(['2026-03-08', '2026-03-09', '2026-03-10'])
  })
})
