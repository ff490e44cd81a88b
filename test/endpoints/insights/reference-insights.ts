// Insights over the corpus' data set, with what is told of them: both engines are held to the same.
import { parseQuery as parseStored } from '../../../src/endpoints/query/parse-query'
import { choiceOf } from '../../../src/endpoints/insights/breakdown'
import {
  insightPage,
  insightResult,
  insightText,
  insightValues,
} from '../../../src/endpoints/insights/insight.ts'
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
  'from visit to purchase, by the browsers of the purchase': {
    kind: 'FunnelsQuery',
    series: [node('$pageview'), node('purchase')],
    breakdownFilter: { breakdown: '$browser' },
    funnelsFilter: { breakdownAttributionType: 'step', breakdownAttributionValue: 1 },
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'from visit to purchase in any order, by the browsers of the first': {
    kind: 'FunnelsQuery',
    series: [node('$pageview'), node('purchase')],
    breakdownFilter: { breakdown: '$browser' },
    funnelsFilter: {
      breakdownAttributionType: 'step',
      breakdownAttributionValue: 0,
      funnelOrderType: 'unordered',
    },
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'from visit to purchase, perhaps by a signup, without a click': {
    kind: 'FunnelsQuery',
    series: [node('$pageview'), node('signup', { optionalInFunnel: true }), node('purchase')],
    funnelsFilter: {
      exclusions: [node('$autocapture', { funnelFromStep: 0, funnelToStep: 2 })],
      funnelWindowInterval: 30,
    },
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'days from visit to purchase': {
    kind: 'FunnelsQuery',
    series: [node('$pageview'), node('purchase')],
    funnelsFilter: { funnelVizType: 'time_to_convert' },
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'purchases after visits, by month': {
    kind: 'FunnelsQuery',
    series: [node('$pageview'), node('purchase')],
    funnelsFilter: { funnelVizType: 'trends' },
    interval: 'month',
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'paths between pages and events': {
    kind: 'PathsQuery',
    dateRange: MARCH,
    pathsFilter: { edgeLimit: 6 },
  },
  'paths that lead to a purchase': {
    kind: 'PathsQuery',
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
    pathsFilter: { endPoint: 'purchase', stepLimit: 3 },
  },
  'how often events happen': {
    kind: 'EventsQuery',
    select: ['event', 'count() AS total', 'uniq(person_id)'],
    where: ['uniq(person_id) > 1'],
    orderBy: ['total DESC', 'event'],
    after: '2026-01-01',
    before: '2026-03-20',
  },
  'web, compared with the twenty days before': {
    kind: 'WebOverviewQuery',
    dateRange: MARCH,
    compareFilter: { compare: true },
  },
  'pages, with their bounce rate': {
    kind: 'WebStatsTableQuery',
    breakdownBy: 'Page',
    includeBounceRate: true,
    dateRange: MARCH,
  },
  'visit, signup and purchase in any order, without an export': {
    kind: 'FunnelsQuery',
    series: [node('$pageview'), node('signup'), node('purchase')],
    funnelsFilter: {
      funnelOrderType: 'unordered',
      exclusions: [node('export', { funnelFromStep: 0, funnelToStep: 2 })],
    },
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'a purchase directly after a visit, and no other, by month': {
    kind: 'FunnelsQuery',
    series: [node('$pageview'), node('purchase')],
    funnelsFilter: {
      funnelVizType: 'trends',
      funnelOrderType: 'strict',
      exclusions: [node('signup', { funnelFromStep: 0, funnelToStep: 1 })],
    },
    breakdownFilter: BROWSERS,
    interval: 'month',
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'visits by page, the two most': {
    kind: 'TrendsQuery',
    interval: 'quarter',
    series: [node('$pageview')],
    breakdownFilter: {
      breakdown: '$current_url',
      breakdown_normalize_url: true,
      breakdown_limit: 2,
    },
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'paths from a page to a purchase': {
    kind: 'PathsQuery',
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
    pathsFilter: { startPoint: 'https://example.com/', endPoint: 'purchase', stepLimit: 2 },
  },
  'paths between groups of pages': {
    kind: 'PathsQuery',
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
    pathsFilter: { pathGroupings: ['/docs*', 'https://*/pri', '$*'], stepLimit: 3, edgeLimit: 6 },
  },
  'people who paid more than once': {
    kind: 'ActorsQuery',
    select: ["ifNull(properties.email, '')", 'is_identified'],
    orderBy: ["ifNull(properties.email, '')"],
    source: {
      kind: 'HogQLQuery',
      query: "SELECT person_id FROM events WHERE event = 'purchase' GROUP BY person_id HAVING count() > 1",
    },
  },
  'people with an email': {
    kind: 'ActorsQuery',
    select: ['properties.email', 'is_identified'],
    orderBy: ['properties.email DESC'],
    properties: [{ key: 'email', type: 'person', operator: 'is_set' }],
    limit: 3,
  },
  'retention of first visits ever, by browser': {
    kind: 'RetentionQuery',
    retentionFilter: {
      period: 'Week',
      retentionType: 'retention_first_ever_occurrence',
      targetEntity: { id: '$pageview', type: 'events' },
      returningEntity: { id: '$pageview', type: 'events' },
    },
    breakdownFilter: { breakdown: '$browser' },
    dateRange: MARCH,
  },
  'retention by week and browser': {
    kind: 'RetentionQuery',
    retentionFilter: {
      period: 'Week',
      targetEntity: { id: '$pageview', type: 'events' },
      returningEntity: { id: '$pageview', type: 'events' },
    },
    breakdownFilter: {
      breakdowns: [
        { property: '$browser', type: 'event' },
        { property: '$os', type: 'event' },
      ],
    },
    dateRange: MARCH,
  },
  'retention of first visits, by browser': {
    kind: 'RetentionQuery',
    retentionFilter: {
      period: 'Week',
      retentionType: 'retention_first_time',
      cumulative: true,
      targetEntity: { id: '$pageview', type: 'events' },
      returningEntity: { type: 'events' },
    },
    breakdownFilter: { breakdown: '$browser' },
    dateRange: MARCH,
  },
  'two weeks back from the end': {
    kind: 'StickinessQuery',
    series: [node('$pageview')],
    interval: 'week',
    intervalCount: 2,
    dateRange: MARCH,
    compareFilter: { compare: true },
  },
  'active in a week, and within a month of it': {
    kind: 'TrendsQuery',
    series: [node('$pageview', { math: 'weekly_active' }), node('$pageview', { math: 'monthly_active' })],
    interval: 'week',
    dateRange: MARCH,
  },
  'duration of sessions, and active companies': {
    kind: 'TrendsQuery',
    series: [
      node('$pageview', { math: 'sum', math_property: '$session_duration' }),
      node('$pageview', { math: 'median', math_property: '$session_duration' }),
      node('$pageview', { math: 'dau', math_group_type_index: 0 }),
    ],
    interval: 'month',
    dateRange: { date_from: '2026-01-01', date_to: '2026-03-20' },
  },
  'from visit to purchase, by an expression': {
    kind: 'FunnelsQuery',
    series: [node('$pageview'), node('purchase')],
    funnelsFilter: { funnelAggregateByHogQL: "nullIf(distinct_id, 'ada')" },
    dateRange: MARCH,
  },
  'twice in two days, cumulatively, by people and browsers': {
    kind: 'StickinessQuery',
    series: [node('$pageview'), node('$pageview', { math: 'hogql', math_hogql: 'properties.$browser' })],
    intervalCount: 2,
    stickinessFilter: { computedAs: 'cumulative', stickinessCriteria: { operator: 'gte', value: 2 } },
    dateRange: MARCH,
    compareFilter: { compare: true },
  },
}

export interface Prepared {
  resolved: Resolved
  values: ReadonlyMap<string, unknown>
  page: { limit: number; offset: number }
  /** The numbers of the response, by what they are of. */
  tell(rows: readonly unknown[][]): unknown
}

const CONTEXT = { timezone: 'UTC', now: NOW }

/** An insight, resolved and bound, for either engine to print and run. */
export async function prepare(sent: Record<string, unknown>): Promise<Prepared> {
  const query = parseStored(sent) as InsightQuery
  const { sql, variables, fragments } = await insightText(query)
  const resolved = resolve(parseQuery(sql), {
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
    page: insightPage(query) ?? { limit: 50_000, offset: 0 },
    tell: (rows) => {
      const { results } = insightResult(query, rows, CONTEXT)
      return Array.isArray(results) ? (results as Record<string, unknown>[]).map(numbersOf) : results
    },
  }
}

const numbersOf = (part: Record<string, unknown> | Record<string, unknown>[]): unknown => {
  if (Array.isArray(part) && typeof part[0] !== 'object') return part
  if (Array.isArray(part)) return [part[0]!.breakdown_value, part.map(numbersOf)]
  if (Array.isArray(part.values))
    return [part.label, (part.values as { count: number }[]).map(({ count }) => count)]
  if ('kind' in part) return [part.key, part.value, part.previous]
  if ('source' in part) return Object.values(part)
  if ('people' in part)
    return [part.name, part.count, part.average_conversion_time, part.median_conversion_time]
  return [part.label, part.data]
}
