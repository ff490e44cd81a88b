// Funnels: how many actors take one step after the other.
import type { FunnelsQuery } from '../../query/query-types'
import { spanOf, timesOf } from '../date-range'
import type { InsightKind } from '../insight-kind'
import { intervalOf } from '../trends/trends-text'
import { funnelTrendsResult, funnelTrendsText } from './funnel-trends'
import { funnelResult } from './funnels-result'
import { funnelText } from './funnels-text'
import { requireFunnel } from './requirements'
import { timeToConvertResult, timeToConvertText } from './time-to-convert'

const TEXTS = { steps: funnelText, time_to_convert: timeToConvertText, trends: funnelTrendsText }

const typeOf = ({ funnelsFilter }: FunnelsQuery) => funnelsFilter?.funnelVizType ?? 'steps'

export const funnelsKind: InsightKind<FunnelsQuery> = {
  text(query, context) {
    requireFunnel(query)
    return TEXTS[typeOf(query)](query, context)
  },
  times: (query, context) => timesOf({ current: spanOf(query.dateRange, intervalOf(query), context) }),
  result(query, rows, context) {
    switch (typeOf(query)) {
      case 'time_to_convert':
        return { results: timeToConvertResult(query, rows) }
      case 'trends':
        return { results: funnelTrendsResult(query, rows, context) }
      default:
        return { results: funnelResult(query, rows) }
    }
  },
}
