// Insights: the four kinds of query that are not text. Each is written as HogQL when a version is made, and compiled like any other; a run binds
// its dates and choices, and turns the rows into the kind's own result.
import { ApiError, invalid } from '../../errors'
import type { InsightQuery } from '../query/query-types'
import { type Choice, choiceValues } from './breakdown'
import { spanOf } from './date-range'
import { funnelAnswer } from './funnels-result'
import { type Funnel, funnelText } from './funnels-text'
import { lifecycleAnswer, lifecycleSpan, lifecycleText } from './lifecycle'
import { variableOf } from './periods'
import { retentionAnswer, retentionSpan } from './retention-result'
import { type Retention, retentionText } from './retention-text'
import type { AnswerContext, Insight, InsightText } from './insight-types'
import { formulasOf, trendsAnswer, trendsSpans } from './trends-result'
import { intervalOf, type Trends, trendsText } from './trends-text'

/**
 * An insight as HogQL.
 * @throws 400 `query` for what cannot be compiled, by name.
 */
export function insightText(query: InsightQuery): InsightText {
  switch (query.kind) {
    case 'TrendsQuery':
      formulasOf(query as Trends)
      return trendsText(query as Trends)
    case 'LifecycleQuery':
      return lifecycleText(query as Insight)
    case 'RetentionQuery':
      return retentionText(query as Retention)
    case 'FunnelsQuery':
      return funnelText(query as Funnel)
  }
}

/**
 * The values of the variables that an insight's text reads, for a run now.
 * @param choices of each breakdown, in the query's order.
 * @throws 400 `query` for a date range that is none.
 */
export function insightValues(
  query: InsightQuery,
  choices: readonly Choice[],
  context: AnswerContext,
): Map<string, string> {
  const at = (wall: number) => variableOf(wall, context.timezone)
  const values = new Map<string, string>(choiceValues(choices))
  switch (query.kind) {
    case 'TrendsQuery': {
      const { current, previous } = trendsSpans(query as Trends, context)
      values.set('date_from', at(current.from)).set('date_to', at(current.to))
      if (previous) values.set('previous_from', at(previous.from)).set('previous_to', at(previous.to))
      return values
    }
    case 'LifecycleQuery': {
      const { before, from, to } = lifecycleSpan(query as Insight, context)
      return values.set('date_before', at(before)).set('date_from', at(from)).set('date_to', at(to))
    }
    case 'RetentionQuery': {
      const { from, to } = retentionSpan(query as Retention, context)
      return values.set('date_from', at(from)).set('date_to', at(to))
    }
    case 'FunnelsQuery': {
      const { from, to } = spanOf((query as Insight).dateRange, intervalOf(query as Insight), context)
      return values.set('date_from', at(from)).set('date_to', at(to))
    }
  }
}

/**
 * Says no to an insight that would be refused whenever it runs as it is: for its dates, or for what it is compared with.
 * @throws 400 `query`.
 */
export function requireAnswerable(query: InsightQuery, context: AnswerContext): void {
  try {
    insightValues(query, [], context)
    insightAnswer(query, [], context)
  } catch (error) {
    throw error instanceof ApiError ? invalid('query', error.detail, error.code) : error
  }
}

/** The insight's own result. @param rows of the compiled text. */
export function insightAnswer(
  query: InsightQuery,
  rows: readonly unknown[][],
  context: AnswerContext,
): unknown[] {
  switch (query.kind) {
    case 'TrendsQuery':
      return trendsAnswer(query as Trends, rows, context)
    case 'LifecycleQuery':
      return lifecycleAnswer(query as Insight, rows, context)
    case 'RetentionQuery':
      return retentionAnswer(query as Retention, rows, context)
    case 'FunnelsQuery':
      return funnelAnswer(query as Funnel, rows)
  }
}
