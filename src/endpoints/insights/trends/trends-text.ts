// Trends as HogQL: one row per series, period and combination of breakdown values.
import { invalid } from '../../../errors'
import {
  type Actor,
  actorOf,
  all,
  dateOf,
  list,
  type Range,
  rangesOf,
  type TextContext,
  within,
} from '../text-parts'
import {
  type Breakdown,
  breakdownsOf,
  choiceVariables,
  chosenColumns,
  chosenCondition,
  valueOfFirst,
} from '../breakdown'
import { groupsOf } from '../cohort-breakdown'
import { MAX_SERIES, MAX_TREND_LINES } from '../limits'
import { type Interval, INTERVALS, isShort, startOf } from '../periods'
import {
  countedGroup,
  countsActive,
  eventCondition,
  filtersOf,
  isFirstMatching,
  type Measure,
  measureOf,
} from '../series'
import type { FunnelsQuery, LifecycleQuery, StickinessQuery, TrendsQuery } from '../../query/query-types'
import type { SeriesNode } from '../../query/schema-parts'

/** Displays that show one number per series. */
const TOTALS = new Set(['BoldNumber', 'ActionsPie', 'ActionsBarValue', 'ActionsTable', 'WorldMap'])

export const showsTotals = ({ trendsFilter }: TrendsQuery): boolean => TOTALS.has(trendsFilter?.display ?? '')

export const isCumulative = ({ trendsFilter }: TrendsQuery): boolean =>
  trendsFilter?.display === 'ActionsLineGraphCumulative'

export const intervalOf = ({
  interval,
}: TrendsQuery | LifecycleQuery | FunnelsQuery | StickinessQuery): Interval => interval ?? 'day'

const WINDOWS = new Map<string, Interval>([
  ['weekly_active', 'week'],
  ['monthly_active', 'month'],
])

/** In periods as long as its window, `weekly_active` and `monthly_active` count the actors of each period, as upstream. */
function byPeriod(node: SeriesNode, interval: Interval): SeriesNode {
  const window = WINDOWS.get(node.math ?? 'total')
  return window && INTERVALS.indexOf(interval) >= INTERVALS.indexOf(window) ? { ...node, math: 'dau' } : node
}

/** The SELECT of a series in a range, with breakdowns. */
interface LegParts {
  context: TextContext
  index: number
  range: Range
  breakdowns: readonly Breakdown[]
  /** The breakdowns of which a run may choose a value. */
  chosen: readonly Breakdown[]
  /** Condition on the events of all series. */
  common: string
}

interface Leg extends LegParts {
  node: SeriesNode
  measure: Measure
  /** The interval is null for totals. */
  interval: Interval | null
  /** Condition on the events, without that of time. */
  condition: string
  /** The parts of `condition`: the event, which an actor has, and the filters. */
  event: string
  filters: string
  actor: Actor
}

/**
 * Returns HogQL with the columns series, previous (1 for the compared period), period (NULL for totals), breakdowns and value.
 * @throws 400 `query` for what cannot be compiled
 */
export function trendsText(query: TrendsQuery, context: TextContext): string {
  const { series } = query
  if (series.length === 0) throw invalid('query', 'A TrendsQuery needs at least one series.')
  if (series.length > MAX_SERIES) throw invalid('query', `A TrendsQuery has at most ${MAX_SERIES} series.`)
  const filters = context.fragments.add('query', query.properties)
  const chosen = breakdownsOf(query.breakdownFilter)
  Object.assign(context.variables, choiceVariables(chosen))
  const groups = groupsOf(query.breakdownFilter)
  const ranges = rangesOf(query)
  const number = ranges.length * series.length * groups.length
  if (number > MAX_TREND_LINES) {
    throw invalid(
      'query',
      `A TrendsQuery has at most ${MAX_TREND_LINES} series times cohorts times ranges, not ${number}.`,
    )
  }
  const legs = ranges.flatMap((range) =>
    series.flatMap((node, index) =>
      groups.map(({ breakdowns, condition }) => {
        const common = all([filters, condition])
        const parts = { context, index, range, breakdowns, chosen, common }
        return legText(legOf(query, byPeriod(node, intervalOf(query)), parts))
      }),
    ),
  )
  const names = groups[0]!.breakdowns.map((_, index) => `b${index}`)
  return `SELECT ${list('series', 'previous', 'period', names, 'value')} FROM (${legs.join(' UNION ALL ')})`
}

