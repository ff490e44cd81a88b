// Lifecycle of actors per period: new, returning, resurrecting, dormant.
import { invalid } from '../../errors'
import { actorOf, all, dateOf, type TextContext, within } from './text-parts'
import type { LifecycleQuery } from '../query/query-types'
import type { InsightKind } from './insight-kind'
import { fromFirst, inWholePeriods, type ResultContext, type Span, spanOf, timesOf } from './date-range'
import { axisOf, moveWall, nextPeriod, periodsOf, startOf } from './periods'
import { eventCondition, filtersOf, nameOf } from './series'
import { actionOf } from './trends/trends-result'
import { intervalOf } from './trends/trends-text'

const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const

/**
 * Returns HogQL with the columns period, status and number. It reads one more period before the range, to know who was active then. As upstream,
 * an actor is new in the first of these periods only, and events without a person's profile do not count.
 * @throws 400 `query` for what cannot be compiled
 */
function lifecycleText(query: LifecycleQuery, context: TextContext): string {
  const [node, ...others] = query.series
  if (!node || others.length > 0) throw invalid('query', 'A LifecycleQuery has exactly one series.')
  const interval = intervalOf(query)
  const { fragments } = context
  const actor = actorOf(query)
  const group = query.aggregation_group_type_index
  const createdAt = group === null || group === undefined ? 'person.created_at' : `group_${group}.created_at`
  const condition = all([
    eventCondition(node, fragments),
    fragments.add('series_0', filtersOf(node)),
    fragments.add('query', query.properties),
    actor.condition,
    "properties.$process_person_profile != 'false'",
    `timestamp >= ${dateOf(context, 'date_before')}`,
    `timestamp <= ${dateOf(context, 'date_to')}`,
  ])
  const next = nextPeriod('period', 1, interval)
  const neighbour = (fn: string) => `${fn}(period) OVER (PARTITION BY actor ORDER BY period)`
  return `WITH active AS (
       SELECT ${actor.expression} AS actor, ${startOf(interval, 'timestamp')} AS period, min(${startOf(interval, createdAt)}) AS born
       FROM events WHERE ${condition} GROUP BY actor, period
     ), placed AS (
       SELECT period, born, ${neighbour('lag')} AS earlier, ${neighbour('lead')} AS later FROM active
     )
     SELECT at, status, count() AS number FROM (
       SELECT period AS at, multiIf(earlier IS NULL AND period = born, 'new', earlier = ${nextPeriod('period', -1, interval)}, 'returning', 'resurrecting') AS status FROM placed
       UNION ALL
       SELECT ${next} AS at, 'dormant' AS status FROM placed WHERE later != ${next}
     ) WHERE ${within(context, 'date', 'at')} GROUP BY at, status`
}

function lifecycleSpan(query: LifecycleQuery, context: ResultContext): Span & { before: number } {
  const interval = intervalOf(query)
  const exact = spanOf(query.dateRange, interval, context)
  const span = inWholePeriods(exact, interval)
  // As upstream, an explicit range leaves out a period that begins before it.
  if (query.dateRange?.explicitDate && span.from < exact.from) span.from = moveWall(span.from, 1, interval)
  return { ...span, before: moveWall(span.from, -1, interval) }
}

/** Returns one series per status. The numbers of dormant actors are negative. */
function lifecycleResult(
  query: LifecycleQuery,
  rows: readonly unknown[][],
  context: ResultContext,
): Record<string, unknown>[] {
  const interval = intervalOf(query)
  const starts = rows.map(([period]) => period)
  const span = fromFirst(lifecycleSpan(query, context), query.dateRange, { starts, interval })
  const named = spanOf(query.dateRange, interval, context)
  const { days, labels, placeOf } = axisOf(periodsOf(span, interval, context.timezone), interval, named)
  const node = query.series[0]!
  return STATUSES.map((status) => {
    const data = days.map(() => 0)
    for (const [period, of, number] of rows) {
      const index = placeOf(period)
      if (of === status && index !== undefined)
        data[index]! += status === 'dormant' ? -Number(number) : Number(number)
    }
    return {
      action: actionOf(node, 0),
      label: `${nameOf(node)} - ${status}`,
      count: data.reduce((sum, value) => sum + value, 0),
      data,
      labels,
      days,
      status,
    }
  })
}

export const lifecycleKind: InsightKind<LifecycleQuery> = {
  text: lifecycleText,
  times(query, context) {
    const { before, ...current } = lifecycleSpan(query, context)
    return { date_before: before, ...timesOf({ current }) }
  },
  result: (query, rows, context) => ({ results: lifecycleResult(query, rows, context) }),
}
