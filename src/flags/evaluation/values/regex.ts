// Regular expressions that users write, run in linear time.

import { RE2JS } from 're2js'
import { toEngineDialect } from './regex-dialect'

/** Whether a text contains a match of the pattern. */
export type RegexTest = (text: string) => boolean

/**
 * Longest pattern accepted, in UTF-16 units: as written, and with `\w` and its like spelled out. Compilation time grows
 * with the latter, and patterns come from users; the longest take some 100 ms.
 */
const LONGEST_PATTERN = 10_000
const LONGEST_TRANSLATION = 30_000

/**
 * Compiles a pattern of reference §3.5 to an unanchored, case-sensitive search; null when the pattern is refused.
 * Refused are patterns that are not valid, and those that no linear-time engine can run: back-references, look-ahead,
 * atomic groups and possessive repetition. Look-behind without captures runs in linear time and is accepted.
 * `\b` knows ASCII words only, unlike `\w`: between two non-ASCII letters it sees no word.
 */
export function compileRegex(pattern: string): RegexTest | null {
  if (pattern.length > LONGEST_PATTERN) return null
  const translated = toEngineDialect(pattern)
  if (translated === null || translated.length > LONGEST_TRANSLATION) return null
  try {
    const compiled = RE2JS.compile(translated, RE2JS.LOOKBEHINDS)
    return (text) => compiled.test(text)
  } catch {
    return null
  }
}
