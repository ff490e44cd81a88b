// Runs of an insight query.
import { invalid } from '../../errors'
import { breakdownPropertiesOf } from '../query/breakdowns'
import type { InsightQuery } from '../query/shape'
import type { Kind } from './kind'

export const insightKind = (query: InsightQuery): Kind => ({
  variables: new Set(['date_from', 'date_to', ...breakdownPropertiesOf(query)]),
  isHogql: false,
  text: null,
  plan({ request }) {
    if (request.limit !== null) {
      throw invalid('limit', `Limit/offset parameters are only supported for HogQLQuery, not ${query.kind}`)
    }
    throw invalid(null, `Query kind '${query.kind}' cannot be run yet.`)
  },
})
