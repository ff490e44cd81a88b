// Evaluates one flag for one subject: dependencies, enrollment, holdout, then conditions in stored order.
import { hashingSteps, isHeldOut } from './bucketing'
import type { CompiledFlag } from './compile/compiled'
import { continuousIdentifier, evaluateConditions } from './conditions'
import type { EvaluationContext } from './context'
import { afterFailedTargets } from './failed-dependencies'
import type { FlagResult } from './results'
import { ownValue } from '../json'

/**
 * Evaluates one flag. It never throws, and allocates next to nothing, because it is the hot path. Flags on which it depends have to be
 * evaluated with the same context before, as `evaluate` does. The caller checks whether the flag is active and meant for this runtime. A
 * flag that needs more work than the budget has left fails.
 */
export function evaluateFlag(flag: CompiledFlag, context: EvaluationContext): FlagResult {
  const { exceeded } = context.budget
  const result = decide(flag, context)
  return context.budget.exceeded === exceeded ? result : flag.results.failure('timeout')
}

/** Steps of a flag besides its conditions. Each flag on which it depends takes one more. */
const STEPS_PER_FLAG = 2

function decide(flag: CompiledFlag, context: EvaluationContext): FlagResult {
  if (!context.budget.spend(STEPS_PER_FLAG + flag.dependencies.length)) return flag.results.failure('timeout')
  if (flag.problem !== null) return flag.results.failure(flag.problem)
  if (flag.dependencies.length > 0 && lacksDependency(flag, context)) {
    return flag.results.miss('missing_dependency', null)
  }
  if (flag.enrollmentKey !== null) {
    const enrollment = ownValue(context.person, flag.enrollmentKey)
    // A present property decides. Everything but true and "true" is an opt-out (docs/reference/evaluation.md#enrollment).
    if (enrollment !== undefined) return flag.results.enrollment(enrollment === true || enrollment === 'true')
  }
  if (flag.holdout !== null) {
    const identifier = holdoutIdentifier(flag, context)
    if (!context.budget.spend(hashingSteps(identifier.length))) return flag.results.failure('timeout')
    if (isHeldOut(identifier, flag.holdout.percentage)) return flag.results.holdout(flag.holdout.variant)
  }
  if (flag.dependencies.length > 0 && hasFailedTarget(flag, context)) return afterFailedTargets(flag, context)
  return evaluateConditions(flag, context)
}

/** Whether the flag is closed because a flag on which it depends does not exist, or is itself closed for that reason. */
function lacksDependency(flag: CompiledFlag, { set, outcomes }: EvaluationContext): boolean {
  return flag.dependencies.some(
    (id) => !set.byId.has(id) || outcomes?.get(id)?.reason.code === 'missing_dependency',
  )
}

const hasFailedTarget = (flag: CompiledFlag, { outcomes }: EvaluationContext): boolean =>
  flag.dependencies.some((id) => outcomes?.get(id)?.failed === true)

/**
 * Returns the identifier for holdouts. It follows the flag's own aggregation, and never what continuity stored
 * (docs/reference/evaluation.md#holdouts).
 */
function holdoutIdentifier(flag: CompiledFlag, context: EvaluationContext): string {
  if (flag.aggregation !== null) return context.groupKey(flag.aggregation)
  if (flag.byDevice && context.deviceId !== '') return context.deviceId
  return flag.continuity ? continuousIdentifier(context) : context.distinctId
}
