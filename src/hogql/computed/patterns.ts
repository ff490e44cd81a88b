// Functions of regular expressions as ClickHouse has them: they are RE2's, `.` matches line breaks as well, and empty matches count as
// there.
import { type Matcher, RE2JS, RE2JSException } from 're2js'
import { programSizeOf } from '../../evaluation/regex/regex-size'
import { HogqlError } from '../error'
import { MAX_PATTERN_INSTRUCTIONS, type PatternBudget, type Take } from './limits'

/** The most characters of a pattern. */
const MAX_PATTERN = 1_000

export interface Pattern {
  expression: RE2JS
  /** The number of instructions, which is the maximum cost of a character. */
  size: number
}

/**
 * Returns the instructions of a pattern.
 * @throws HogqlError for a long pattern, and for one that exceeds the budget, before it is compiled
 */
function instructionsOf(pattern: string, budget: PatternBudget): number {
  if (pattern.length > MAX_PATTERN) {
    throw new HogqlError(
      `A regular expression has at most ${MAX_PATTERN} characters, and this one ${pattern.length}.`,
      null,
      'query_too_large',
    )
  }
  const size = programSizeOf(pattern)
  if (!budget.compile(size)) {
    throw new HogqlError(
      `The regular expressions of a query have at most ${MAX_PATTERN_INSTRUCTIONS.toLocaleString('en')} instructions together in the built-in database, with repetitions written out: use fewer or smaller ones, or connect ClickHouse.`,
      null,
      'query_too_large',
    )
  }
  return size
}

/** Matches patterns without operators, which match where they occur as text. */
const IS_PLAIN = /^[\w /;-]*$/

export interface Test {
  /** The maximum cost of a character, in instructions. */
  size: number
  test(text: string): boolean
}

/**
 * Returns a test of whether a text matches. A plain pattern is not compiled, because there may be many.
 * @throws HogqlError as `compilePattern` does
 */
export function compileTest(pattern: string, budget: PatternBudget): Test {
  if (!IS_PLAIN.test(pattern)) {
    const { size, expression } = compilePattern(pattern, budget)
    return { size, test: (text) => expression.test(text) }
  }
  instructionsOf(pattern, budget)
  return { size: 1, test: (text) => text.includes(pattern) }
}

/**
 * @throws HogqlError for text that is no pattern of RE2; and, before the pattern is compiled, for a long one and one that exceeds the
 * budget
 */
export function compilePattern(pattern: string, budget: PatternBudget): Pattern {
  const size = instructionsOf(pattern, budget)
  try {
    return { expression: RE2JS.compile(pattern, RE2JS.DOTALL), size }
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw new HogqlError(
      `'${pattern}' is not a regular expression of RE2: ${error.message.replace('(?s)', '')}.`,
      null,
      'invalid_query',
    )
  }
}

/** Returns the matches from left to right. An empty match ends them. */
function* matchesIn(matcher: Matcher, text: string): Generator<Matcher> {
  for (
    let at = 0;
    at < text.length && matcher.find(at) && matcher.end() > matcher.start();
    at = matcher.end()
  ) {
    yield matcher
  }
}

/** Returns the first group, or the whole match without groups. */
const extracted = (matcher: Matcher): string => matcher.group(Math.min(1, matcher.groupCount())) ?? ''

export const extract = (expression: RE2JS, text: string): string => {
  const matcher = expression.matcher(text)
  return matcher.find() ? extracted(matcher) : ''
}

export const extractAll = (expression: RE2JS, text: string): string[] =>
  Array.from(matchesIn(expression.matcher(text), text), extracted)

/** The number of characters of the quotes around a group. They count towards the size, because many groups may be empty. */
const QUOTES = 2

export const extractAllGroups = (expression: RE2JS, text: string, take: Take): string[][] =>
  Array.from(matchesIn(expression.matcher(text), text), (matcher) =>
    Array.from({ length: matcher.groupCount() }, (_, index) => {
      const group = matcher.group(index + 1) ?? ''
      take(group.length + QUOTES)
      return group
    }),
  )

export function countMatches(expression: RE2JS, text: string): number {
  const matcher = expression.matcher(text)
  let count = 0
  for (let at = 0; at < text.length && matcher.find(at);) {
    if (matcher.end() > matcher.start()) count += 1
    at = matcher.end() > matcher.start() ? matcher.end() : afterCharacter(text, matcher.end())
  }
  return count
}

const afterCharacter = (text: string, at: number): number =>
  at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

export function splitByPattern(expression: RE2JS, text: string): string[] {
  const parts: string[] = []
  let at = 0
  for (const matcher of matchesIn(expression.matcher(text), text)) {
    parts.push(text.slice(at, matcher.start()))
    at = matcher.end()
  }
  return [...parts, text.slice(at)]
}

/** A replacement: texts and numbers of groups. */
type Replacement = readonly (string | number)[]

/**
 * Parses a replacement: `\1` is a group, and a backslash before any other character is literal.
 * @throws HogqlError for a group that the pattern does not have
 */
export function parseReplacement(replacement: string, groups: number): Replacement {
  const parts: (string | number)[] = []
  for (const [, digit, escaped, text] of replacement.matchAll(/\\(\d)|\\([^])|([^\\]+|\\)/g)) {
    if (digit !== undefined && Number(digit) > groups) {
      throw new HogqlError(
        `The replacement has \\${digit}, and the regular expression ${groups} groups.`,
        null,
        'invalid_query',
      )
    }
    parts.push(digit === undefined ? (escaped ?? text ?? '') : Number(digit))
  }
  return parts
}

function written(parts: Replacement, matcher: Matcher, take: Take): string {
  const texts = parts.map((part) => {
    const text = typeof part === 'string' ? part : (matcher.group(part) ?? '')
    take(text.length)
    return text
  })
  return texts.join('')
}

export function replace(
  expression: RE2JS,
  parts: Replacement,
  text: string,
  isAll: boolean,
  take: Take,
): string {
  const matcher = expression.matcher(text)
  let result = ''
  let at = 0
  while (at <= text.length && matcher.find(at)) {
    result += text.slice(at, matcher.start()) + written(parts, matcher, take)
    at = matcher.end()
    if (matcher.start() === at) {
      const next = afterCharacter(text, at)
      result += text.slice(at, next)
      at = next
    }
    if (!isAll) break
  }
  return result + text.slice(at)
}
