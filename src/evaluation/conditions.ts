// Evaluates the condition sets of a flag, and decides which of them gives the result.
import { hashingSteps, isWithin, rolloutDraw, variantIndex } from './bucketing'
import type { CompiledCondition, CompiledFlag } from './compile/compiled'
import type { EvaluationContext } from './context'
import { holds } from './filters'
import type { Caveat, FlagResult } from './results'

/**
 * How one condition ended. `rolled_out` means that all filters matched and the rollout did not include the subject, `outside` that all
 * filters matched except those on cohorts, `skipped` that there was no device id to hash, `groupless` that there was no group to hash, and
 * `failed` that a cohort has a problem.
 */
export type ConditionOutcome =
  | 'matched'
  | 'rolled_out'
  | 'skipped'
  | 'unmatched'
  | 'outside'
  | 'groupless'
  | 'failed'

/**
 * Evaluates conditions until one decides. If none does, the reason is that of the last condition with the highest rank
 * (docs/reference/evaluation.md#reasons).
 */
export function evaluateConditions(flag: CompiledFlag, context: EvaluationContext): FlagResult {
  let rolledOut = -1
  let unmatched = -1
  let groupless: number | null = null
  let caveat: Caveat | null = null
  for (const condition of flag.conditions) {
    const outcome = evaluateCondition(flag, condition, context)
    switch (outcome) {
      case 'matched':
        return matchResult(flag, condition, context)
      case 'failed':
        return flag.results.failure(condition.cohortProblem ?? 'dependency_not_found_cohort')
      case 'rolled_out':
        if (flag.earlyExit) return flag.results.rolledOut(condition.index)
        rolledOut = condition.index
        break
      case 'skipped':
        rolledOut = condition.index
        break
      case 'unmatched':
        unmatched = condition.index
        break
      case 'outside':
        unmatched = condition.index
        if (hasUnsupportedCohort(condition, context)) caveat = 'unsupported_cohort'
        break
      case 'groupless':
        groupless = condition.index
        caveat ??= 'missing_group'
        break
    }
  }
  if (rolledOut >= 0) return flag.results.rolledOut(rolledOut)
  if (unmatched >= 0) return flag.results.unmatched(unmatched, caveat)
  return flag.results.miss('no_group_type', groupless)
}

/**
 * Evaluates a condition. It matches if all its filters hold and its rollout includes the subject
 * (docs/reference/evaluation.md#condition-sets).
 */
export function evaluateCondition(
  flag: CompiledFlag,
  condition: CompiledCondition,
  context: EvaluationContext,
): ConditionOutcome {
  if (!context.budget.spend(STEPS_PER_CONDITION)) return 'unmatched'
  const ready = hashability(flag, condition, context)
  if (ready !== 'ready') return ready
  for (const filter of condition.filters) {
    if (!holds(filter, context)) return 'unmatched'
  }
  if (condition.cohorts.length > 0) {
    if (condition.cohortProblem !== null) return 'failed'
    for (const filter of condition.cohorts) {
      if (!holds(filter, context)) return 'outside'
    }
  }
  return isRolledIn(flag, condition, context) ? 'matched' : 'rolled_out'
}

/** Steps of a condition besides its filters and its hash. */
const STEPS_PER_CONDITION = 1

/** Whether a condition has an identifier to hash, where it needs a group key or a device id. */
export function hashability(
  flag: CompiledFlag,
  condition: CompiledCondition,
  context: EvaluationContext,
): 'ready' | 'skipped' | 'groupless' {
  if (condition.aggregation !== null) {
    return context.groupKey(condition.aggregation) === '' ? 'groupless' : 'ready'
  }
  return flag.byDevice && context.deviceId === '' && needsHash(flag, condition) ? 'skipped' : 'ready'
}

/** Whether a condition's rollout includes the subject. Nothing is hashed at 100%. Without steps for the hash it includes no one. */
export function isRolledIn(
  flag: CompiledFlag,
  condition: CompiledCondition,
  context: EvaluationContext,
): boolean {
  if (condition.percentage === 100) return true
  const identifier = identifierOf(flag, condition, context)
  return (
    context.budget.spend(hashingSteps(flag.prefix.length + identifier.length)) &&
    isWithin(rolloutDraw(flag.prefix, identifier), condition.percentage)
  )
}

/**
 * Returns the result of a condition that matched, with the pinned or drawn variant (docs/reference/evaluation.md#rollouts-and-variants).
 */
export function matchResult(
  flag: CompiledFlag,
  condition: CompiledCondition,
  context: EvaluationContext,
): FlagResult {
  if (flag.boundaries.length === 0) return flag.results.match(condition.index, -1)
  if (condition.pinned >= 0) return flag.results.match(condition.index, condition.pinned)
  const identifier = identifierOf(flag, condition, context)
  const steps = hashingSteps(flag.prefix.length + identifier.length) + flag.boundaries.length
  if (!context.budget.spend(steps)) return flag.results.failure('timeout')
  return flag.results.match(condition.index, variantIndex(flag.prefix, identifier, flag.boundaries))
}

/** Returns the group key, or the identifier of the person (docs/reference/evaluation.md#identifiers). */
const identifierOf = (
  flag: CompiledFlag,
  { aggregation }: CompiledCondition,
  context: EvaluationContext,
): string => (aggregation === null ? personIdentifier(flag, context) : context.groupKey(aggregation))

function personIdentifier(flag: CompiledFlag, context: EvaluationContext): string {
  if (flag.byDevice && context.deviceId !== '') return context.deviceId
  if (!flag.continuity) return context.distinctId
  return context.subject.continuityOverrides?.get(flag.key) ?? continuousIdentifier(context)
}

/** Returns the identifier that stays the same when an anonymous person signs in, as far as the request has it. */
export const continuousIdentifier = ({ anonDistinctId, distinctId }: EvaluationContext): string =>
  anonDistinctId === '' ? distinctId : anonDistinctId

/** Whether a condition on persons needs a hash, for a partial rollout or for a variant. */
export const needsHash = (flag: CompiledFlag, { percentage, pinned }: CompiledCondition): boolean =>
  percentage < 100 || (flag.boundaries.length > 0 && pinned < 0)

/** Whether a condition failed at a cohort with conditions on events. */
const hasUnsupportedCohort = (condition: CompiledCondition, context: EvaluationContext): boolean =>
  condition.cohorts.some(
    (filter) => context.set.cohorts.get(filter.id)?.unsupported === true && !holds(filter, context),
  )
