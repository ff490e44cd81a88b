// `filters` in the one form that is stored: docs/reference/flags.md#the-form-of-filters.
import { relationOf } from '../../evaluation/compile/cohorts'
import { idIn } from '../../evaluation/values/id'
import type { ConditionSet, FlagFilters, Property } from './flag-filters'

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['min', 'gte'],
  ['max', 'lte'],
])

/** Display data that reads add. It is removed, so that a client that sends back what it read does not store it. */
const INJECTED = ['cohort_name', 'group_key_names']

const omit = <T extends object>(from: T, keys: readonly string[]): T =>
  Object.fromEntries(Object.entries(from).filter(([key]) => !keys.includes(key))) as T

/**
 * Returns structurally valid `filters` in stored form: operator aliases are resolved, property keys are text, ids of cohorts are numbers,
 * legacy parts are dropped, and the aggregation indexes of the flag and of its condition sets agree.
 */
export function normalize(filters: FlagFilters): FlagFilters {
  const aggregation = filters.aggregation_group_type_index ?? null
  const groups = filters.groups.map((set) => normalizeSet(set, aggregation))
  const indexes = new Set(groups.map((set) => set.aggregation_group_type_index ?? null))
  const [common = null] = indexes
  const common_index = groups.length === 0 ? aggregation : indexes.size === 1 ? common : null
  return {
    ...withoutLegacy(filters),
    groups,
    aggregation_group_type_index: common_index,
  }
}

/** Returns `filters` without the parts that are not evaluated any more. Every save drops them. */
export const withoutLegacy = (filters: FlagFilters): FlagFilters =>
  omit(filters, ['super_groups', 'holdout_groups'])

function normalizeSet(set: ConditionSet, aggregation: number | null): ConditionSet {
  return {
    ...set,
    ...(set.properties ? { properties: set.properties.map(normalizeProperty) } : {}),
    aggregation_group_type_index:
      'aggregation_group_type_index' in set ? (set.aggregation_group_type_index ?? null) : aggregation,
  }
}

function normalizeProperty(property: Property): Property {
  const { operator, type, value } = property
  const asksMembership = type === 'cohort' && relationOf(operator ?? null) !== 'never'
  const cohort = asksMembership ? idIn(value) : null
  return {
    ...omit(property, INJECTED),
    // An id has one form, so that conditions on a flag are found by it.
    key:
      type === 'flag' && /^\d{1,15}$/.test(String(property.key))
        ? String(Number(property.key))
        : String(property.key),
    ...(typeof operator === 'string' ? { operator: ALIASES.get(operator) ?? operator } : {}),
    ...(cohort === null ? {} : { value: cohort }),
  }
}

/** Returns the condition sets of a new remote configuration. There is one for everyone, and none has 0 %. */
export function withRemoteConfigDefaults(groups: ConditionSet[]): ConditionSet[] {
  if (groups.length === 0) return [{ properties: [], rollout_percentage: 100, variant: null }]
  return groups.map((set) => ({ ...set, rollout_percentage: set.rollout_percentage || 100 }))
}
