// Breakdowns of an insight in its two forms, `breakdowns` and `breakdown`.
import type { EndpointQuery } from './query-types'
import type { BreakdownFilter, BreakdownType } from './schema-parts'
import { sourceOf } from './source-query'

/** Kinds with breakdowns, for which a run may choose a value or leave them out. */
export const BREAKDOWN_KINDS: readonly string[] = ['RetentionQuery', 'TrendsQuery']

export interface WrittenBreakdown {
  property: string
  type: BreakdownType
  group: number | null
  /** Whether values are URLs, which are normalized. */
  isUrl: boolean
}

/** Returns the breakdowns of a query. The entries of `breakdown` share one type. Cohorts are left out, because they are not properties. */
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
  const type = filter?.breakdown_type ?? 'event'
  if (breakdown === null || breakdown === undefined || type === 'cohort') return []
  const several: readonly (string | number)[] = typeof breakdown === 'object' ? breakdown : [breakdown]
  return several.map((property) => ({
    property: String(property),
    type,
    group: filter?.breakdown_group_type_index ?? null,
    isUrl: filter?.breakdown_normalize_url === true,
  }))
}

/** The variables with which a run chooses its date range. */
export const rangeVariablesOf = ({ kind }: EndpointQuery): string[] =>
  kind === 'ActorsQuery' ? [] : ['date_from', 'date_to']

/** Returns the breakdowns in order. The list is empty for other kinds of query. */
export function breakdownsIn(query: EndpointQuery): WrittenBreakdown[] {
  const source = sourceOf(query)
  return source.kind === 'TrendsQuery' || source.kind === 'RetentionQuery'
    ? writtenBreakdowns(source.breakdownFilter)
    : []
}

export const breakdownPropertiesOf = (query: EndpointQuery): string[] =>
  breakdownsIn(query).map(({ property }) => property)

/** Whether a filter is about the property of the breakdown, of the same owner. */
export const isFilterOf = (
  { property, type, group }: WrittenBreakdown,
  filter: Readonly<Record<string, unknown>>,
): boolean =>
  type !== 'hogql' &&
  filter.key === property &&
  (filter.type ?? 'event') === type &&
  (type !== 'group' || (filter.group_type_index ?? null) === group)
