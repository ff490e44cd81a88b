// What an insight computes, in words.
import { expect, it } from 'vitest'
import type { FormKind } from '../../src/console/query/insight/insight-edit'
import { insightParts, type Part } from '../../src/console/query/insight/insight-words'
import {
  FunnelsQuery,
  LifecycleQuery,
  RetentionQuery,
  TrendsQuery,
} from '../../src/endpoints/query/query-schemas'

const event = (name: string | null, more: object = {}) => ({ kind: 'EventsNode', event: name, ...more })
const trend = (query: object) => ({ kind: 'TrendsQuery' as const, series: [event('$pageview')], ...query })

const CASES: readonly (readonly [Record<string, unknown> & { kind: FormKind }, readonly Part[]])[] = [
  [
    { kind: 'TrendsQuery', series: [event('$pageview')] },
    [
      ['Series', 'Number of $pageview'],
      ['Time range', 'Last 7 days'],
      ['Interval', 'Day'],
    ],
  ],
  [
    {
      kind: 'TrendsQuery',
      series: [
        event(null),
        event('$pageview', { math: 'dau' }),
        event('purchase', { math: 'sum', math_property: 'amount' }),
        event('purchase', { math: 'weekly_active' }),
      ],
      interval: 'week',
      dateRange: { date_from: '-90d' },
      properties: [
        { key: 'plan', type: 'event', operator: 'exact', value: ['pro', 'team'] },
        { key: 'id', type: 'cohort', value: 3 },
      ],
      breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
      compareFilter: { compare: true },
    },
    [
      [
        'Series',
        'Number of events, people who did $pageview, sum of amount of purchase, weekly_active of purchase',
      ],
      ['Where', 'plan is pro or team and the person is in the cohort Early adopters'],
      ['Time range', 'Last 90 days'],
      ['Interval', 'Week'],
      ['Broken down by', 'plan'],
      ['Compared with', 'The period before'],
    ],
  ],
  [
    trend({ dateRange: { date_from: '2026-01-01', date_to: '2026-02-01' } }),
    [
      ['Series', 'Number of $pageview'],
      ['Time range', 'From 2026-01-01 to 2026-02-01'],
      ['Interval', 'Day'],
    ],
  ],
  [
    { kind: 'FunnelsQuery', series: [event('$pageview'), event('purchase')] },
    [
      ['Steps', '$pageview → purchase'],
      ['Time to convert', '14 days'],
      ['Time range', 'Last 7 days'],
    ],
  ],
  [
    {
      kind: 'FunnelsQuery',
      series: [event(null), event('purchase')],
      funnelsFilter: { funnelWindowInterval: 1, funnelWindowIntervalUnit: 'hour' },
    },
    [
      ['Steps', 'any event → purchase'],
      ['Time to convert', '1 hour'],
      ['Time range', 'Last 7 days'],
    ],
  ],
  [
    {
      kind: 'RetentionQuery',
      retentionFilter: {
        targetEntity: { id: '$pageview', type: 'events' },
        returningEntity: { type: 'events' },
        period: 'Week',
        totalIntervals: 8,
      },
    },
    [
      ['People who did', '$pageview'],
      ['Start with', 'Each period in which they did it'],
      ['Return when they do', 'any event'],
      ['Periods', '8 weeks'],
      ['Time range', 'The last 8 weeks'],
    ],
  ],
  [
    trend({
      series: [
        { kind: 'ActionsNode', id: 7, name: 'Paid', math: 'total' },
        event('purchase', { properties: [{ key: 'plan', value: 'pro', type: 'event' }], name: 'purchase' }),
      ],
      properties: { type: 'AND', values: [] },
      breakdownFilter: { breakdowns: [{ property: 'plan', type: 'event' }], breakdown_limit: 3 },
      trendsFilter: { display: 'ActionsLineGraph', formula: 'A / B', smoothingIntervals: null },
      samplingFactor: null,
      filterTestAccounts: true,
    }),
    [
      ['Series', 'Number of action Paid, number of purchase'],
      ['Where', 'as the JSON says'],
      ['Time range', 'Last 7 days'],
      ['Interval', 'Day'],
      ['Broken down by', 'as the JSON says'],
      [
        'In the JSON',
        'breakdownFilter.breakdown_limit, trendsFilter.formula, filterTestAccounts, series[1].properties',
      ],
    ],
  ],
  [
    {
      kind: 'RetentionQuery',
      retentionFilter: {
        targetEntity: { id: 3, type: 'actions' },
        returningEntity: { id: 'purchase', type: 'events' },
        retentionType: 'retention_first_time',
        aggregationType: 'count',
        meanRetentionCalculation: 'simple',
        minimumOccurrences: 2,
      },
    },
    [
      ['People who did', 'action 3'],
      ['Start with', 'The first time in the range'],
      ['Return when they do', 'purchase'],
      ['Periods', '8 days'],
      ['Time range', 'The last 8 days'],
      ['In the JSON', 'retentionFilter.minimumOccurrences'],
    ],
  ],
  [
    { kind: 'LifecycleQuery', series: [event('purchase')], dateRange: { date_from: '-14d' } },
    [
      ['Event', 'purchase'],
      ['Time range', 'Last 14 days'],
      ['Interval', 'Day'],
    ],
  ],
]

it.each(CASES)('says what %j computes', (query, parts) => {
  const wording = { cohortOf: () => 'Early adopters' }
  expect(insightParts(query.kind, JSON.stringify(query), wording)).toEqual(parts)
})

it.each([
  TrendsQuery.parse({
    kind: 'TrendsQuery',
    series: [event('a')],
    trendsFilter: {},
    breakdownFilter: {},
    compareFilter: {},
    dateRange: {},
  }),
  FunnelsQuery.parse({
    kind: 'FunnelsQuery',
    series: [event('a'), event('b')],
    funnelsFilter: {},
    breakdownFilter: {},
  }),
  RetentionQuery.parse({ kind: 'RetentionQuery', retentionFilter: {}, breakdownFilter: {} }),
  LifecycleQuery.parse({ kind: 'LifecycleQuery', series: [event('a')], lifecycleFilter: {} }),
])('leaves out what the service adds to $kind', (query) => {
  const parts = insightParts(query.kind, JSON.stringify(query), {})!
  expect(parts.filter(([, words]) => words.includes('JSON') || words.includes('.'))).toEqual([])
})

it('has no words for a text that is not JSON', () => {
  expect(insightParts('TrendsQuery', '{', {})).toBeNull()
})