function legOf(query: TrendsQuery, node: SeriesNode, parts: LegParts): Leg {
  const { fragments } = parts.context
  const actor = actorFor(query, node)
  const measure = measureOf(node)
  const event = eventCondition(node, fragments)
  const filters = all([fragments.add(`series_${parts.index}`, filtersOf(node)), parts.common])
  const countsActors = !['plain', 'per session'].includes(measure.kind) || countsActive(node)
  const counted = isCumulative(query) ? countedOnce(node, actor) : null
  return {
    ...parts,
    node,
    measure: counted
      ? { kind: 'once', expression: counted }
      : node.math === 'dau' || node.math === 'unique_users'
        ? { kind: 'plain', expression: `uniq(${actor.expression})` }
        : measure,
    interval: showsTotals(query) ? null : intervalOf(query),
    condition: all([event, countsActors ? actor.condition : null, filters, chosenCondition(parts.chosen)]),
    event: all([event, actor.condition]),
    filters,
    actor,
  }
}

/** The group type of a series comes before that of the query. */
const actorFor = (query: TrendsQuery, node: SeriesNode): Actor =>
  countsActive(node) && (node.math_group_type_index ?? null) !== null
    ? actorOf({ aggregation_group_type_index: countedGroup(node) })
    : actorOf(query)

/**
 * The expression of which a series counts distinct values: a cumulative line counts each value once in all periods. Returns null for
 * other series.
 */
function countedOnce(node: SeriesNode, actor: Actor): string | null {
  if (countsActive(node)) return actor.expression
  switch (node.math) {
    case 'unique_session':
      return '$session_id'
    case 'unique_group':
      return `nullIf($group_${node.math_group_type_index}, '')`
    default:
      return null
  }
}

function legText(leg: Leg): string {
  switch (leg.measure.kind) {
    case 'plain':
      return plainLeg(leg, leg.measure.expression)
    case 'rolling':
      return rollingLeg(leg, leg.measure.days)
    case 'once':
      return onceLeg(leg, leg.measure.expression)
    case 'per actor':
      return perActorLeg(leg, leg.measure.expression, { actor: leg.actor.expression, number: 'count()' })
    case 'per session':
      return perActorLeg(leg, leg.measure.expression, {
        actor: '$session_id',
        number: 'any(session.$session_duration)',
      })
    case 'first time':
      return firstTimeLeg(leg, leg.measure.filtered)
  }
}

const head = ({ index, range }: Leg) => `${index} AS series, ${range === 'previous' ? 1 : 0} AS previous`

const periodOf = ({ interval }: Leg, time: string) =>
  `${interval === null ? 'NULL' : startOf(interval, time)} AS period`

const breakdownColumns = ({ breakdowns }: Leg) =>
  breakdowns.map(({ expression }, index) => `${expression} AS b${index}`)

const breakdownNames = ({ breakdowns }: Leg) => breakdowns.map((_, index) => `b${index}`)

/** The GROUP BY. It is empty for a total without breakdowns. */
function grouping(leg: Leg, ...more: string[]): string {
  const names = list(leg.interval === null ? null : 'period', breakdownNames(leg), more)
  return names === '' ? '' : ` GROUP BY ${names}`
}

const inRange = ({ context, range }: Leg, time: string) => within(context, range, time)

const plainLeg = (leg: Leg, expression: string) =>
  `SELECT ${list(head(leg), periodOf(leg, 'timestamp'), breakdownColumns(leg), `${expression} AS value`)}
   FROM events WHERE ${all([leg.condition, inRange(leg, 'timestamp')])}${grouping(leg)}`

