// Evaluates the flags of a project for one subject.

import type { CompiledFlag, CompiledFlagSet } from './compiled'
import { EvaluationContext, type Subject } from './context'
import { byDependency, closureOf } from './dependencies'
import { evaluateFlag } from './evaluate-flag'
import type { EvaluationBudget } from './budget'
import type { Moment } from './matchers/moment'
import type { FlagResult } from './results'

/** How and of what an evaluation is made. */
export interface EvaluationOptions extends Moment {
  /** The budget of the evaluation; pass one to several evaluations to bound them together. Default: a new one. */
  readonly budget?: EvaluationBudget
  /** Only these flags, and what they depend on; null or absent for all. */
  readonly flagKeys?: readonly string[] | null
  /**
   * The runtime of the caller: flags meant for another one are left out. `all`, the default, leaves none out;
   * `unknown` leaves out every flag that names a runtime (reference §8.5).
   */
  readonly runtime?: 'all' | 'client' | 'server' | 'unknown'
  /** Where the caller runs: flags that name contexts are left out unless they name one of these. Empty for anywhere. */
  readonly evaluationContexts?: ReadonlySet<string>
  /** Whether flags that are inactive or archived are answered too, with `flag_disabled`, instead of left out. */
  readonly includeDisabled?: boolean
  /** Whether flags with encrypted payloads are evaluated; the payload then comes as stored. */
  readonly includeEncrypted?: boolean
}

export interface Evaluation {
  /** Results by flag key, in the order of the definitions. */
  readonly flags: ReadonlyMap<string, FlagResult>
  readonly errorsWhileComputingFlags: boolean
}

/**
 * Evaluates flags for a subject (reference §0). Flags that are left out count as off for those that depend on them.
 * Flags in a dependency cycle, and behind one, have no answer: they are absent, and the evaluation has errors.
 */
export function evaluate(set: CompiledFlagSet, subject: Subject, options: EvaluationOptions): Evaluation {
  return evaluateIn(new EvaluationContext(set, subject, options), options)
}

/** Evaluates with a context of the caller's, which then holds the outcome of every flag that was looked at. */
export function evaluateIn(context: EvaluationContext, options: EvaluationOptions): Evaluation {
  const { set } = context
  const isLive = (flag: CompiledFlag): boolean => isIncluded(flag, options)
  const wanted = wantedFlags(set, options, isLive)
  const outcomes = new Map<number, FlagResult>()
  context.outcomes = outcomes
  const place = (flag: CompiledFlag): void => {
    if (wanted !== null && !wanted.has(flag)) return
    outcomes.set(flag.definition.id, isLive(flag) ? evaluateFlag(flag, context) : disabled(flag))
  }
  set.ordered.forEach(place)
  const cyclic = evaluateUnordered(set, isLive, place)
  return {
    flags: collect(set, outcomes, options, isLive),
    errorsWhileComputingFlags:
      cyclic.some((flag) => wanted === null || wanted.has(flag)) ||
      [...outcomes.values()].some((result) => result.failed),
  }
}

const disabled = (flag: CompiledFlag): FlagResult => flag.results.miss('flag_disabled', null)

function wantedFlags(
  set: CompiledFlagSet,
  { flagKeys }: EvaluationOptions,
  isLive: (flag: CompiledFlag) => boolean,
): ReadonlySet<CompiledFlag> | null {
  if (flagKeys === undefined || flagKeys === null) return null
  const named = flagKeys.map((key) => set.byKey.get(key)).filter((flag) => flag !== undefined)
  return closureOf(named, set.byId, isLive)
}

/**
 * A flag that is left out is off, whatever it depends on: it breaks a cycle that the definitions have. Places what
 * that frees, and returns the flags that stay without an order.
 */
function evaluateUnordered(
  { unordered }: CompiledFlagSet,
  isLive: (flag: CompiledFlag) => boolean,
  place: (flag: CompiledFlag) => void,
): readonly CompiledFlag[] {
  if (unordered.length === 0) return unordered
  const live = unordered.filter(isLive)
  for (const flag of unordered) if (!isLive(flag)) place(flag)
  const rest = byDependency(live, new Map(live.map((flag) => [flag.definition.id, flag])))
  rest.ordered.forEach(place)
  return rest.unordered
}

function collect(
  set: CompiledFlagSet,
  outcomes: ReadonlyMap<number, FlagResult>,
  { includeDisabled = false }: EvaluationOptions,
  isLive: (flag: CompiledFlag) => boolean,
): ReadonlyMap<string, FlagResult> {
  const flags = new Map<string, FlagResult>()
  for (const flag of set.flags) {
    const result = outcomes.get(flag.definition.id)
    if (result === undefined) continue
    if (isLive(flag) || (includeDisabled && !isEnabled(flag))) flags.set(flag.key, result)
  }
  return flags
}

const ANYWHERE: ReadonlySet<string> = new Set()

const isEnabled = ({ definition }: CompiledFlag): boolean => definition.active && definition.archived !== true

/** Whether a flag takes part at all (§0.1, §8.5). */
function isIncluded(flag: CompiledFlag, options: EvaluationOptions): boolean {
  if (!isEnabled(flag)) return false
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
