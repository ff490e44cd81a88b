// What `filters` amount to: how far a flag is rolled out, and whether that is all the way (reference/flags-api.md §8).
import { type ConditionSet, type FlagFilters, variantsOf } from './shape'

export interface Rollout {
  effectively_full_rollout: boolean
  has_targeting_conditions: boolean
  /** 0 to 100; null without condition sets. */
  max_rollout_percentage: number | null
  is_multivariate: boolean
}

const isOpen = ({ rollout_percentage, properties }: ConditionSet) =>
  rollout_percentage === 100 && (properties ?? []).length === 0

/** The rollout block of a flag's status. Ignores age, `active` and `deleted`. */
export function rolloutOf(filters: FlagFilters): Rollout {
  const percentages = filters.groups.map(({ rollout_percentage }) => rollout_percentage ?? 100)
  return {
    effectively_full_rollout: isFullyRolledOut(filters),
    has_targeting_conditions: filters.groups.some(({ properties }) => (properties ?? []).length > 0),
    max_rollout_percentage: percentages.length ? Math.max(...percentages) : null,
    is_multivariate: variantsOf(filters).length > 0,
  }
}

/** In a word, as a bulk delete reports it (reference §12.1). */
export function rolloutStateOf(filters: FlagFilters): 'fully_rolled_out' | 'not_rolled_out' | 'partial' {
  const { effectively_full_rollout: full, max_rollout_percentage: most } = rolloutOf(filters)
  if (full) return 'fully_rolled_out'
  return most === 0 ? 'not_rolled_out' : 'partial'
}

/** Whether everybody gets the same answer: for a multivariate flag that takes a decided variant too. */
export function isFullyRolledOut(filters: FlagFilters): boolean {
  if (variantsOf(filters).length > 0) return decidedVariant(filters) !== null
  return filters.groups.length === 0 || filters.groups.some(isOpen)
}

/** The variant that everybody gets from a fully rolled-out multivariate flag, or null. An override wins over a variant at 100 %. */
export function decidedVariant(filters: FlagFilters): string | null {
  const open = filters.groups.filter(isOpen)
  if (open.length === 0) return null
  const override = open.find(({ variant }) => variant)?.variant
  return (
    override ?? variantsOf(filters).find(({ rollout_percentage }) => rollout_percentage === 100)?.key ?? null
  )
}

/**
 * Whether the list counts a flag that was never called as rolled out for good (reference §2.1). Unlike the status, it does not count a
 * flag without condition sets; unlike the status, it counts an open set with an override on a boolean flag.
 */
export function isListedAsRolledOut(filters: FlagFilters): boolean {
  if (Object.keys(filters).length === 0) return true
  const open = filters.groups.filter(isOpen)
  if (open.length === 0) return false
  const variants = variantsOf(filters)
  return (
    variants.length === 0 ||
    open.some(({ variant }) => variant !== null && variant !== undefined) ||
    variants.some(({ rollout_percentage }) => rollout_percentage === 100)
  )
}
