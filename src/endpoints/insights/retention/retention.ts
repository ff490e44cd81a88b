// Retention: how many of the actors of a period come back later.
import type { RetentionQuery } from '../../query/query-types'
import { endsOf } from '../date-range'
import type { InsightKind } from '../insight-kind'
import { retentionResult, retentionSpan } from './retention-result'
import { retentionText } from './retention-text'

export const retentionKind: InsightKind<RetentionQuery> = {
  text: retentionText,
  times(query, context) {
    const { from, to } = endsOf(retentionSpan(query, context))
    return { date_from: from, date_to: to }
  },
  result: (query, rows, context) => ({ results: retentionResult(query, rows, context) }),
}
