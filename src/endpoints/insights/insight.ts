// Insights, the kinds of query without text. Each is compiled as HogQL; a run binds its dates and choices, and shapes the rows.
import { aboutField } from '../../errors'
import type { InsightQuery } from '../query/query-types'
import { type Choice, choiceValues } from './breakdown'
import type { ResultContext } from './date-range'
import { funnelsKind } from './funnels/funnels'
import type { InsightKind, InsightResult } from './insight-kind'
import { lifecycleKind } from './lifecycle'
import { variableOf } from './periods'
import { pathsKind } from './paths/paths'
import { retentionKind } from './retention/retention-result'
import { stickinessKind } from './stickiness'
import { eventsKind } from './tables/events-table'
import { actorsKind } from './tables/persons-table'
import { collectText, type InsightText } from './text-parts'
import { toStoredTimestamp } from '../../timestamps'
import { trendsKind } from './trends/trends'
import { webOverviewKind } from './web/web-overview'
import { webStatsKind } from './web/web-stats'

const KINDS: { [Kind in InsightQuery['kind']]: InsightKind<Extract<InsightQuery, { kind: Kind }>> } = {
  ActorsQuery: actorsKind,
  EventsQuery: eventsKind,
  FunnelsQuery: funnelsKind,
  LifecycleQuery: lifecycleKind,
  PathsQuery: pathsKind,
  RetentionQuery: retentionKind,
  StickinessQuery: stickinessKind,
  TrendsQuery: trendsKind,
  WebOverviewQuery: webOverviewKind,
  WebStatsTableQuery: webStatsKind,
}

const insightKindOf = <Query extends InsightQuery>({ kind }: Query) =>
  KINDS[kind] as unknown as InsightKind<Query>

/** @throws 400 `query` for what cannot be compiled */
export const insightText = (query: InsightQuery): Promise<InsightText> =>
  collectText(async (context) => insightKindOf(query).text(query, context))

/**
 * Returns the values for the variables of `insightText`.
 * @param choices one for each breakdown, in the query's order
 * @throws 400 `query` for an invalid date range
 */
export function insightValues(
  query: InsightQuery,
  choices: readonly Choice[],
  context: ResultContext,
): Map<string, string> {
  const times = Object.entries(insightKindOf(query).times(query, context))
  return new Map([
    ...choiceValues(choices),
    ...times.map(([name, time]) => [name, storedTime(name, time, context.timezone)] as const),
  ])
}

/** An end in the last millisecond of a second has all of it, because events are stored in microseconds. */
function storedTime(name: string, time: number | Date | string, timezone: string): string {
  if (typeof time === 'string') return time
  const stored = time instanceof Date ? toStoredTimestamp(time) : variableOf(time, timezone)
  return name.endsWith('_to') ? stored.replace('.999000Z', '.999999Z') : stored
}

/** The rows of the compiled text that a run reads, or null for all. */
export const insightPage = (query: InsightQuery): { limit: number; offset: number } | null =>
  insightKindOf(query).page?.(query) ?? null

/** Rejects an insight that would fail in every run. @throws 400 `query` */
export function requireComputable(query: InsightQuery, context: ResultContext): void {
  try {
    insightValues(query, [], context)
    insightResult(query, [], context)
  } catch (error) {
    throw aboutField('query', error)
  }
}

/** @param rows of the compiled text */
export const insightResult = (
  query: InsightQuery,
  rows: readonly unknown[][],
  context: ResultContext,
): InsightResult => insightKindOf(query).result(query, rows, context)
