// Contains, prefix and suffix, ignoring the case of ASCII letters only (reference §3.4).

import { isArray, type JsonValue } from '../../../json'
import { foldAscii, textOf } from '../values/text'

/** The test of one text operator against the text of the filter value; an array counts as its JSON text. */
export function textMatcher(
  operator: 'icontains' | 'starts_with' | 'ends_with',
  filter: JsonValue,
): (value: JsonValue) => boolean {
  const part = foldAscii(textOf(filter))
  // Folding changes no lengths, and leaves alone what is folded: a hit as written needs no folding, and of a miss only
  // the end in question is folded.
  switch (operator) {
    case 'icontains':
      return (value) => {
        const text = textOf(value)
        return text.includes(part) || foldAscii(text).includes(part)
      }
    case 'starts_with':
      return (value) => {
        const text = textOf(value)
        return text.startsWith(part) || foldAscii(text.slice(0, part.length)) === part
      }
    case 'ends_with':
      return (value) => {
        const text = textOf(value)
        return text.endsWith(part) || (part !== '' && foldAscii(text.slice(-part.length)) === part)
      }
  }
}

/** The test of `icontains_multi`: any element of the filter is contained; a scalar is its own only element. */
export function containsAnyMatcher(filter: JsonValue): (value: JsonValue) => boolean {
  const parts = (isArray(filter) ? filter : [filter]).map((element) => foldAscii(textOf(element)))
  return (value) => {
    const text = foldAscii(textOf(value))
    return parts.some((part) => text.includes(part))
  }
}
