// Breakdowns of an insight in its two forms (reference/endpoints-api.md §3.7).
import type { EndpointQuery } from './query-types'
import type { BreakdownFilter } from './schema-parts'

/** Kinds with breakdowns that a run may choose from, and leave out. */
export const BREAKDOWN_KINDS: readonly string[] = ['RetentionQuery', 'TrendsQuery']

export interface WrittenBreakdown {
  property: string
  type: string
  group: number | null
}

/** `breakdowns` take precedence over `breakdown`, whose entries share one type. */
export function writtenBreakdowns(filter: BreakdownFilter | null | undefined): WrittenBreakdown[] {
  const { breakdowns, breakdown } = filter ?? {}
  if (breakdowns?.length) {
    return breakdowns.map(({ property, type, group_type_index: group }) => ({
      property: String(property),
      type: type ?? 'event',
      group: group ?? null,
    }))
  }
  if (breakdown === null || breakdown === undefined) return []
  const several: readonly (string | number)[] = typeof breakdown === 'object' ? breakdown : [breakdown]
  return several.map((property) => ({
    property: String(property),
    type: filter?.breakdown_type ?? 'event',
    group: filter?.breakdown_group_type_index ?? null,
  }))
}

/** In order; empty for other kinds. */
export const breakdownPropertiesOf = (query: EndpointQuery): string[] =>
  query.kind === 'TrendsQuery' || query.kind === 'RetentionQuery'
    ? writtenBreakdowns(query.breakdownFilter).map(({ property }) => property)
    : []
