import type { CompiledFlag, CompiledFlagSet } from './compile/compiled'
import { EvaluationContext, type Subject } from './context'
import { byDependency, closureOf } from './compile/dependency-order'
import { evaluateFlag } from './evaluate-flag'
import type { EvaluationBudget } from './budget'
import type { EvaluationTime } from './matchers/property-test'
import { FLAG_DISABLED, type FlagResult } from './results'

export interface EvaluationOptions extends EvaluationTime {
  /** The budget of the evaluation. Several evaluations can share one. The default is a new one. */
  readonly budget?: EvaluationBudget
  /** Keys of the flags to evaluate, with their dependencies. Null or absent means all flags. */
  readonly flagKeys?: readonly string[] | null
  /**
   * The runtime of the caller. Flags for another runtime are left out. `all`, the default, leaves none out, and `unknown` leaves out
   * every flag that names a runtime.
   */
  readonly runtime?: 'all' | 'client' | 'server' | 'unknown'
  /** Contexts of the caller. A flag that names contexts is left out unless it names one of these. Without any, none is left out. */
  readonly evaluationContexts?: ReadonlySet<string>
  /** Whether inactive and archived flags that the other options do not leave out are included, with `flag_disabled`. */
  readonly includeDisabled?: boolean
  /** Whether flags with encrypted payloads are evaluated. The payload is then the stored one. */
  readonly includeEncrypted?: boolean
}

export interface Evaluation {
  /** Results by flag key, in the order of the definitions. */
  readonly flags: ReadonlyMap<string, FlagResult>
  readonly errorsWhileComputingFlags: boolean
}

/** Results before they are put in order. */
export interface Outcomes {
  /** Results by flag id, of flags that were evaluated. Flags that were left out have FLAG_DISABLED. */
  readonly byId: ReadonlyMap<number, FlagResult>
  readonly errorsWhileComputingFlags: boolean
}

/**
 * Evaluates flags for a subject (docs/reference/evaluation.md#the-evaluation-of-a-set-of-flags). Flags that are left out count as off for
 * those that depend on them. Flags in a dependency cycle, and flags that depend on one, have no result: they are absent, and the
 * evaluation has errors.
 */
export function evaluate(set: CompiledFlagSet, subject: Subject, options: EvaluationOptions): Evaluation {
  const context = new EvaluationContext(set, subject, options)
  const { byId, errorsWhileComputingFlags } = evaluateIn(context, selectFlags(set, options))
  return { flags: resultsByKey(set, byId, options), errorsWhileComputingFlags }
}

/** The flags that one evaluation evaluates. */
export interface Selection {
  /** Each flag comes after those on which it depends. */
  readonly ordered: readonly CompiledFlag[]
  /** Flags of cycles in the definitions, and flags that depend on one. */
  readonly unordered: readonly CompiledFlag[]
  /** Results of flags that are left out, by flag id. The evaluation adds the others. */
  readonly outcomes: Map<number, FlagResult>
}

/** Steps of selecting a flag or leaving it out. */
const STEPS_PER_SELECTED_FLAG = 1

/** Evaluates with the caller's context, which then has the outcome of every flag that was reached. */
export function evaluateIn(
  context: EvaluationContext,
  { ordered, unordered, outcomes }: Selection,
): Outcomes {
  context.outcomes = outcomes
  // The selection visits every flag, whatever it selects.
  context.budget.giveBack(-context.set.flags.length * STEPS_PER_SELECTED_FLAG)
  let hasErrors = false
  const run = (flag: CompiledFlag) => {
    const result = evaluateFlag(flag, context)
    if (result.failed) hasErrors = true
    outcomes.set(flag.definition.id, result)
  }
  for (const flag of ordered) run(flag)
  context.budget.giveBack(-orderingSteps(unordered))
  if (unordered.length > 0 && runUnordered(unordered, run).length > 0) hasErrors = true
  return { byId: outcomes, errorsWhileComputingFlags: hasErrors }
}

/** Returns the steps of putting flags in the order of their dependencies. */
const orderingSteps = (flags: readonly CompiledFlag[]): number =>
  flags.reduce((sum, { dependencies }) => sum + 1 + dependencies.length, 0)

/** Selects the flags that an evaluation with these options evaluates. A flag that is left out is off for those that depend on it. */
export function selectFlags(set: CompiledFlagSet, options: EvaluationOptions): Selection {
  const outcomes = new Map<number, FlagResult>()
  const isEvaluated = (flag: CompiledFlag): boolean => {
    if (isIncluded(flag, options)) return true
    outcomes.set(flag.definition.id, FLAG_DISABLED)
    return false
  }
  let isSelected = isEvaluated
  if (options.flagKeys) {
    const named = options.flagKeys.map((key) => set.byKey.get(key)).filter((flag) => flag !== undefined)
    const closure = closureOf(named, set.byId, isEvaluated)
    isSelected = (flag) => closure.has(flag) && !outcomes.has(flag.definition.id)
  }
  return { ordered: set.ordered.filter(isSelected), unordered: set.unordered.filter(isSelected), outcomes }
}

/** Evaluates the flags outside of cycles, and returns the others. Flags that are not evaluated break cycles of the definitions. */
function runUnordered(
  live: readonly CompiledFlag[],
  run: (flag: CompiledFlag) => void,
): readonly CompiledFlag[] {
  const { ordered, unordered } = byDependency(live, new Map(live.map((flag) => [flag.definition.id, flag])))
  ordered.forEach(run)
  return unordered
}

/**
 * Returns results by flag key, in the order of the definitions: those of evaluated flags, and with `includeDisabled` those of
 * inactive ones.
 */
export function resultsByKey(
  set: CompiledFlagSet,
  outcomes: ReadonlyMap<number, FlagResult>,
  options: EvaluationOptions,
): ReadonlyMap<string, FlagResult> {
  const flags = new Map<string, FlagResult>()
  for (const flag of set.flags) {
    const result = outcomes.get(flag.definition.id)
    if (result === undefined) continue
    const isShown = options.includeDisabled === true && !isEnabled(flag) && isOffered(flag, options)
    if (result !== FLAG_DISABLED || isShown) flags.set(flag.key, result)
  }
  return flags
}

const ANYWHERE: ReadonlySet<string> = new Set()

const isEnabled = ({ definition }: CompiledFlag): boolean => definition.active && definition.archived !== true

/** Whether a flag is evaluated, because it is on and the caller may see it. */
const isIncluded = (flag: CompiledFlag, options: EvaluationOptions): boolean =>
  isEnabled(flag) && isOffered(flag, options)

/** Whether the caller may see a flag, active or not. */
function isOffered(flag: CompiledFlag, options: EvaluationOptions): boolean {
  if (flag.definition.has_encrypted_payloads === true && options.includeEncrypted !== true) return false
  return runsIn(flag, options.runtime ?? 'all') && isInContext(flag, options.evaluationContexts ?? ANYWHERE)
}

function runsIn({ definition }: CompiledFlag, runtime: 'all' | 'client' | 'server' | 'unknown'): boolean {
  const meant = definition.evaluation_runtime
  return runtime === 'all' || (meant !== 'client' && meant !== 'server') || meant === runtime
}

function isInContext({ definition }: CompiledFlag, contexts: ReadonlySet<string>): boolean {
  if (contexts.size === 0) return true
  const named = definition.evaluation_contexts ?? []
  return named.length === 0 || named.some((name) => contexts.has(name))
}
