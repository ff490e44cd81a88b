// Consistency of `filters`: aggregation with property types, variants with overrides. Rules 11–15, 17 and 18 of
// docs/reference/flags.md#rules-for-filters.
import { type ConditionSet, type FlagFilters, variantsOf, reject } from './flag-filters'
import { PropertyFilter } from './schema'

const isGroupAggregated = (set: ConditionSet) =>
  set.aggregation_group_type_index !== null && set.aggregation_group_type_index !== undefined

/** Whether any condition set is about persons. Only then can the flag depend on flags. */
export const hasPersonCondition = (filters: FlagFilters) =>
  filters.groups.some((set) => !isGroupAggregated(set))

/**
 * @param linkedToEarlyAccess whether the flag belongs to an early-access feature, which people join one by one
 * @throws 400, attr `filters`
 */
export function checkAggregation(filters: FlagFilters, linkedToEarlyAccess: boolean): void {
  if (linkedToEarlyAccess && filters.groups.some(isGroupAggregated)) {
    reject(
      'Cannot use group aggregation in any condition set when the flag is linked to an Early Access Feature.',
    )
  }
  for (const [index, set] of filters.groups.entries()) {
    checkTypes(set, index)
    if (isGroupAggregated(set)) checkGroupSet(set)
    else checkPersonSet(set)
  }
}

const PROPERTY_TYPES = PropertyFilter.shape.type.options

/** Rejects an unknown type with the valid ones, before a rule about aggregation mentions it. */
function checkTypes({ properties }: ConditionSet, group: number): void {
  for (const [index, { type }] of (properties ?? []).entries()) {
    if (type !== null && type !== undefined) continue
    reject(`groups[${group}].properties[${index}].type is required: ${PROPERTY_TYPES.join(', ')}`, 'required')
  }
}

function checkPersonSet({ properties }: ConditionSet): void {
  for (const { type, operator } of properties ?? []) {
    if (type !== 'person' && type !== 'cohort' && type !== 'flag') {
      reject(
        'Filters are not valid (person-aggregated conditions can only use person, cohort, and flag properties)',
      )
    }
    if (type === 'flag' && operator !== 'flag_evaluates_to') {
      reject("Flag properties must use the 'flag_evaluates_to' operator")
    }
  }
}

function checkGroupSet({ properties, aggregation_group_type_index: index }: ConditionSet): void {
  for (const property of properties ?? []) {
    if (property.type !== 'group') {
      reject('Filters are not valid (group-aggregated conditions can only use group properties)')
    }
    if (property.group_type_index !== index) {
      reject("Filters are not valid (group properties must match the condition set's group type)")
    }
  }
}

/** @throws 400, attr `filters`. */
export function checkVariants(filters: FlagFilters): void {
  const variants = variantsOf(filters)
  if (variants.length > 0) {
    const sum = variants.reduce((total, { rollout_percentage }) => total + rollout_percentage, 0)
    // The sum is compared with a tolerance: 33.3 + 33.3 + 33.4 is 99.99999999999999 as floats.
    if (Math.abs(sum - 100) > 1e-9)
      reject('Invalid variant definitions: Variant rollout percentages must sum to 100.')
  }
  const keys = new Set(variants.map(({ key }) => key))
  if (filters.groups.some(({ variant }) => variant && !keys.has(variant))) {
    reject('Filters are not valid (variant override does not exist)')
  }
}
