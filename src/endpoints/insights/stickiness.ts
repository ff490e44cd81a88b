// Stickiness: how many actors are active in one period of the range, in two, in three …
import { invalid } from '../../errors'
import type { StickinessQuery } from '../query/query-types'
import type { SeriesNode } from '../query/schema-parts'
import { comparable, comparedSpans, fromFirst, type ResultContext, timesOf } from './date-range'
import type { InsightKind } from './insight-kind'
import { MAX_SERIES } from './limits'
import { isShort, periodsOf, startOf } from './periods'
import { ResultBudget } from './result-budget'
import { countedGroup, eventCondition, filtersOf, nameOf, requireMath, targetOf } from './series'
import { type Actor, actorOf, all, dateOf, list, rangesOf, type TextContext, within } from './text-parts'
import { intervalOf } from './trends/trends-text'
import { sumsFromEnd } from './sums'

const OPERATORS = { gte: '>=', lte: '<=', exact: '=' } as const

/**
 * Returns HogQL with the columns series, previous (1 for the compared range), intervals, value and since (start of the first active
 * period).
 */
function stickinessText(query: StickinessQuery, context: TextContext): string {
  const { series } = query
  const { fragments } = context
  if (series.length === 0) throw invalid('query', 'A StickinessQuery needs at least one series.')
  if (series.length > MAX_SERIES)
    throw invalid('query', `A StickinessQuery has at most ${MAX_SERIES} series.`)
  const common = fragments.add('query', query.properties)
  const legs = rangesOf(query).flatMap((range) =>
    series.map((node, index) => {
      const actor = actorFor(node)
      const condition = all([
        eventCondition(node, fragments),
        fragments.add(`series_${index}`, filtersOf(node)),
        common,
        actor.condition,
        within(context, range, 'timestamp'),
      ])
      const active = `SELECT ${list(
        `${actor.expression} AS actor`,
        `${bucketOf(query, dateOf(context, `${range}_to`))} AS bucket`,
        `min(${startOf(intervalOf(query), 'timestamp')}) AS first`,
      )} FROM events WHERE ${condition} GROUP BY actor, bucket HAVING ${criterionOf(query)}`
      const actors = `SELECT actor, count() AS intervals, min(first) AS since FROM (${active}) GROUP BY actor`
      return `SELECT ${index} AS series, ${range === 'previous' ? 1 : 0} AS previous, intervals, count() AS value, min(since) AS earliest
        FROM (${actors}) GROUP BY intervals`
    }),
  )
  return `SELECT series, previous, intervals, value, earliest FROM (${legs.join(' UNION ALL ')})`
}

function actorFor(node: SeriesNode): Actor {
  const { math, math_hogql: text } = node
  requireMath(node)
  if (math === 'hogql') {
    if (!text) throw invalid('query', "math 'hogql' needs math_hogql.")
    return { expression: `toString(${text}\n)`, condition: `(${text}\n) IS NOT NULL` }
  }
  return actorOf({ aggregation_group_type_index: math === 'unique_group' ? countedGroup(node) : null })
}

/**
 * HogQL of the bucket of an event: the start of its period, or with `intervalCount` the number of such spans before the end of the range, whatever
 * the calendar's weeks and months are.
 */
function bucketOf(query: StickinessQuery, end: string): string {
  const interval = intervalOf(query)
  const start = startOf(interval, 'timestamp')
  if (query.intervalCount === null || query.intervalCount === undefined) return start
  const isCounted = isShort(interval) || interval === 'day'
  const distance = isCounted
    ? `dateDiff('${interval}', ${start}, ${startOf(interval, end)})`
    : `age('${interval}', timestamp, ${end})`
  return `intDiv(${distance}, ${sizeOf(query)})`
}

const sizeOf = ({ intervalCount }: StickinessQuery): number => intervalCount ?? 1

function criterionOf({ stickinessFilter }: StickinessQuery): string {
  const criterion = stickinessFilter?.stickinessCriteria
  return criterion ? `count() ${OPERATORS[criterion.operator]} ${criterion.value}` : 'count() > 0'
}

const spansOf = (query: StickinessQuery, context: ResultContext) =>
  comparedSpans(query, intervalOf(query), context)

function stickinessResult(
  query: StickinessQuery,
  rows: readonly unknown[][],
  context: ResultContext,
): Record<string, unknown>[] {
  const { current, previous } = spansOf(query, context)
  const interval = intervalOf(query)
  const budget = new ResultBudget()
  return [current, ...(previous ? [previous] : [])].flatMap((span, index) => {
    const own = rows.filter((row) => Boolean(row[1]) === (index === 1))
    const starts = own.map((row) => row[4])
    const periods = periodsOf(
      fromFirst(span, query.dateRange, { starts, interval }),
      interval,
      context.timezone,
    )
    const count = Math.ceil(periods.length / sizeOf(query))
    budget.take(query.series.length, count)
    return query.series.map((node, order) => ({
      ...lineOf(query, node, {
        order,
        count,
        rows: own.filter((row) => row[0] === order),
      }),
      ...(previous ? { compare: true, compare_label: index === 1 ? 'previous' : 'current' } : {}),
    }))
  })
}

function lineOf(
  query: StickinessQuery,
  node: SeriesNode,
  { order, count, rows }: { order: number; count: number; rows: readonly unknown[][] },
): Record<string, unknown> {
  const isCumulative = query.stickinessFilter?.computedAs === 'cumulative'
  const numbers = new Map(rows.map((row) => [Number(row[2]), Number(row[3])]))
  const days = Array.from({ length: count }, (_, index) => index + 1)
  const data = days.map((day) => numbers.get(day) ?? 0)
  const name = nameOf(node)
  return {
    count: data.reduce((sum, value) => sum + value, 0),
    // Cumulative are the actors that are active in so many periods or more.
    data: isCumulative ? sumsFromEnd(data) : data,
    days,
    label: name,
    labels: days.map(
      (day) => `${day} ${intervalOf(query)}${day === 1 ? '' : 's'}${isCumulative ? ' or more' : ''}`,
    ),
    action: { order, name, custom_name: node.custom_name ?? null, ...targetOf(node) },
  }
}

export const stickinessKind: InsightKind<StickinessQuery> = {
  text: stickinessText,
  times: (query, context) => timesOf(spansOf(query, context)),
  result: (query, rows, context) => ({ results: stickinessResult(comparable(query), rows, context) }),
}
