// Insights, the four kinds of query without text. Each is compiled as HogQL; a run binds its dates and choices, and shapes the rows.
import { ApiError, invalid } from '../../errors'
import type { InsightQuery } from '../query/query-types'
import { type Choice, choiceValues } from './breakdown'
import { spanOf } from './date-range'
import { funnelResult } from './funnels-result'
import { type Funnel, funnelText } from './funnels-text'
import { lifecycleResult, lifecycleSpan, lifecycleText } from './lifecycle'
import { variableOf } from './periods'
import { retentionResult, retentionSpan } from './retention-result'
import { type Retention, retentionText } from './retention-text'
import type { ResultContext, Insight, InsightText } from './insight-types'
import { formulasOf, trendsResult, trendsSpans } from './trends-result'
import { intervalOf, type Trends, trendsText } from './trends-text'

/** @throws 400 `query` for what cannot be compiled */
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
 * Values for the variables of `insightText`.
 * @param choices by breakdown, in the query's order
 * @throws 400 `query` for an invalid date range
 */
export function insightValues(
  query: InsightQuery,
  choices: readonly Choice[],
  context: ResultContext,
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

/** Rejects an insight that would fail in every run. @throws 400 `query` */
export function requireComputable(query: InsightQuery, context: ResultContext): void {
  try {
    insightValues(query, [], context)
    insightResult(query, [], context)
  } catch (error) {
    throw error instanceof ApiError ? invalid('query', error.detail, error.code) : error
  }
}

/** @param rows of the compiled text */
export function insightResult(
  query: InsightQuery,
  rows: readonly unknown[][],
  context: ResultContext,
): unknown[] {
  switch (query.kind) {
    case 'TrendsQuery':
      return trendsResult(query as Trends, rows, context)
    case 'LifecycleQuery':
      return lifecycleResult(query as Insight, rows, context)
    case 'RetentionQuery':
      return retentionResult(query as Retention, rows, context)
    case 'FunnelsQuery':
      return funnelResult(query as Funnel, rows)
  }
}
