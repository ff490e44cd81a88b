// The `filters` document of a flag: who gets it, and with which value (reference/flags-api.md §1.4).

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

/** The operators that flags evaluate. */
export const OPERATORS: ReadonlySet<string> = new Set([
  'exact',
  'is_not',
  'icontains',
  'not_icontains',
  'icontains_multi',
  'not_icontains_multi',
  'regex',
  'not_regex',
  'gt',
  'gte',
  'lt',
  'lte',
  'semver_gt',
  'semver_gte',
  'semver_lt',
  'semver_lte',
  'semver_eq',
  'semver_neq',
  'semver_tilde',
  'semver_caret',
  'semver_wildcard',
  'is_set',
  'is_not_set',
  'is_date_exact',
  'is_date_after',
  'is_date_before',
  'in',
  'not_in',
  'flag_evaluates_to',
])

/** Operators that analytics knows and flags do not. */
export const ANALYTICS_OPERATORS: ReadonlySet<string> = new Set([
  'between',
  'not_between',
  'is_cleaned_path_exact',
  'starts_with',
  'not_starts_with',
  'ends_with',
  'not_ends_with',
])

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
