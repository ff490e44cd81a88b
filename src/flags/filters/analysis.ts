// Values that writes derive from `filters`, each in one pass: references and rollout.
import { idIn } from '../../evaluation/values/id'
import { type ConditionSet, type FlagFilters, propertiesIn, propertiesOf, variantsOf } from './flag-filters'

export interface FilterAnalysis {
  references: References
  rollout: Rollout
}

/** Ids of the flags and cohorts that conditions refer to, each once. */
export interface References {
  flagIds: number[]
  cohortIds: number[]
}

export type Rollout = ReturnType<typeof rolloutOf>

/** @param references of the same filters, if they are known */
export const analyse = (filters: FlagFilters, references = referencesOf(filters)): FilterAnalysis => ({
  references,
  rollout: rolloutOf(filters),
})

/** Returns the references of filters that are not validated, because facts for the rules are read before the filters are checked. */
export const referencesIn = (filters: unknown): References => collect(propertiesIn(filters))

export const referencesOf = (filters: FlagFilters): References =>
  collect(propertiesOf(filters).map(({ property }) => property))

function collect(properties: Iterable<{ type?: unknown; key?: unknown; value?: unknown }>): References {
  const [flagIds, cohortIds] = [new Set<number>(), new Set<number>()]
  for (const { type, key, value } of properties) {
    const id = type === 'flag' ? idIn(key) : type === 'cohort' ? idIn(value) : null
    if (id !== null && id > 0) (type === 'flag' ? flagIds : cohortIds).add(id)
  }
  return { flagIds: [...flagIds], cohortIds: [...cohortIds] }
}

const isOpen = ({ rollout_percentage, properties }: ConditionSet) =>
  rollout_percentage === 100 && (properties ?? []).length === 0

export function rolloutOf(filters: FlagFilters) {
  const { groups } = filters
  const variants = variantsOf(filters)
  const open = groups.filter(isOpen)
  const override = open.find(({ variant }) => variant)?.variant
  const full = variants.find(({ rollout_percentage }) => rollout_percentage === 100)
  const decidedVariant = open.length === 0 ? null : (override ?? full?.key ?? null)
  // A flag without condition sets is off for everyone.
  const isFull = variants.length > 0 ? decidedVariant !== null : open.length > 0
  const max = groups.reduce<number | null>(
    (most, { rollout_percentage: each }) => Math.max(most ?? 0, each ?? 100),
    null,
  )
  return {
    /** The rollout as the flag's status shows it (docs/reference/flags.md#status). It ignores age, `active` and `deleted`. */
    summary: {
      effectively_full_rollout: isFull,
      has_targeting_conditions: groups.some(({ properties }) => (properties ?? []).length > 0),
      /** The maximum from 0 to 100. It is null without condition sets. */
      max_rollout_percentage: max,
      is_multivariate: variants.length > 0,
    },
    variantCount: variants.length,
    /** The variant of a multivariate flag that everyone gets, or null. An override takes precedence over a variant at 100 %. */
    decidedVariant,
    /** The rollout as a bulk delete reports it. */
    state: isFull ? 'fully_rolled_out' : max === null || max === 0 ? 'not_rolled_out' : 'partial',
    /**
     * Whether the list counts a flag that was never called as rolled out. Unlike `effectively_full_rollout`, it is true for an open set
     * with an override of a variant that is not at 100 percent.
     */
    isListedAsRolledOut:
      open.length > 0 &&
      (variants.length === 0 || full !== undefined || open.some(({ variant }) => variant != null)),
  } as const
}
