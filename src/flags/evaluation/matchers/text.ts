// Contains, prefix and suffix, ignoring the case of ASCII letters only (reference §3.4).

import { isArray, type JsonValue } from '../values/json'
import { foldAscii, textOf } from '../values/text'

/** The test of one text operator against the text of the filter value; an array counts as its JSON text. */
export function textMatcher(
  operator: 'icontains' | 'starts_with' | 'ends_with',
  filter: JsonValue,
): (value: JsonValue) => boolean {
  const part = foldAscii(textOf(filter))
  switch (operator) {
    case 'icontains':
      return (value) => foldAscii(textOf(value)).includes(part)
    case 'starts_with':
      return (value) => foldAscii(textOf(value)).startsWith(part)
    case 'ends_with':
      return (value) => foldAscii(textOf(value)).endsWith(part)
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
