// Views of pages and screens per session, as HogQL: what web analytics counts.
import type { WebOverviewQuery, WebStatsTableQuery } from '../../query/query-types'
import { comparedSpans, type ResultContext, timesOf } from '../date-range'
import { all, type Fragments, list } from '../text-parts'

export type WebQuery = WebOverviewQuery | WebStatsTableQuery

const isCompared = ({ compareFilter }: WebQuery): boolean => compareFilter?.compare === true

/** HogQL condition: the time is in the given range. */
const within = (range: string, time: string) =>
  `${time} >= {variables.${range}_from} AND ${time} <= {variables.${range}_to}`

const ranges = (query: WebQuery) => (isCompared(query) ? ['date', 'previous'] : ['date'])

const inRanges = (query: WebQuery, time: string) =>
  `(${ranges(query)
    .map((range) => `(${within(range, time)})`)
    .join(' OR ')})`

/**
 * Returns HogQL with the columns person, session_key, began, seen, seconds, bounced, and the given values, by which it groups as well.
 */
export function sessionsText(query: WebQuery, fragments: Fragments, values: readonly string[] = []): string {
  const where = all([
    "event IN ('$pageview', '$screen')",
    'notEmpty($session_id)',
    inRanges(query, 'timestamp'),
    fragments.add('query', query.properties),
  ])
  return `SELECT ${list(
    'min(person_id) AS person',
    '$session_id AS session_key',
    'min(session.$start_timestamp) AS began',
    'count() AS seen',
    'max(session.$session_duration) AS seconds',
    'max(if(session.$is_bounce, 1, 0)) AS bounced',
    values.map((value, index) => `${value} AS value_${index}`),
  )} FROM events WHERE ${where} GROUP BY ${list(
    'session_key',
    values.map((_, index) => `value_${index}`),
  )}`
}

/** HogQL condition: the session began in one of the ranges. */
export const begunInRanges = (query: WebQuery) => inRanges(query, 'began')

/**
 * Returns two columns: an aggregate of the current range, and the same of the one before it, or NULL.
 * @param of returns the aggregate with a condition, as HogQL
 */
export const pairOf = (query: WebQuery, name: string, of: (condition: string) => string): string[] => [
  `${of(isCompared(query) ? within('date', 'began') : '1 = 1')} AS ${name}`,
  `${isCompared(query) ? of(within('previous', 'began')) : 'NULL'} AS previous_${name}`,
]

export const webVariables = (query: WebQuery): Record<string, 'Date'> =>
  Object.fromEntries(
    ranges(query).flatMap((range) => [`${range}_from`, `${range}_to`].map((name) => [name, 'Date'])),
  )

export const webTimes = (query: WebQuery, context: ResultContext) =>
  timesOf(comparedSpans(query, 'day', context))
