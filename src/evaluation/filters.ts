import type { CohortFilter, CompiledFilter, FlagFilter, PersonFilter } from './compile/compiled'
import type { EvaluationContext } from './context'
import { matchesProperty } from './matchers/property-test'
import type { FlagResult } from './results'
import { ownValue, type JsonValue } from '../json'

/**
 * Whether a filter holds. Filters on other flags read the outcomes in the context: a flag that is not among them satisfies none, not even
 * `false`. A cohort with a problem has no members, and conditions check for problems first.
 */
export function holds(filter: CompiledFilter, context: EvaluationContext): boolean {
  switch (filter.kind) {
    // A test of a property spends its own steps.
    case 'person':
      return matchesProperty(filter.test, personValue(filter, context), context)

    case 'group':
      return matchesProperty(filter.test, context.groupProperty(filter.groupIndex, filter.key), context)

    case 'flag':
      return context.budget.spend(STEPS_PER_REFERENCE) && dependencyHolds(filter, context)

    case 'cohort':
      return context.budget.spend(STEPS_PER_REFERENCE) && membershipHolds(filter, context)
  }
}

/** Steps of a filter on a flag or a cohort. */
const STEPS_PER_REFERENCE = 1

/** Returns the person's value for a filter, or undefined when the person has none. */
export const personValue = (filter: PersonFilter, context: EvaluationContext): JsonValue | undefined =>
  filter.inherited ? ownValue(context.person, filter.key) : context.person[filter.key]

function dependencyHolds(filter: FlagFilter, context: EvaluationContext): boolean {
  const result = context.outcomes?.get(filter.target)
  if (result === undefined || !filter.supported) return false
  return result.failed
    ? context.assumeFailedTargets && canBeWanted(filter.wanted)
    : accepts(filter.wanted, result)
}

/**
 * Whether a dependency accepts a result. `true` accepts flags that are on, `false` flags that are off, and a text that variant. Other
 * values accept nothing.
 */
function accepts(wanted: JsonValue, result: FlagResult): boolean {
  if (typeof wanted === 'boolean') return result.enabled === wanted
  return typeof wanted === 'string' && result.variant === wanted
}

const canBeWanted = (wanted: JsonValue): boolean => typeof wanted === 'boolean' || typeof wanted === 'string'

function membershipHolds({ id, relation }: CohortFilter, context: EvaluationContext): boolean {
  switch (relation) {
    case 'in':
      return context.isMember(id)
    case 'not_in':
      return !context.isMember(id)
    case 'never':
      return false
  }
}
