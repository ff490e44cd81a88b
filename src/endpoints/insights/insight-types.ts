// Parts of insight queries that the compiler reads; `query/insight-schemas.ts` validates them.
import type { DateRange } from './date-range'
import type { Interval } from './periods'

export type PropertyFilter = Readonly<Record<string, unknown>>

/** All hold, or groups of AND and OR. */
export type PropertyFilters =
  | readonly PropertyFilter[]
  | { readonly type: 'AND' | 'OR'; readonly values: readonly (PropertyFilter | PropertyFilters)[] }

export interface SeriesNode {
  kind: string
  event?: string | null
  name?: string | null
  custom_name?: string | null
  math?: string | null
  math_property?: string | null
  math_property_type?: string | null
  math_hogql?: string | null
  math_group_type_index?: number | null
  properties?: readonly PropertyFilter[] | null
  fixedProperties?: readonly PropertyFilter[] | null
}

export interface BreakdownFilter {
  breakdown?: string | number | readonly (string | number)[] | null
  breakdown_type?: string | null
  breakdown_group_type_index?: number | null
  breakdown_limit?: number | null
  breakdown_hide_other_aggregation?: boolean | null
  breakdown_histogram_bin_count?: number | null
  breakdown_normalize_url?: boolean | null
  breakdowns?:
    | readonly {
        property: string | number
        type?: string | null
        group_type_index?: number | null
        histogram_bin_count?: number | null
        normalize_url?: boolean | null
      }[]
    | null
}

export interface Insight {
  kind: string
  dateRange?: DateRange | null
  interval?: Interval | 'second' | null
  properties?: PropertyFilters | null
  series?: readonly SeriesNode[]
  breakdownFilter?: BreakdownFilter | null
  aggregation_group_type_index?: number | null
  samplingFactor?: number | null
}

/** An insight as HogQL. */
export interface InsightText {
  /** Reads `{variables.…}`, and `{fragments.…}` for property filters. */
  sql: string
  variables: Record<string, 'String' | 'Date'>
  fragments: Record<string, PropertyFilters>
}

export interface ResultContext {
  timezone: string
  now: Date
}
