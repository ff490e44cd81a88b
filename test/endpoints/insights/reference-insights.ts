// Insights over the corpus' data set, with what is told of them: both engines are held to the same.
import { parseQuery as parseStored } from '../../../src/endpoints/query/parse-query'
import { choiceOf } from '../../../src/endpoints/insights/breakdown'
import { insightResult, insightText, insightValues } from '../../../src/endpoints/insights/insight.ts'
import { breakdownPropertiesOf } from '../../../src/endpoints/query/written-breakdowns'
import type { InsightQuery } from '../../../src/endpoints/query/query-types'
import { parseQuery } from '../../../src/hogql/parser/parse'
import { resolve, type Resolved } from '../../../src/hogql/resolve/resolve'
import { NOW, propertyType } from '../../hogql/corpus/dataset'

const MARCH = { date_from: '2026-03-01', date_to: '2026-03-20' }
const node = (event: string, more: Record<string, unknown> = {}) => ({ kind: 'EventsNode', event, ...more })

const CHROME = { key: '$browser', type: 'event', operator: 'exact', value: 'Chrome' }

const BROWSERS = {
  breakdown_type: 'hogql',
  breakdown:
    "multiIf(properties.$browser = 'Chrome', '', properties.$browser = 'Safari', NULL, properties.$browser)",
}

/** By name: what is sent as a query. */
export const INSIGHTS: Record<string, Record<string, unknown>> = {
  'visits by week': { kind: 'TrendsQuery', series: [node('$pageview')], interval: 'week', dateRange: MARCH },
  'people by day, by browser': {
    kind: 'TrendsQuery',
    series: [node('$pageview', { math: 'dau' })],
    breakdownFilter: { breakdown: '$browser' },
    dateRange: MARCH,
  },
  'active within a week': {
    kind: 'TrendsQuery',
    series: [node('$pageview', { math: 'weekly_active' })],
    dateRange: MARCH,
  },
  'revenue a month, and its median': {
    kind: 'TrendsQuery',
    interval: 'month',
    series: [
      node('purchase', { math: 'sum', math_property: 'amount' }),
      node('purchase', { math: 'median', math_property: 'amount' }),
      node('purchase', { math: 'avg_count_per_actor' }),
    ],
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
    properties: [{ key: 'amount', type: 'event', operator: 'gt', value: 5 }],
  },
  'first visits': {
    kind: 'TrendsQuery',
    interval: 'month',
    series: [node('$pageview', { math: 'first_time_for_user' })],
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'first visits, of Chrome': {
    kind: 'TrendsQuery',
    interval: 'month',
    series: ['first_time_for_user', 'first_matching_event_for_user'].map((math) =>
      node('$pageview', { math, properties: [CHROME] }),
    ),
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'visits, smoothed, and revenue in cents': {
    kind: 'TrendsQuery',
    interval: 'week',
    series: [
      node('$pageview'),
      node('purchase', { math: 'sum', math_property: 'amount', math_multiplier: 100 }),
    ],
    trendsFilter: { smoothingIntervals: 2 },
    dateRange: MARCH,
  },
  'retention of those whose first visit was with Chrome': {
    kind: 'RetentionQuery',
    dateRange: MARCH,
    retentionFilter: {
      period: 'Week',
      totalIntervals: 4,
      retentionType: 'retention_first_ever_occurrence',
      targetEntity: { id: '$pageview', type: 'events', properties: [CHROME] },
      returningEntity: { id: '$pageview', type: 'events' },
    },
  },
  'from the first visit, with Chrome, to another': {
    kind: 'FunnelsQuery',
    series: [node('$pageview', { math: 'first_time_for_user', properties: [CHROME] }), node('$pageview')],
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'from the first visit with Chrome to another': {
    kind: 'FunnelsQuery',
    series: [
      node('$pageview', { math: 'first_time_for_user_with_filters', properties: [CHROME] }),
      node('$pageview'),
    ],
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'lifecycle by week': {
    kind: 'LifecycleQuery',
    series: [node('$pageview')],
    interval: 'week',
    dateRange: MARCH,
  },
  'retention by week': {
    kind: 'RetentionQuery',
    dateRange: MARCH,
    retentionFilter: {
      period: 'Week',
      totalIntervals: 4,
      targetEntity: { id: '$pageview', type: 'events' },
      returningEntity: { id: '$pageview', type: 'events' },
    },
  },
  'from visit to purchase': {
    kind: 'FunnelsQuery',
    series: [node('$pageview'), node('purchase')],
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'two visits in a row, and a purchase, whatever the order': {
    kind: 'FunnelsQuery',
    series: [node('$pageview'), node('$pageview'), node('purchase')],
    funnelsFilter: {
      funnelOrderType: 'unordered',
      funnelWindowInterval: 30,
      funnelWindowIntervalUnit: 'day',
    },
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'strictly one after the other': {
    kind: 'FunnelsQuery',
    series: [node('$pageview'), node('$pageview')],
    funnelsFilter: { funnelOrderType: 'strict' },
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'visits, first ones, by browsers of which two are none': {
    kind: 'TrendsQuery',
    interval: 'quarter',
    series: [node('$pageview'), node('$pageview', { math: 'first_time_for_user' })],
    breakdownFilter: BROWSERS,
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'from visit to purchase, by browsers of which two are none': {
    kind: 'FunnelsQuery',
    series: [node('$pageview'), node('purchase')],
    breakdownFilter: BROWSERS,
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
}

export interface Prepared {
  resolved: Resolved
  values: ReadonlyMap<string, unknown>
  /** The numbers of the response, by what they are of. */
  tell(rows: readonly unknown[][]): unknown
}

const CONTEXT = { timezone: 'UTC', now: NOW }

/** An insight, resolved and bound, for either engine to print and run. */
export async function prepare(sent: Record<string, unknown>): Promise<Prepared> {
  const query = parseStored(sent) as InsightQuery
  const { sql, variables, fragments } = insightText(query)
  const resolved = resolve(await parseQuery(sql), {
    sql,
    timezone: 'UTC',
    variables,
    fragments,
    propertyTypes: propertyType,
  })
  const choices = breakdownPropertiesOf(query).map((property) => choiceOf(property, null))
  return {
    resolved,
    values: insightValues(query, choices, CONTEXT),
    tell: (rows) => (insightResult(query, rows, CONTEXT) as Record<string, unknown>[]).map(numbersOf),
  }
}

const numbersOf = (part: Record<string, unknown> | Record<string, unknown>[]): unknown => {
  if (Array.isArray(part)) return [part[0]!.breakdown_value, part.map(numbersOf)]
  if (Array.isArray(part.values))
    return [part.label, (part.values as { count: number }[]).map(({ count }) => count)]
  if ('people' in part)
    return [part.name, part.count, part.average_conversion_time, part.median_conversion_time]
  return [part.label, part.data]
}
