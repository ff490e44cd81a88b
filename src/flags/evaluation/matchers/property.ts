// Whether a property passes a test, as far as the budget allows to tell.

import type { JsonValue } from '../../../json'
import { textOf } from '../values/text'
import type { PropertyTest } from './matcher'
import type { MatchContext } from './moment'

/** Units of text that a test works through without asking. */
const FREE_UNITS = 1_000
/** Units of a longer text that cost a step: every test reads the text at most a few times. */
const UNITS_PER_STEP = 2

/**
 * Whether a property passes.
 * @param value undefined: the subject does not have the property. What is too long for the budget passes nothing.
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

/** Lengths of the texts of objects and lists: a request brings few, which many filters read. */
const lengths = new WeakMap<object, number>()

/** Units of the text of a value. */
function unitsOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let units = lengths.get(value)
  if (units === undefined) lengths.set(value, (units = textOf(value).length))
  return units
}
