// The operator `exact`: equality of text ignoring case, and the truth rules on which older filters rely.
import type { MatchingVersion } from '../compile/definitions'
import { isArray, type JsonValue } from '../../json'
import { foldUnicode, propertyText, textOf } from '../values/text'

/** Returns the test of `exact`, whose complement is `is_not` (docs/reference/evaluation.md#equality). */
export function equalityMatcher(filter: JsonValue, version: MatchingVersion): (value: JsonValue) => boolean {
  if (version === 1 && isBooleanLike(filter)) {
    const wanted = isTruthy(filter)
    return (value) => isTruthy(value) === wanted
  }
  if (isArray(filter)) return filter.length === 0 ? isTruthy : oneOf(filter)
  return sameText(textOf(filter))
}

function oneOf(filter: readonly JsonValue[]): (value: JsonValue) => boolean {
  const texts = new Set(filter.map((element) => foldUnicode(textOf(element))))
  return (value) => {
    const text = propertyText(value)
    // A text among the folded ones equals its own fold, so that the usual hit needs no folding.
    return texts.has(text) || texts.has(foldUnicode(text))
  }
}

function sameText(wanted: string): (value: JsonValue) => boolean {
  const folded = foldUnicode(wanted)
  // Folding keeps the length of ASCII text, so that a text of another length differs without folding.
  const length = /^[\0-\x7f]*$/.test(folded) ? folded.length : -1
  return (value) => {
    const text = propertyText(value)
    if (text === wanted) return true
    return (length < 0 || text.length === length) && foldUnicode(text) === folded
  }
}

/**
 * Whether a filter value is boolean-like in the legacy version: a boolean, its text in any case, or an array of such values, which may be
 * empty.
 */
function isBooleanLike(filter: JsonValue): boolean {
  if (isArray(filter)) return filter.every(isBooleanLike)
  if (typeof filter === 'boolean') return true
  return typeof filter === 'string' && /^(?:true|false)$/i.test(filter)
}

/** Whether a value is true: `true`, its text in any case, or an array of such values. `[]` is true, while "yes" and 1 are not. */
function isTruthy(value: JsonValue): boolean {
  if (isArray(value)) return value.every(isTruthy)
  return value === true || (typeof value === 'string' && value.length === 4 && foldUnicode(value) === 'true')
}
