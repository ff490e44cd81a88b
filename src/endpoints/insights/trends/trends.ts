// Trends: numbers per period and breakdown value.
import type { TrendsQuery } from '../../query/query-types'
import { comparable, timesOf } from '../date-range'
import type { InsightKind } from '../insight-kind'
import { formulasOf, trendsResult, trendsSpans } from './trends-result'
import { trendsText } from './trends-text'

export const trendsKind: InsightKind<TrendsQuery> = {
  text(query, context) {
    formulasOf(query)
    return trendsText(query, context)
  },
  times: (query, context) => timesOf(trendsSpans(query, context)),
  result: (query, rows, context) => trendsResult(comparable(query), rows, context),
}
