// Breakdowns of an insight in its two forms, `breakdowns` and `breakdown`.
import type { EndpointQuery } from './query-types'
import type { BreakdownFilter } from './schema-parts'
import { sourceOf } from './source-query'

/** Kinds with breakdowns that a run may choose from, and leave out. */
export const BREAKDOWN_KINDS: readonly string[] = ['RetentionQuery', 'TrendsQuery']

export interface WrittenBreakdown {
  property: string
  type: string
  group: number | null
  /** Whether URLs are normalized. */
  isUrl: boolean
}

/** `breakdowns` take precedence over `breakdown`, whose entries share one type. Cohorts are none: no property has them. */
export function writtenBreakdowns(filter: BreakdownFilter | null | undefined): WrittenBreakdown[] {
  const { breakdowns, breakdown } = filter ?? {}
  if (breakdowns?.length) {
    return breakdowns.map(({ property, type, group_type_index: group, normalize_url: isUrl }) => ({
      property: String(property),
      type: type ?? 'event',
      group: group ?? null,
      isUrl: isUrl === true,
    }))
  }
  if (breakdown === null || breakdown === undefined || filter?.breakdown_type === 'cohort') return []
  const several: readonly (string | number)[] = typeof breakdown === 'object' ? breakdown : [breakdown]
  return several.map((property) => ({
    property: String(property),
    type: filter?.breakdown_type ?? 'event',
    group: filter?.breakdown_group_type_index ?? null,
    isUrl: filter?.breakdown_normalize_url === true,
  }))
}

/** Variables of a run that choose its date range. */
export const rangeVariablesOf = ({ kind }: EndpointQuery): string[] =>
  kind === 'ActorsQuery' ? [] : ['date_from', 'date_to']

/** In order; empty for other kinds. */
export function breakdownPropertiesOf(query: EndpointQuery): string[] {
  const source = sourceOf(query)
  return source.kind === 'TrendsQuery' || source.kind === 'RetentionQuery'
    ? writtenBreakdowns(source.breakdownFilter).map(({ property }) => property)
    : []
}
