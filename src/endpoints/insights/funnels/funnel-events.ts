// The events of a funnel, as HogQL, with the steps that they match.
import type { FunnelsQuery } from '../../query/query-types'
import type { SeriesNode } from '../../query/schema-parts'
import { breakdownsOf } from '../breakdown'
import { cohortsOf } from '../cohort-breakdown'
import { eventCondition, filtersOf, isFirstMatching } from '../series'
import { type Actor, actorOf, all, list, type TextContext, within } from '../text-parts'
import { span, type Steps, tieBreakers } from './funnel-steps'
import { attributionStep, mayBeSame } from './requirements'

/**
 * Adds the stage of events and returns its name. Its columns are actor, at, t0, t1, … (time of the event if it matches that step, else
 * NULL), e0, e1, … (whether it is excluded) and the breakdowns. A strict funnel needs all events.
 */
export function addEvents(query: FunnelsQuery, steps: Steps, context: TextContext): string {
  const { stages, fragments } = context
  const { series, funnelsFilter: filter } = query
  const { count, order, breakdowns } = steps
  const ids = tieBreakers(steps)
  const actor = actorFor(query)
  const excluded = (filter?.exclusions ?? []).map((node, index) =>
    all([eventCondition(node, fragments), fragments.add(`exclusion_${index}`, filtersOf(node))]),
  )
  const conditions = series.map((node, index) => {
    const event = eventCondition(node, fragments)
    const filters = all([fragments.add(`series_${index}`, filtersOf(node))])
    const first = firstTime(node, { event: all([event, actor.condition]), filters, actor })
    return all([event, filters, first, ...excludedAt(query, index, excluded)])
  })
  const where = all([
    within(context, 'date', 'timestamp'),
    fragments.add('query', query.properties),
    actor.condition,
    order === 'strict'
      ? null
      : `(${[...conditions, ...excluded].map((condition) => `(${condition})`).join(' OR ')})`,
  ])
  const marked = (values: readonly string[], own: string | null) =>
    `SELECT ${list(
      `${actor.expression} AS actor`,
      'timestamp AS at',
      ids.map((name) => `uuid AS ${name}`),
      conditions.map((condition, step) => `if(${condition}, timestamp, NULL) AS t${step}`),
      excluded.map((condition, index) => `if(${condition}, timestamp, NULL) AS e${index}`),
      values,
    )} FROM events WHERE ${all([where, own])}`
  const cohorts = cohortsOf(query.breakdownFilter)
  if (cohorts)
    return stages.add(
      cohorts.map(({ value, condition }) => marked([`${value} AS b0`], condition)).join(' UNION ALL '),
    )
  if (breakdowns.length === 0) return stages.add(marked([], null))
  const values = breakdownsOf(query.breakdownFilter).map(
    ({ expression }, index) => `${expression} AS value_${index}`,
  )
  const events = stages.add(marked(values, null))
  const others = excluded.map((_, index) => `e${index}`)
  const own = attributionStep(query)
  if (own) return stages.add(withValuesOf(own, steps, { events, others }))
  const type = filter?.breakdownAttributionType ?? 'first_touch'
  return stages.add(
    `SELECT ${list(
      'actor',
      'at',
      ids,
      span(0, count).map((step) => `t${step}`),
      others,
      breakdowns.map((name, index) => `${attributed(type, index, breakdowns.length)} AS ${name}`),
    )} FROM ${events}`,
  )
}

/** A group is the actor before an expression, as upstream. NULL and an empty text are no actor. */
function actorFor(query: FunnelsQuery): Actor {
  const text = query.funnelsFilter?.funnelAggregateByHogQL
  const isGroup = (query.aggregation_group_type_index ?? null) !== null
  if (isGroup || !text) return actorOf(query)
  const expression = `toString(${text}\n)`
  return { expression, condition: `notEmpty(ifNull(${expression}, ''))` }
}

/**
 * Returns HogQL of an actor's events, once with the values of each event that matches the step. Among them, only events with these values
 * match it.
 */
function withValuesOf(
  own: number,
  steps: Steps,
  { events, others }: { events: string; others: readonly string[] },
): string {
  const { breakdowns } = steps
  // A value is never an empty text, so that the text can stand for NULL, which equals nothing.
  const isSame = breakdowns.map((name, index) => `ifNull(value_${index}, '') = ifNull(${name}, '')`)
  return `SELECT ${list(
    'each.actor AS actor',
    'at',
    tieBreakers(steps),
    span(0, steps.count).map((step) =>
      step === own ? `if(${isSame.join(' AND ')}, each.t${step}, NULL) AS t${step}` : `t${step}`,
    ),
    others,
    breakdowns,
  )} FROM ${events} AS each INNER JOIN (
    SELECT DISTINCT ${list(
      'actor',
      breakdowns.map((name, index) => `value_${index} AS ${name}`),
    )} FROM ${events} WHERE t${own} IS NOT NULL
  ) AS chosen ON each.actor = chosen.actor`
}

/** The conditions that the event of a step is not excluded by a span before it. */
function excludedAt(
  { series, funnelsFilter: filter }: FunnelsQuery,
  step: number,
  excluded: readonly string[],
): string[] {
  if (filter?.funnelOrderType === 'unordered') return []
  return (filter?.exclusions ?? []).flatMap(({ funnelFromStep: from, funnelToStep: to, ...node }, index) =>
    from < step && step <= to && mayBeSame(series[step]!, node) ? [`NOT (${excluded[index]})`] : [],
  )
}

/** Returns null unless the series counts only the first event of each actor ever. */
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

type AttributionType = NonNullable<NonNullable<FunnelsQuery['funnelsFilter']>['breakdownAttributionType']>

/**
 * HogQL of the breakdown value that an actor counts with. It comes from the actor's first or last event that has any of the values, as
 * upstream; an actor without such an event has no value.
 */
function attributed(type: AttributionType, index: number, count: number): string {
  const value = `value_${index}`
  const isWithout = span(0, count)
    .map((each) => `value_${each} IS NULL`)
    .join(' AND ')
  const over = (order: string) =>
    `OVER (PARTITION BY actor ORDER BY ${order}, at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`
  // The functions skip NULL, but not a tuple with NULL in it, so that all values are those of one event.
  switch (type) {
    case 'first_touch':
      return `tupleElement(first_value(tuple(${value})) ${over(`if(${isWithout}, 1, 0)`)}, 1)`
    case 'last_touch':
      return `tupleElement(last_value(tuple(${value})) ${over(`if(${isWithout}, 0, 1)`)}, 1)`
    case 'all_events':
    // The first step: every attempt begins with it.
    case 'step':
      return value
  }
}
