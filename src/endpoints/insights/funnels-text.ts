// Funnels as HogQL: how many actors reached each step within the conversion window.
import { invalid } from '../../errors'
import {
  type Actor,
  actorOf,
  all,
  createFragments,
  type Fragments,
  type InsightText,
  list,
} from './text-parts'
import { breakdownsOf } from './breakdown'
import { reachedText, span, type Steps } from './funnel-steps'
import { eventCondition, filtersOf, isFirstMatching } from './series'
import type { FunnelsQuery } from '../query/query-types'
import type { SeriesNode } from '../query/schema-parts'

/**
 * Columns: breakdowns, number of actors that reached each step, then for each step after the first the average and median seconds since the
 * previous one.
 * @throws 400 `query` for what cannot be compiled
 */
export function funnelText(query: FunnelsQuery): InsightText {
  const { series, funnelsFilter: filter } = query
  rejectUnsupported(query)
  const fragments = createFragments()
  const unit = (filter?.funnelWindowIntervalUnit ?? 'day').toUpperCase()
  const steps: Steps = {
    count: series.length,
    order: filter?.funnelOrderType ?? 'ordered',
    until: (time) => `${time} + INTERVAL ${Math.trunc(filter?.funnelWindowInterval ?? 14)} ${unit}`,
    mayBeSame: (one, other) => mayBeSame(series[one]!, series[other]!),
    breakdowns: breakdownsOf(query.breakdownFilter).map((_, index) => `b${index}`),
  }
  const later = span(1, steps.count)
  const reached = reachedText(steps, eventsText(query, steps, fragments))
  const furthest = `SELECT ${list(
    'actor',
    steps.breakdowns,
    'steps',
    later.map((step) => `seconds_${step}`),
    `max(steps) OVER (PARTITION BY ${list('actor', steps.breakdowns)}) AS most`,
  )} FROM (${reached})`
  const actors = `SELECT ${list(
    'actor',
    steps.breakdowns,
    'steps',
    later.map((step) => `avg(seconds_${step}) AS took_${step}`),
  )}
     FROM (${furthest}) WHERE steps = most GROUP BY ${list('actor', steps.breakdowns, 'steps')}`
  return {
    sql: `SELECT ${list(
      steps.breakdowns,
      span(0, steps.count).map((step) => `countIf(steps > ${step}) AS reached_${step}`),
      later.map((step) => `avg(took_${step}) AS average_${step}`),
      later.map((step) => `median(took_${step}) AS median_${step}`),
    )} FROM (${actors})${steps.breakdowns.length ? ` GROUP BY ${list(steps.breakdowns)}` : ''}`,
    variables: { date_from: 'Date', date_to: 'Date' },
    fragments: fragments.all,
  }
}

const mayBeSame = (a: SeriesNode, b: SeriesNode) => !a.event || !b.event || a.event === b.event

/** Events with the steps they match. A strict funnel needs all events. */
function eventsText(query: FunnelsQuery, { count, order, breakdowns }: Steps, fragments: Fragments): string {
  const { series, funnelsFilter: filter } = query
  const actor = filter?.funnelAggregateByHogQL
    ? { expression: `toString(${filter.funnelAggregateByHogQL}\n)`, condition: null }
    : actorOf(query)
  const conditions = series.map((node, index) => {
    const event = eventCondition(node)
    const filters = all([fragments.add(`series_${index}`, filtersOf(node))])
    return all([event, filters, firstTime(node, { event: all([event, actor.condition]), filters, actor })])
  })
  const where = all([
    'timestamp >= {variables.date_from}',
    'timestamp <= {variables.date_to}',
    fragments.add('query', query.properties),
    actor.condition,
    order === 'strict' ? null : `(${conditions.map((condition) => `(${condition})`).join(' OR ')})`,
  ])
  const marked = `SELECT ${list(
    `${actor.expression} AS actor`,
    'timestamp AS at',
    conditions.map((condition, step) => `if(${condition}, timestamp, NULL) AS t${step}`),
    breakdownsOf(query.breakdownFilter).map(({ expression }, index) => `${expression} AS value_${index}`),
  )} FROM events WHERE ${where}`
  if (breakdowns.length === 0) return marked
  return `SELECT ${list(
    'actor',
    'at',
    span(0, count).map((step) => `t${step}`),
    breakdowns.map(
      (name, index) => `${attributed(filter?.breakdownAttributionType, `value_${index}`)} AS ${name}`,
    ),
  )} FROM (${marked})`
}

/** Null unless only the first event of each actor counts, of all time. */
function firstTime(
  { math }: SeriesNode,
  { event, filters, actor }: { event: string; filters: string; actor: Actor },
): string | null {
  if (math !== 'first_time_for_user' && math !== 'first_time_for_user_with_filters') return null
  const isFiltered = math === 'first_time_for_user_with_filters'
  const having = isFiltered ? null : isFirstMatching('min(timestamp)', filters)
  return `uuid IN (SELECT argMin(uuid, timestamp) FROM events WHERE ${isFiltered ? all([event, filters]) : event}
    GROUP BY ${actor.expression}${having === null ? '' : ` HAVING ${having}`})`
}

function attributed(type: string | null | undefined, value: string): string {
  const over =
    'OVER (PARTITION BY actor ORDER BY at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)'
  switch (type ?? 'first_touch') {
    case 'first_touch':
      return `first_value(${value}) ${over}`
    case 'last_touch':
      return `last_value(${value}) ${over}`
    case 'all_events':
      return value
    default:
      throw invalid(
        'query',
        `breakdownAttributionType '${type}' is not supported. Supported: all_events, first_touch, last_touch.`,
      )
  }
}

function rejectUnsupported({ series, funnelsFilter: filter }: FunnelsQuery): void {
  if (series.length < 2) throw invalid('query', 'A FunnelsQuery needs at least two series.')
  if (series.length > 10) throw invalid('query', 'A FunnelsQuery has at most 10 series.')
  if (
    filter?.funnelOrderType === 'unordered' &&
    series.some((node) => series.filter((other) => mayBeSame(node, other)).length > 2)
  ) {
    throw invalid('query', 'An unordered FunnelsQuery has at most two steps of the same event.')
  }
  if (!((filter?.funnelWindowInterval ?? 14) >= 1))
    throw invalid('query', 'funnelWindowInterval is a number from 1.')
}
