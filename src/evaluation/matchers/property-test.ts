// Tests of a property within the budget of an evaluation.
import type { JsonValue } from '../../json'
import type { EvaluationBudget } from '../budget'
import { textOf } from '../values/text'

/** The time and place for which dates are resolved. */
export interface EvaluationTime {
  /** Epoch milliseconds. */
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

/** Units of text that cost no steps. */
const FREE_UNITS = 1_000
/** Units of a longer text that cost a step: a test reads the text a few times at most. */
const UNITS_PER_STEP = 2

/**
 * Whether a property passes a test. A value that is too long for the budget passes none.
 * @param value undefined when the subject does not have the property.
 */
export function matchesProperty(
  { absent, present }: PropertyTest,
  value: JsonValue | undefined,
  context: MatchContext,
): boolean {
  if (value === undefined) return absent
  const units = unitsOf(value)
  if (units > FREE_UNITS && !context.budget.spend(units / UNITS_PER_STEP)) return false
  return present(value, context)
}

/** Text lengths of objects and lists, which many filters of one request read. */
const lengths = new WeakMap<object, number>()

function unitsOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let units = lengths.get(value)
  if (units === undefined) lengths.set(value, (units = textOf(value).length))
  return units
}
