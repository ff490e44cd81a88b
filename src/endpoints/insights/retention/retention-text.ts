// Retention as HogQL: actors by start period, and how many returned after so many periods.
import { invalid } from '../../../errors'
import { actorOf, all, type Fragments, list, quoted, type TextContext, within } from '../text-parts'
import { breakdownsOf, choiceVariables, chosenColumns, chosenCondition, valueOfFirst } from '../breakdown'
import { type BreakdownGroup, groupsOf } from '../cohort-breakdown'
import { type Interval, startOf } from '../periods'
import { isFirstMatching, matchesAction } from '../series'
import type { RetentionQuery } from '../../query/query-types'

type Entity = RetentionQuery['retentionFilter']['targetEntity']

const PERIODS: Record<NonNullable<RetentionQuery['retentionFilter']['period']>, Interval> = {
  Hour: 'hour',
  Day: 'day',
  Week: 'week',
  Month: 'month',
}

export const retentionPeriod = ({ retentionFilter }: RetentionQuery): Interval =>
  PERIODS[retentionFilter.period ?? 'Day']

const DEFAULT_INTERVALS = 8

/** The number of periods that a start shows, its own included. */
export const intervalsOf = ({ retentionFilter }: RetentionQuery): number =>
  retentionFilter.totalIntervals ?? DEFAULT_INTERVALS

const FIRST_TIME = new Set(['retention_first_time', 'retention_first_ever_occurrence'])

/**
 * Returns HogQL with the columns start, distance (in periods; 0 is the start), breakdowns and number.
 * @throws 400 `query` for what cannot be compiled
 */
export function retentionText(query: RetentionQuery, context: TextContext): string {
  const { retentionFilter: filter } = query
  const { fragments, variables } = context
  const period = retentionPeriod(query)
  const actor = actorOf(query)
  const breakdowns = breakdownsOf(query.breakdownFilter)
  Object.assign(variables, choiceVariables(breakdowns))
  const groups = groupsOf(query.breakdownFilter)
  const names = groups[0]!.breakdowns.map((_, index) => `b${index}`)
  const common = all([fragments.add('query', query.properties), actor.condition])
  const inRange = (time: string) => within(context, 'date', time)
  const event = eventOf(filter.targetEntity, fragments)
  const own = all([fragments.add('target', filter.targetEntity?.properties)])
  const filters = all([own, chosenCondition(breakdowns)])
  const isFirstEver = filter.retentionType === 'retention_first_ever_occurrence'
  const having = isFirstEver ? isFirstMatching('first', own) : null
  // The condition is on the first event's value, and not in HAVING: where any value is chosen it is constant there, and ClickHouse fails
  // with ILLEGAL_COLUMN.
  const chosen = isFirstEver ? chosenColumns(breakdowns) : null
  const returning = all([
    eventOf(filter.returningEntity, fragments),
    fragments.add('returning', filter.returningEntity?.properties),
    common,
    inRange('timestamp'),
  ])
  const isFirst = FIRST_TIME.has(filter.retentionType ?? '')
  const startsOf = ({ breakdowns: values, condition }: BreakdownGroup) => {
    const of = all([event, common, condition])
    const target = all([of, filters])
    const shown = values.map((breakdown, index) =>
      isFirstEver ? `${valueOfFirst(breakdown)} AS b${index}` : `${breakdown.expression} AS b${index}`,
    )
    return isFirst
      ? `SELECT ${list('actor', `${startOf(period, 'first')} AS start`, names)} FROM (
         SELECT ${list(`${actor.expression} AS actor`, 'min(timestamp) AS first', shown)}
         FROM events WHERE ${isFirstEver ? of : target}
         GROUP BY ${list('actor', isFirstEver ? [] : names)}${having === null ? '' : ` HAVING ${having}`}
       ) WHERE ${all([inRange('first'), chosen])}`
      : `SELECT ${list(`${actor.expression} AS actor`, `${startOf(period, 'timestamp')} AS start`, shown)}
       FROM events WHERE ${all([target, inRange('timestamp')])} GROUP BY ${list('actor', 'start', names)}`
  }
  const starts = groups.map(startsOf).join(' UNION ALL ')
  const distance = `dateDiff(${quoted(period)}, starts.start, returns.period)`
  const often = filter.minimumOccurrences ?? 1
  // As upstream, an actor returns with the values of the start, unless those are of the first event ever. NULL equals nothing in ON.
  const kept = isFirstEver ? [] : breakdowns
  const keptValues = kept.map(({ expression }, index) => `ifNull(${expression}, '') AS r${index}`)
  const sameValues = kept.map((_, index) => ` AND returns.r${index} = ifNull(starts.b${index}, '')`).join('')
  const starting = names.map((name) => `starts.${name} AS ${name}`)
  // There is one row per actor and distance, or with `cumulative` one per actor. As upstream, later returns than are shown do not count.
  const pairs = `SELECT ${list('starts.actor AS actor', 'starts.start AS start', `${filter.cumulative ? `max(${distance})` : distance} AS distance`, starting)}
     FROM starts JOIN returns ON returns.actor = starts.actor${sameValues} WHERE returns.period > starts.start AND ${distance} < ${intervalsOf(query)}
     GROUP BY ${list('actor', 'start', filter.cumulative ? null : 'distance', names)}`
  return `WITH starts AS (${starts}), returns AS (
       SELECT ${list(`${actor.expression} AS actor`, `${startOf(period, 'timestamp')} AS period`, keptValues)} FROM events WHERE ${returning}
       GROUP BY ${list(
         'actor',
         'period',
         kept.map((_, index) => `r${index}`),
       )} HAVING count() >= ${often}
     )
     SELECT ${list('start', 'distance', names, 'number')} FROM (
       SELECT ${list('start', '0 AS distance', names, 'count() AS number')} FROM starts GROUP BY ${list('start', names)}
       UNION ALL
       SELECT ${list('start', 'distance', names, 'count() AS number')} FROM (${pairs}) GROUP BY ${list('start', 'distance', names)}
     )`
}

function eventOf(entity: Entity, fragments: Fragments): string | null {
  if (entity?.type === 'actions' || entity?.kind === 'ActionsNode') return matchesAction(entity.id, fragments)
  if (!entity) return `event = '$pageview'`
  const id = entity.id ?? null
  if (typeof id === 'number')
    throw invalid('query', `id ${id} of a retention entity is that of an action: set type 'actions'.`)
  return id === null ? null : `event = ${quoted(id)}`
}
