// Contains, prefix and suffix, ignoring the case of ASCII letters only: docs/reference/evaluation.md#text-operators.
import { isArray, type JsonValue } from '../../json'
import { foldAscii, propertyText, textOf } from '../values/text'
import type { MatchContext } from './property-test'

/** Comparisons of two units that take one step. */
const COMPARISONS_PER_STEP = 64

/**
 * Returns the steps that it takes at worst to search `count` substrings, of `units` units together, in a text of `length` units: `includes`
 * compares every unit of a substring at every position of the text where both repeat one letter.
 */
const searchSteps = (length: number, count: number, units: number): number =>
  Math.floor((length * (count + units)) / COMPARISONS_PER_STEP) + count - 1

/** Returns the test of one text operator for the text of the filter value. An array counts as its JSON text. */
export function textMatcher(
  operator: 'icontains' | 'starts_with' | 'ends_with',
  filter: JsonValue,
): (value: JsonValue, context: MatchContext) => boolean {
  const substring = foldAscii(textOf(filter))
  // Folding is idempotent and keeps lengths. A hit as written therefore needs no folding, and of a miss only the end in question is
  // folded.
  switch (operator) {
    case 'icontains':
      return (value, { budget }) => {
        const text = propertyText(value)
        if (!budget.spend(searchSteps(text.length, 1, substring.length))) return false
        return text.includes(substring) || foldAscii(text).includes(substring)
      }
    case 'starts_with':
      return (value) => {
        const text = propertyText(value)
        return text.startsWith(substring) || foldAscii(text.slice(0, substring.length)) === substring
      }
    case 'ends_with':
      return (value) => {
        const text = propertyText(value)
        return (
          text.endsWith(substring) ||
          (substring !== '' && foldAscii(text.slice(-substring.length)) === substring)
        )
      }
  }
}

/** Returns the test of `icontains_multi`, which matches when any element of the filter is contained. A scalar is its own only element. */
export function containsAnyMatcher(filter: JsonValue): (value: JsonValue, context: MatchContext) => boolean {
  const substrings = [
    ...new Set((isArray(filter) ? filter : [filter]).map((element) => foldAscii(textOf(element)))),
  ]
  const units = substrings.reduce((sum, substring) => sum + substring.length, 0)
  return (value, { budget }) => {
    const text = foldAscii(propertyText(value))
    if (!budget.spend(searchSteps(text.length, substrings.length, units))) return false
    return substrings.some((substring) => text.includes(substring))
  }
}
