// `regex` and `not_regex`: a search in the text of a property (reference §3.5).

import type { JsonValue } from '../../../json'
import { compileRegex, type RegexTest } from '../values/regex'
import { textOf } from '../values/text'

/**
 * The test of a pattern, whose text is that of the filter value. A refused pattern matches under neither operator.
 * @param wanted true for `regex`, false for `not_regex`
 */
export function regexMatcher(filter: JsonValue, wanted: boolean): (value: JsonValue) => boolean {
  // Compiled at first use: a set of flags holds many patterns, most of which one evaluation never reaches.
  let test: RegexTest | null | undefined
  return (value) => {
    if (test === undefined) test = compileRegex(textOf(filter))
    return test !== null && test(textOf(value)) === wanted
  }
}
