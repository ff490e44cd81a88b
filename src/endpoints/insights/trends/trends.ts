// Trends: numbers per period and breakdown value.
import type { TrendsQuery } from '../../query/query-types'
import { endsOf } from '../date-range'
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
    const ends = endsOf(current)
    return {
      date_from: ends.from,
      date_to: ends.to,
      ...(previous ? { previous_from: previous.from, previous_to: previous.to } : {}),
    }
  },
  result: (query, rows, context) => ({ results: trendsResult(query, rows, context) }),
}
