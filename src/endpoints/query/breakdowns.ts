// What an insight is broken down by: the names that a run may send as variables (reference/endpoints-api.md §3.7).
import type { EndpointQuery } from './shape'

/** Kinds whose breakdowns a run may choose from, and leave out. */
export const BREAKDOWN_KINDS: readonly string[] = ['RetentionQuery', 'TrendsQuery']

interface Breakdowns {
  breakdown?: unknown
  breakdowns?: readonly { property: unknown }[] | null
}

/** The properties that a query is broken down by, in its order; none for a kind that has no breakdowns to choose from. */
export function breakdownPropertiesOf(query: EndpointQuery): string[] {
  if (!BREAKDOWN_KINDS.includes(query.kind)) return []
  const { breakdown, breakdowns } = (query.breakdownFilter ?? {}) as Breakdowns
  if (breakdowns?.length) return breakdowns.map(({ property }) => String(property))
  if (Array.isArray(breakdown)) return breakdown.map(String)
  return breakdown === null || breakdown === undefined ? [] : [String(breakdown)]
}
