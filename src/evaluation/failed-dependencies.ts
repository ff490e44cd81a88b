// Evaluates a flag that depends on one that failed. It is settled if its result cannot depend on the failure.
import type { CompiledCondition, CompiledFlag, FlagFilter } from './compile/compiled'
import type { EvaluationContext } from './context'
import { evaluateCondition, evaluateConditions, matchResult } from './conditions'
import type { FlagResult } from './results'

/**
 * Returns the result of a flag with failed targets. The settled result is the one in which filters on them do not hold. If the result
 * could differ when they hold, the flag fails with the target's own code.
 */
export function afterFailedTargets(flag: CompiledFlag, context: EvaluationContext): FlagResult {
  const settled = evaluateConditions(flag, context)
  if (settled.failed) return settled
  for (const condition of flag.conditions) {
    if (!context.budget.spend(condition.filters.length)) return settled
    const doubtful = failedFilters(condition, context)
    const target = doubtful[0]
    if (target !== undefined && !areContradictory(doubtful)) {
      const possible = hypothesis(flag, condition, context)
      if (possible !== null && possible.value !== settled.value) {
        const code = context.outcomes?.get(target.target)?.reason.code
        return flag.results.failure(possible.failed ? possible.reason.code : (code ?? 'missing_dependency'))
      }
    }
    if (decides(flag, condition, context)) break
  }
  return settled
}

/**
 * Returns the result of a condition under the assumption that its filters on failed flags hold, or null when it would still not decide.
 */
function hypothesis(
  flag: CompiledFlag,
  condition: CompiledCondition,
  context: EvaluationContext,
): FlagResult | null {
  context.assumeFailedTargets = true
  const outcome = evaluateCondition(flag, condition, context)
  context.assumeFailedTargets = false
  switch (outcome) {
    case 'matched':
      return matchResult(flag, condition, context)
    case 'rolled_out':
      return flag.earlyExit ? flag.results.rolledOut(condition.index) : null
    case 'failed':
      return flag.results.failure(condition.cohortProblem ?? 'dependency_not_found_cohort')
    case 'skipped':
    case 'unmatched':
    case 'outside':
    case 'groupless':
      return null
  }
}

/** Whether evaluation stops at a condition without any assumption. */
function decides(flag: CompiledFlag, condition: CompiledCondition, context: EvaluationContext): boolean {
  const outcome = evaluateCondition(flag, condition, context)
  return outcome === 'matched' || (outcome === 'rolled_out' && flag.earlyExit)
}

const failedFilters = (
  condition: CompiledCondition,
  { outcomes }: EvaluationContext,
): readonly FlagFilter[] =>
  condition.filters.filter(
    (filter): filter is FlagFilter => filter.kind === 'flag' && outcomes?.get(filter.target)?.failed === true,
  )

/** Whether two filters on one flag exclude each other: off and on, or two variants. */
function areContradictory(filters: readonly FlagFilter[]): boolean {
  const wanted = new Map<number, unknown>()
  for (const { target, wanted: own } of filters) {
    const other = wanted.get(target)
    if (wanted.has(target) && !areCompatible(own, other)) return true
    // A variant is stricter than `true`.
    if (!wanted.has(target) || other === true) wanted.set(target, own)
  }
  return false
}

function areCompatible(one: unknown, other: unknown): boolean {
  if (one === other) return true
  // A flag with a variant is on, so that a filter for the variant and one for `true` agree.
  return (one === true && typeof other === 'string') || (other === true && typeof one === 'string')
}
