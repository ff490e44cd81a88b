import type { CompiledFilter } from '../compile/compiled'
import type { EvaluationContext } from '../context'
import { holds, personValue } from '../filters'
import { isPropertyOperator, type PropertyOperator } from '../matchers/operators'
import type { JsonValue } from '../../json'
import { jsonText, propertyText } from '../values/text'

/** One filter of a condition, as test_evaluation shows it. */
export interface PropertyExplanation {
  readonly key: string
  /** The token as stored, or `exact` when the filter has none. */
  readonly operator: string
  readonly value: JsonValue
  readonly type: string
  /** The subject's value under the key. It is null when there is none or it is too long, and always for cohorts and flags. */
  readonly actual_value: JsonValue
  readonly matched: boolean
  readonly explanation: string
}

/**
 * Maximum units of values that an explanation shows, because a long value may stand next to each of thousands of filters. Values of at
 * most MAX_SHORT_UNITS are not counted.
 */
const MAX_SHOWN_UNITS = 4_000_000
const MAX_SHORT_UNITS = 1_000

/** Counts down MAX_SHOWN_UNITS. */
export class ShownValues {
  #left = MAX_SHOWN_UNITS

  /** Whether a value may be shown. If so, it is counted. */
  take(value: JsonValue): boolean {
    const { length } = propertyText(value)
    if (length <= MAX_SHORT_UNITS) return true
    if (length > this.#left) return false
    this.#left -= length
    return true
  }
}

/** Explains a filter by itself, whatever the results of the filters before it. */
export function explainProperty(
  filter: CompiledFilter,
  context: EvaluationContext,
  shown: ShownValues,
): PropertyExplanation {
  const { stored } = filter
  const { exceeded, stopped } = context.budget
  const matched = problemOf(filter, context) === null && holds(filter, context)
  const problem =
    context.budget.exceeded > exceeded
      ? TOO_LONG
      : context.budget.stopped > stopped
        ? TOO_MANY_STEPS
        : problemOf(filter, context)
  const actual = actualValue(filter, context) ?? null
  const isShown = shown.take(actual)
  const explanation = explanationOf(filter, context, matched, problem)
  return {
    key: stored.key,
    operator: operatorOf(filter) ?? 'exact',
    value: stored.value,
    type: stored.type,
    actual_value: isShown ? actual : null,
    matched: matched && problem === null,
    explanation: isShown ? explanation : `${explanation} (the value is too long to be shown here)`,
  }
}

const TOO_LONG = 'it would take too long to check'
const TOO_MANY_STEPS = 'the regular expression takes too many steps on this value, so it does not match'

/** Returns the operator. Of cohorts it is `in` when there is none. */
function operatorOf({ kind, stored: { operator } }: CompiledFilter): PropertyOperator | null {
  if (operator !== null && isPropertyOperator(operator)) return operator
  return kind === 'cohort' ? 'in' : null
}

function actualValue(filter: CompiledFilter, context: EvaluationContext): JsonValue | undefined {
  switch (filter.kind) {
    case 'person':
      return personValue(filter, context)
    case 'group':
      return context.groupProperty(filter.groupIndex, filter.key)
    case 'flag':
    case 'cohort':
      return undefined
  }
}

/** Returns why a filter cannot be checked: the target failed, or the cohort is missing, circular or malformed. */
function problemOf(filter: CompiledFilter, context: EvaluationContext): string | null {
  switch (filter.kind) {
    case 'person':
    case 'group':
      return null
    case 'flag':
      return context.outcomes?.get(filter.target)?.failed === true ? 'that flag could not be evaluated' : null
    case 'cohort': {
      const cohort = context.set.cohorts.get(filter.id)
      return cohort !== undefined && cohort.problem === null ? null : 'that cohort could not be checked'
    }
  }
}

function explanationOf(
  filter: CompiledFilter,
  context: EvaluationContext,
  matched: boolean,
  problem: string | null,
): string {
  const operator = operatorOf(filter)
  const statement = `Property '${filter.stored.key}' ${labelOf(operator, matched)}${operand(operator, filter)}`
  if (problem !== null) return `${statement} (${problem})`
  const unsure = filter.kind === 'cohort' && context.set.cohorts.get(filter.id)?.unsupported === true
  return unsure ? `${statement} (its event-based conditions could not be checked)` : statement
}

function operand(operator: PropertyOperator | null, { stored }: CompiledFilter): string {
  if (operator === 'is_set' || operator === 'is_not_set') return ''
  return ` ${stored.value === null ? '(empty)' : jsonText(stored.value)}`
}

/** Upstream's words between a property and the filter's value, when the filter holds, and when it does not. */
const LABELS: Readonly<Partial<Record<PropertyOperator, readonly [matched: string, unmatched: string]>>> = {
  exact: ['equals', 'does not equal'],
  is_not: ['does not equal', 'equals'],
  icontains: ['contains', 'does not contain'],
  not_icontains: ['does not contain', 'contains'],
  regex: ['matches regex', 'does not match regex'],
  not_regex: ['does not match regex', 'matches regex'],
  gt: ['>', '<='],
  gte: ['>=', '<'],
  lt: ['<', '>='],
  lte: ['<=', '>'],
  in: ['is in', 'is not in'],
  not_in: ['is not in', 'is in'],
  is_set: ['is set', 'is not set'],
  is_not_set: ['is not set', 'is set'],
  flag_evaluates_to: ['evaluates to', 'does not evaluate to'],
}

/** @param operator null for a filter without one */
function labelOf(operator: PropertyOperator | null, matched: boolean): string {
  const [label, otherwise] = (operator && LABELS[operator]) ?? [operator ?? 'exact', 'does not match']
  return matched ? label : otherwise
}
