// Contains, prefix and suffix, ignoring the case of ASCII letters only: docs/reference/evaluation.md#text-operators.
import { isArray, type JsonValue } from '../../json'
import { foldAscii, propertyText, textOf } from '../values/text'
import type { MatchContext } from './property-test'

/** Comparisons of two units that take one step. */
const COMPARISONS_PER_STEP = 64

/**
 * Returns the steps that it takes at worst to search `parts` parts, of `units` units together, in a text of `length` units: `includes`
 * compares every unit of a part at every position of the text where both repeat one letter.
 */
const searchSteps = (length: number, parts: number, units: number): number =>
  Math.floor((length * (parts + units)) / COMPARISONS_PER_STEP) + parts - 1

/** Returns the test of one text operator for the text of the filter value. An array counts as its JSON text. */
export function textMatcher(
  operator: 'icontains' | 'starts_with' | 'ends_with',
  filter: JsonValue,
): (value: JsonValue, context: MatchContext) => boolean {
  const part = foldAscii(textOf(filter))
  // Folding is idempotent and keeps lengths. A hit as written therefore needs no folding, and of a miss only the end in question is
  // folded.
  switch (operator) {
    case 'icontains':
      return (value, { budget }) => {
        const text = propertyText(value)
        if (!budget.spend(searchSteps(text.length, 1, part.length))) return false
        return text.includes(part) || foldAscii(text).includes(part)
      }
    case 'starts_with':
      return (value) => {
        const text = propertyText(value)
        return text.startsWith(part) || foldAscii(text.slice(0, part.length)) === part
      }
    case 'ends_with':
      return (value) => {
        const text = propertyText(value)
        return text.endsWith(part) || (part !== '' && foldAscii(text.slice(-part.length)) === part)
      }
  }
}

/** Returns the test of `icontains_multi`, which matches when any element of the filter is contained. A scalar is its own only element. */
export function containsAnyMatcher(filter: JsonValue): (value: JsonValue, context: MatchContext) => boolean {
  const parts = [
    ...new Set((isArray(filter) ? filter : [filter]).map((element) => foldAscii(textOf(element)))),
  ]
  const units = parts.reduce((sum, part) => sum + part.length, 0)
  return (value, { budget }) => {
    const text = foldAscii(propertyText(value))
    if (!budget.spend(searchSteps(text.length, parts.length, units))) return false
    return parts.some((part) => text.includes(part))
  }
}
