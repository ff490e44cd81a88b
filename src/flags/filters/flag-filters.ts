// The `filters` document of a flag: who gets it, and with which value (reference/flags-api.md §1.4).
import { isObject, type JsonObject } from '../../json'
import { PROPERTY_OPERATORS } from '../../evaluation/matchers/operators'

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
  payloads?: Record<string, string>
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

/** Every property of every condition set, with its place. */
export function* propertiesOf(
  filters: FlagFilters,
): Generator<{ property: Property; group: number; index: number }> {
  for (const [group, { properties }] of filters.groups.entries()) {
    for (const [index, property] of (properties ?? []).entries()) yield { property, group, index }
  }
}

/** The properties of filters that were not validated: malformed parts have none. */
export const propertiesIn = (filters: unknown): JsonObject[] =>
  listIn(isObject(filters) ? filters.groups : null)
    .flatMap((set) => listIn(isObject(set) ? set.properties : null))
    .filter(isObject)

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
