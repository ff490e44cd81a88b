// Endpoints made of insights: what is shown of their queries, and which breakdowns may be optional.
import { beforeAll, describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { hogql, trends } from '../../support/endpoints/endpoints'
import { createTenant, type Tenant } from '../../support/tenant'

describe('optional breakdowns', () => {
  let tenant: Tenant
  beforeAll(async () => {
    tenant = await createTenant()
  })

  const broken = (breakdownFilter: Record<string, unknown>) => trends({ breakdownFilter })

  it.each([
    ['one breakdown', broken({ breakdown: '$browser' }), ['$browser']],
    ['a list of breakdowns', broken({ breakdown: ['$browser', '$os'] }), ['$os']],
    ['breakdowns with types', broken({ breakdowns: [{ property: 'plan', type: 'person' }] }), ['plan']],
    [
      'retention',
      { kind: 'RetentionQuery', retentionFilter: {}, breakdownFilter: { breakdown: 'a' } },
      ['a'],
    ],
  ])('may be any of %s', async (_, query, optional) => {
    expect(await tenant.endpoint({ query, optional_breakdown_properties: optional })).toMatchObject({
      optional_breakdown_properties: optional,
    })
  })

  it.each([
    [
      'SQL',
      hogql('SELECT count() FROM events'),
      ['a'],
      "Query kind 'HogQLQuery' does not support breakdowns. Supported: RetentionQuery, TrendsQuery.",
    ],
    ['no breakdown', trends(), ['a'], 'Unknown breakdown property: "a". Known: (none).'],
    [
      'others',
      broken({ breakdowns: [{ property: 'b' }, { property: 'a' }] }),
      ['c', 'a', 'd'],
      'Unknown breakdown properties: "c", "d". Known: ["a","b"].',
    ],
  ])('are rejected of %s', async (_, query, optional, detail) => {
    const sent = { name: 'a', query, optional_breakdown_properties: optional }
    expect(seen(await tenant.post(tenant.endpoints(), sent))).toEqual(
      refused('optional_breakdown_properties', detail),
    )
  })
})

describe('an insight', () => {
  it('is shown with every key of its kind', async () => {
    const tenant = await createTenant()
    const { query } = await tenant.endpoint({ query: trends({ dateRange: { date_from: '-7d' } }) })
    expect(query).toEqual({
      aggregation_group_type_index: null,
      breakdownFilter: null,
      compareFilter: null,
      conversionGoal: null,
      dataColorTheme: null,
      dateRange: { date_from: '-7d', date_to: null, explicitDate: false },
      filterTestAccounts: false,
      interval: 'day',
      kind: 'TrendsQuery',
      modifiers: null,
      properties: [],
      response: null,
      samplingFactor: null,
      series: [
        {
          custom_name: null,
          event: '$pageview',
          fixedProperties: null,
          kind: 'EventsNode',
          limit: null,
          math: null,
          math_group_type_index: null,
          math_hogql: null,
          math_multiplier: null,
          math_property: null,
          math_property_revenue_currency: null,
          math_property_type: null,
          name: null,
          optionalInFunnel: null,
          orderBy: null,
          properties: null,
          response: null,
          version: null,
        },
      ],
      tags: null,
      trendsFilter: null,
      version: null,
    })
  })

  it.each([
    [
      'LifecycleQuery',
      { series: [{ kind: 'EventsNode' }], lifecycleFilter: {} },
      'lifecycleFilter',
      { stacked: true },
    ],
    [
      'RetentionQuery',
      { retentionFilter: { period: 'Week' } },
      'retentionFilter',
      { period: 'Week', totalIntervals: 8 },
    ],
    [
      'FunnelsQuery',
      { series: [{ event: 'a' }, { event: 'b' }], funnelsFilter: { funnelWindowInterval: 7 } },
      'funnelsFilter',
      { funnelOrderType: 'ordered', funnelWindowInterval: 7, funnelWindowIntervalUnit: 'day' },
    ],
  ])('may be a %s', async (kind, rest, filter, expected) => {
    const tenant = await createTenant()
    const { query } = await tenant.endpoint({ query: { kind, ...rest } })
    expect(query).toMatchObject({ kind, [filter]: expected })
  })
})
