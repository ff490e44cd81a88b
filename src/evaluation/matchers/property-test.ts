// Tests properties within the budget of an evaluation.
import type { JsonValue } from '../../json'
import type { EvaluationBudget } from '../budget'
import { needsText, propertyText } from '../values/text'

/** The time and time zone for which dates are resolved. */
export interface EvaluationTime {
  /** The time in epoch milliseconds. */
  readonly now: number
  /** IANA name of the project's time zone. */
  readonly timezone: string
}

export interface MatchContext extends EvaluationTime {
  readonly budget: EvaluationBudget
}

/** Whether a value that is present satisfies a filter. */
export type Matcher = (value: JsonValue, context: MatchContext) => boolean

/** A compiled filter: its result for an absent property, and its test for a present one. */
export interface PropertyTest {
  readonly absent: boolean
  readonly present: Matcher
}

/** Steps of checking a short value. */
const STEPS_PER_CHECK = 1
/** Units of text that cost no further steps. Many thousands of conditions may read one text. */
const FREE_UNITS = 100
/** Units of a longer text that cost one step. A test reads the text at most a few times. */
const UNITS_PER_STEP = 2
/** Steps for a unit of the JSON of an object or a list, whose keys are sorted. They are counted once. */
const STEPS_PER_PRINTED_UNIT = 2

/**
 * Whether a property passes a test. A value that is too long for the budget passes none.
 * @param value undefined when the subject does not have the property.
 */
export function matchesProperty(
  { absent, present }: PropertyTest,
  value: JsonValue | undefined,
  context: MatchContext,
): boolean {
  if (value === undefined) return spendFor(STEPS_PER_CHECK, context) && absent
  return spendFor(STEPS_PER_CHECK + stepsFor(value), context) && present(value, context)
}

function stepsFor(value: JsonValue): number {
  if (typeof value === 'string') return readingSteps(value.length)
  if (typeof value !== 'object' || value === null) return 0
  const isNew = needsText(value)
  const { length } = propertyText(value)
  return readingSteps(length) + (isNew && length > FREE_UNITS ? length * STEPS_PER_PRINTED_UNIT : 0)
}

/** Returns the steps of reading a text of this length. */
export const readingSteps = (units: number): number => (units > FREE_UNITS ? units / UNITS_PER_STEP : 0)

/** Spends steps, if there are any to spend. */
export const spendFor = (steps: number, { budget }: MatchContext): boolean =>
  steps === 0 || budget.spend(steps)