/** The expression starts from the middle of the day, because clocks may skip a midnight. */
const LATER_DAY = 'toStartOfDay(seen + toIntervalHour(12 + 24 * later))'

/**
 * The SELECT of a rolling count. Each event counts for its day and the days after it. Of these days it keeps those that begin a period,
 * including that of the start of the range.
 */
function rollingLeg(leg: Leg, days: number): string {
  const { context, range, interval, actor, condition } = leg
  const [from, to] = [dateOf(context, `${range}_from`), dateOf(context, `${range}_to`)]
  const value = `uniq(${actor.expression}) AS value`
  if (interval === null) {
    return `SELECT ${list(head(leg), 'NULL AS period', breakdownColumns(leg), value)} FROM events
     WHERE ${all([condition, `timestamp > toDateTime(${to}) - INTERVAL ${days} DAY AND timestamp <= ${to}`])}${grouping(leg)}`
  }
  if (isShort(interval)) throw invalid('query', `math '${leg.node.math}' needs an interval of a day or more.`)
  const first = startOf(interval, `toDateTime(${from})`)
  const since = `timestamp >= ${first} - INTERVAL ${days - 1} DAY AND timestamp <= ${to}`
  const seen = `SELECT DISTINCT ${list(`${actor.expression} AS counted`, 'toStartOfDay(timestamp) AS seen', breakdownColumns(leg))}
     FROM events WHERE ${all([condition, since])}`
  const active = `SELECT ${list(`${LATER_DAY} AS day`, breakdownNames(leg), 'uniq(counted) AS value')} FROM (${seen})
     ARRAY JOIN range(${days}) AS later GROUP BY ${list('day', breakdownNames(leg))}`
  const start = interval === 'day' ? 'day' : startOf(interval, 'day')
  const begins = interval === 'day' ? null : `toDate(day) = toDate(${start})`
  return `SELECT ${list(head(leg), `${start} AS period`, breakdownNames(leg), 'value')} FROM (${active})
     WHERE ${all([`day >= ${first} AND day <= ${to}`, begins])}`
}

/** The SELECT of distinct values. Each value counts in the period of its first event in the range. */
function onceLeg(leg: Leg, expression: string): string {
  const firsts = `SELECT ${list(`${expression} AS counted`, 'min(timestamp) AS first', breakdownColumns(leg))}
     FROM events WHERE ${all([leg.condition, inRange(leg, 'timestamp')])} GROUP BY ${list('counted', breakdownNames(leg))}`
  return `SELECT ${list(head(leg), periodOf(leg, 'first'), breakdownNames(leg), 'count() AS value')} FROM (${firsts})
     WHERE counted IS NOT NULL${grouping(leg)}`
}

function perActorLeg(
  leg: Leg,
  expression: string,
  { actor, number }: { actor: string; number: string },
): string {
  const each = `SELECT ${list(periodOf(leg, 'timestamp'), breakdownColumns(leg), `${actor} AS actor`, `${number} AS number`)}
     FROM events WHERE ${all([leg.condition, inRange(leg, 'timestamp')])}${grouping(leg, 'actor')}`
  const period = leg.interval === null ? 'NULL AS period' : 'period'
  return `SELECT ${list(head(leg), period, breakdownNames(leg), `${expression} AS value`)} FROM (${each})${grouping(leg)}`
}

function firstTimeLeg(leg: Leg, filtered: boolean): string {
  const having = filtered ? null : isFirstMatching('first', leg.filters)
  const firsts = `SELECT ${list(
    `${leg.actor.expression} AS actor`,
    'min(timestamp) AS first',
    leg.breakdowns.map((breakdown, index) => `${valueOfFirst(breakdown)} AS b${index}`),
  )} FROM events WHERE ${filtered ? leg.condition : leg.event} GROUP BY actor${having === null ? '' : ` HAVING ${having}`}`
  return `SELECT ${list(head(leg), periodOf(leg, 'first'), breakdownNames(leg), 'count() AS value')} FROM (${firsts})
     WHERE ${all([inRange(leg, 'first'), filtered ? null : chosenColumns(leg.chosen)])}${grouping(leg)}`
}
