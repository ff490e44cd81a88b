// Insights, the four kinds of query without text. Each is compiled as HogQL; a run binds its dates and choices, and shapes the rows.
import { ApiError, invalid } from '../../errors'
import type { InsightQuery } from '../query/query-types'
import { type Choice, choiceValues } from './breakdown'
import { type ResultContext, spanOf } from './date-range'
import { funnelResult } from './funnels-result'
import { funnelText } from './funnels-text'
import { lifecycleResult, lifecycleSpan, lifecycleText } from './lifecycle'
import { variableOf } from './periods'
import { retentionResult, retentionSpan } from './retention-result'
import { retentionText } from './retention-text'
import type { InsightText } from './text-parts'
import { formulasOf, trendsResult, trendsSpans } from './trends-result'
import { intervalOf, trendsText } from './trends-text'

/** @throws 400 `query` for what cannot be compiled */
export function insightText(query: InsightQuery): InsightText {
  switch (query.kind) {
    case 'TrendsQuery':
      formulasOf(query)
      return trendsText(query)
    case 'LifecycleQuery':
      return lifecycleText(query)
    case 'RetentionQuery':
      return retentionText(query)
    case 'FunnelsQuery':
      return funnelText(query)
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
      const { current, previous } = trendsSpans(query, context)
      values.set('date_from', at(current.from)).set('date_to', at(current.to))
      if (previous) values.set('previous_from', at(previous.from)).set('previous_to', at(previous.to))
      return values
    }
    case 'LifecycleQuery': {
      const { before, from, to } = lifecycleSpan(query, context)
      return values.set('date_before', at(before)).set('date_from', at(from)).set('date_to', at(to))
    }
    case 'RetentionQuery': {
      const { from, to } = retentionSpan(query, context)
      return values.set('date_from', at(from)).set('date_to', at(to))
    }
    case 'FunnelsQuery': {
      const { from, to } = spanOf(query.dateRange, intervalOf(query), context)
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
      return trendsResult(query, rows, context)
    case 'LifecycleQuery':
      return lifecycleResult(query, rows, context)
    case 'RetentionQuery':
      return retentionResult(query, rows, context)
    case 'FunnelsQuery':
      return funnelResult(query, rows)
  }
}
