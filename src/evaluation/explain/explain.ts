// Explains an evaluation: every condition and every property of a flag, whether or not it decided.
import type { CompiledCondition, CompiledFlag, CompiledFlagSet } from '../compile/compiled'
import { isRolledIn, hashability } from '../conditions'
import { EvaluationContext, type Subject } from '../context'
import { evaluateIn, type EvaluationOptions, selectFlags } from '../evaluate'
import { explainProperty, type PropertyExplanation, ShownValues } from './explain-property'
import type { FlagResult } from '../results'
import { ownValue, type JsonObject } from '../../json'
import { numberText } from '../values/text'

/** A condition set as test_evaluation shows it. */
export interface ConditionExplanation {
  /** Position in `filters.groups`, from 0. */
  readonly index: number
  /** Whether this is the condition that decided. */
  readonly matched: boolean
  /** Whether all properties hold, whatever the rollout and earlier conditions decided. It is true when there are none. */
  readonly properties_matched: boolean
  readonly explanation: string
  readonly rollout_percentage: number
  /** Whether the properties hold and the hash is outside the rollout. */
  readonly rollout_excluded: boolean
  /** The override as stored. */
  readonly variant: string | null
  readonly properties: readonly PropertyExplanation[]
}

export interface Explanation {
  readonly result: FlagResult
  /** One entry per condition set, in stored order. There are none for a flag that is disabled or does not parse. */
  readonly conditions: readonly ConditionExplanation[]
  /** The person's properties that the flag refers to. */
  readonly personProperties: JsonObject
}

/**
 * Evaluates one flag and explains it. Runtime, contexts and encryption leave nothing out here, and a disabled flag results in
 * `flag_disabled`. Enrollment and holdout appear in the reason and have no conditions: there is one entry per stored condition set.
 * Returns null when there is no such flag, or a dependency cycle keeps it from being evaluated.
 */
export function explain(
  set: CompiledFlagSet,
  flagKey: string,
  subject: Subject,
  options: Pick<EvaluationOptions, 'now' | 'timezone'>,
): Explanation | null {
  const context = new EvaluationContext(set, subject, options)
  const { byId } = evaluateIn(
    context,
    selectFlags(set, { ...options, flagKeys: [flagKey], includeEncrypted: true }),
  )
  const flag = set.byKey.get(flagKey)
  const result = flag && byId.get(flag.definition.id)
  if (flag === undefined || result === undefined) return null
  const disabled = result.reason.code === 'flag_disabled'
  const shown = new ShownValues()
  return {
    result,
    conditions: disabled
      ? []
      : flag.conditions.map((condition) => explainCondition(flag, condition, result, context, shown)),
    personProperties: referenced(flag, subject.personProperties),
  }
}

/** Returns the person properties to which a flag refers: those of its person filters, and its enrollment. */
function referenced({ conditions, enrollmentKey }: CompiledFlag, properties: JsonObject): JsonObject {
  const filters = conditions.flatMap(({ all }) => all.filter((filter) => filter.kind === 'person'))
  const keys = [...filters.map(({ key }) => key), ...(enrollmentKey === null ? [] : [enrollmentKey])]
  const entries = keys.map((key) => [key, ownValue(properties, key)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function explainCondition(
  flag: CompiledFlag,
  condition: CompiledCondition,
  result: FlagResult,
  context: EvaluationContext,
  shown: ShownValues,
): ConditionExplanation {
  const properties = condition.all.map((filter) => explainProperty(filter, context, shown))
  const propertiesMatched = properties.every((property) => property.matched)
  const matched =
    result.reason.code === 'condition_match' && result.reason.condition_index === condition.index
  const rollout = propertiesMatched && !matched ? rolloutOf(flag, condition, context) : 'included'
  const explained = { flag, condition, context, result, matched, propertiesMatched, rollout }
  return {
    index: condition.index,
    matched,
    properties_matched: propertiesMatched,
    explanation: `Condition set ${condition.index + 1} ${verdict(explained)}`,
    rollout_percentage: condition.percentage,
    rollout_excluded: rollout === 'excluded',
    variant: condition.override,
    properties,
  }
}

interface Verdict {
  readonly flag: CompiledFlag
  readonly condition: CompiledCondition
  readonly context: EvaluationContext
  readonly result: FlagResult
  readonly matched: boolean
  readonly propertiesMatched: boolean
  readonly rollout: Rollout
}

/** Whether a rollout includes a subject. It is unknown when the budget has no steps for the hash. */
type Rollout = 'included' | 'excluded' | 'unknown'

/** Without a group or a device to hash, a rollout excludes no one. */
function rolloutOf(flag: CompiledFlag, condition: CompiledCondition, context: EvaluationContext): Rollout {
  const { exceeded } = context.budget
  const isIncluded = hashability(flag, condition, context) !== 'ready' || isRolledIn(flag, condition, context)
  if (context.budget.exceeded > exceeded) return 'unknown'
  return isIncluded ? 'included' : 'excluded'
}

function verdict(explained: Verdict): string {
  const { percentage } = explained.condition
  if (explained.matched) return `matched and passed ${numberText(percentage)}% rollout`
  if (!explained.propertiesMatched) return 'did not match properties'
  if (explained.rollout === 'unknown')
    return `matched properties, and its ${numberText(percentage)}% rollout would take too long to check`
  if (explained.rollout === 'excluded')
    return `matched properties but was excluded by ${numberText(percentage)}% rollout`
  return `matched properties but was not evaluated ${undecidedBecause(explained)}`
}

/** Explains why a condition that could have matched did not decide. */
function undecidedBecause({ result, flag, condition, context }: Verdict): string {
  switch (result.reason.code) {
    case 'super_condition_value':
      return 'because feature enrollment decided'
    case 'holdout_condition_value':
      return 'because the holdout decided'
    case 'missing_dependency':
      return 'because a flag that this one depends on does not exist'
    case 'flag_disabled':
      return 'because the flag is disabled'
    case 'data_parsing_error':
    case 'cohort_filters_parsing_error':
    case 'dependency_not_found_cohort':
    case 'dependency_cycle_cohort':
    case 'timeout':
      return 'because the flag could not be evaluated'
    case 'condition_match':
    case 'out_of_rollout_bound':
    case 'no_condition_match':
    case 'no_group_type':
      break
  }
  switch (hashability(flag, condition, context)) {
    case 'groupless':
      return 'because no group was given for it'
    case 'skipped':
      return 'because no device id was given'
    case 'ready':
      return result.enabled
        ? 'due to an earlier condition matching'
        : 'because an earlier condition ended evaluation'
  }
}
