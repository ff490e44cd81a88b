// Trends: numbers per period and breakdown value.
import type { TrendsQuery } from '../../query/query-types'
import type { InsightKind } from '../insight-kind'
import { formulasOf, trendsResult, trendsSpans } from './trends-result'
import { trendsText } from './trends-text'

export const trendsKind: InsightKind<TrendsQuery> = {
  text(query) {
    formulasOf(query)
    return trendsText(query)
  },
  times(query, context) {
    const { current, previous } = trendsSpans(query, context)
    return {
      date_from: current.from,
      date_to: current.to,
      ...(previous ? { previous_from: previous.from, previous_to: previous.to } : {}),
    }
  },
  result: (query, rows, context) => ({ results: trendsResult(query, rows, context) }),
}
