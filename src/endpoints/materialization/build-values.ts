import type { CompiledQuery } from '../../hogql/compiled'
import type { BoundValue } from '../../analytics/engine/query-engine'
import type { Choice } from '../insights/breakdown'
import { insightValues } from '../insights/insight'
import type { EndpointQuery } from '../query/query-types'
import { sourceOf } from '../query/source-query'
import { breakdownPropertiesOf } from '../query/written-breakdowns'
import { bindVariables } from '../values/bind-variables'

/** The values with which a build writes its rows. An insight has its dates, and no choices. */
export function buildValues(
  stored: EndpointQuery,
  write: CompiledQuery,
  { timezone, now }: { timezone: string; now: Date },
): Map<number, BoundValue> {
  const query = sourceOf(stored)
  if (query.kind === 'HogQLQuery') return new Map()
  const all = breakdownPropertiesOf(query).map((): Choice => ({ mode: 'any' }))
  return bindVariables(write, insightValues(query, all, { timezone, now }), timezone)
}
