// `regex` and `not_regex`: a search in the text of a property (reference §3.5).

import type { JsonValue } from '../../json'
import { regexCache } from '../values/regex-cache'
import { textOf } from '../values/text'
import type { MatchContext } from './moment'

/**
 * The test of a pattern, whose text is that of the filter value. Without an answer neither operator matches.
 * @param wanted true for `regex`, false for `not_regex`
 */
export function regexMatcher(
  filter: JsonValue,
  wanted: boolean,
): (value: JsonValue, context: MatchContext) => boolean {
  const pattern = textOf(filter)
  return (value, { budget }) => regexCache.search(pattern, textOf(value), budget) === wanted
}
