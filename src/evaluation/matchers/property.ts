// Tests a property within the budget of the evaluation.

import type { JsonValue } from '../../json'
import { textOf } from '../values/text'
import type { PropertyTest } from './matcher'
import type { MatchContext } from './moment'

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

/** Units of the text of a value. */
function unitsOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let units = lengths.get(value)
  if (units === undefined) lengths.set(value, (units = textOf(value).length))
  return units
}
