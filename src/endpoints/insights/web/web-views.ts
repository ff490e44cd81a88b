// Views of pages and screens per session, as HogQL: what web analytics counts.
import type { WebOverviewQuery, WebStatsTableQuery } from '../../query/query-types'
import { comparedSpans, type ResultContext, timesOf } from '../date-range'
import { all, isCompared, list, rangesOf, type TextContext, within } from '../text-parts'

export type WebQuery = WebOverviewQuery | WebStatsTableQuery

/** HogQL condition: the time is in one of the ranges of the query. */
export const inRanges = (query: WebQuery, context: TextContext, time: string): string =>
  `(${rangesOf(query)
    .map((range) => `(${within(context, range, time)})`)
    .join(' OR ')})`

/**
 * Returns HogQL with the columns person, session_key, began, seen, seconds, bounced, and the given values, by which it groups as well.
 */
export function sessionsText(query: WebQuery, context: TextContext, values: readonly string[] = []): string {
  const where = all([
    "event IN ('$pageview', '$screen')",
    'notEmpty($session_id)',
    inRanges(query, context, 'timestamp'),
    context.fragments.add('query', query.properties),
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

/**
 * Returns a function for two columns: an aggregate of the current range, and the same of the one before it, or NULL. It takes the name and
 * the aggregate with a condition, as HogQL.
 */
export const pairsOf =
  (query: WebQuery, context: TextContext) =>
  (name: string, of: (condition: string) => string): string[] => [
    `${of(isCompared(query) ? within(context, 'date', 'began') : '1 = 1')} AS ${name}`,
    `${isCompared(query) ? of(within(context, 'previous', 'began')) : 'NULL'} AS previous_${name}`,
  ]

export const webTimes = (query: WebQuery, context: ResultContext) =>
  timesOf(comparedSpans(query, 'day', context))
