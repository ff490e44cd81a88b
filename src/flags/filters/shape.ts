// The `filters` document of a flag: who gets it, and with which value (reference/flags-api.md §1.4).
import { PROPERTY_OPERATORS } from '../evaluation/operators'

export type PropertyType = 'person' | 'cohort' | 'group' | 'flag'

export interface Property {
  /** A property name; for a flag dependency the id of the other flag, as text. */
  key: string
  type: PropertyType
  value?: unknown
  /** Absent: `exact`. */
  operator?: string | null
  group_type_index?: number | null
  negation?: boolean | null
  [extra: string]: unknown
}

/** One condition set. Sets are OR-ed, the properties of one are AND-ed. */
export interface ConditionSet {
  properties?: Property[] | null
  /** 0 to 100, fractions allowed; absent or null: 100. */
  rollout_percentage?: number | null
  variant?: string | null
  aggregation_group_type_index?: number | null
  [extra: string]: unknown
}

export interface Variant {
  key: string
  name?: string | null
  rollout_percentage: number
  [extra: string]: unknown
}

export interface FlagFilters {
  groups: ConditionSet[]
  multivariate?: { variants: Variant[]; [extra: string]: unknown } | null
  /** By variant key, or `true` for a boolean flag. Each value is JSON text. */
  payloads?: Record<string, string> | null
  aggregation_group_type_index?: number | null
  feature_enrollment?: boolean | null
  holdout?: { id: number; exclusion_percentage: number; [extra: string]: unknown } | null
  early_exit?: boolean | null
  [extra: string]: unknown
}

/** Operators that analytics knows, and that no flag may be written with. */
export const ANALYTICS_OPERATORS: ReadonlySet<string> = new Set([
  'between',
  'not_between',
  'is_cleaned_path_exact',
  'starts_with',
  'not_starts_with',
  'ends_with',
  'not_ends_with',
])

/** The operators that a flag may be written with. */
export const OPERATORS: ReadonlySet<string> = new Set(
  PROPERTY_OPERATORS.filter((operator) => !ANALYTICS_OPERATORS.has(operator)),
)

/** The variants of a flag; none for a boolean one. */
export const variantsOf = (filters: FlagFilters): Variant[] => filters.multivariate?.variants ?? []

/** Every property of every condition set, with where it stands. */
export function* propertiesOf(
  filters: FlagFilters,
): Generator<{ property: Property; group: number; index: number }> {
  for (const [group, { properties }] of filters.groups.entries()) {
    for (const [index, property] of (properties ?? []).entries()) yield { property, group, index }
  }
}

const distinctIds = (values: Iterable<unknown>): number[] => [
  ...new Set([...values].map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)),
]

/** Ids of the cohorts that the conditions look at. */
export const cohortIdsOf = (filters: FlagFilters): number[] =>
  distinctIds(
    propertiesOf(filters)
      .filter(({ property }) => property.type === 'cohort')
      .map(({ property }) => property.value),
  )

/** Ids of the flags that the conditions look at. */
export const dependencyIdsOf = (filters: FlagFilters): number[] =>
  distinctIds(
    propertiesOf(filters)
      .filter(({ property }) => property.type === 'flag')
      .map(({ property }) => property.key),
  )
