// Functions of regular expressions as ClickHouse has them: they are RE2's, `.` matches line breaks as well, and empty matches count as
// there.
import { type Matcher, MatcherInput, type MatcherInputBase, RE2JS, RE2JSException } from 're2js'
import { programSizeOf } from '../../evaluation/regex/regex-size'
import { HogqlError } from '../error'
import type { ComputationBudget, Work } from './limits'

/** Matches patterns without operators, which match where they occur as text. */
const IS_PLAIN = /^[\w /;-]*$/

/** The runtime searches for text by comparing up to this number of its characters in a step, at each character. */
const COMPARED_IN_A_STEP = 32

export interface Test {
  /** The maximum cost of a character, in steps. */
  size: number
  test(text: string): boolean
}

/**
 * Returns a test of whether a text matches. A plain pattern is not compiled, because there may be many.
 * @throws HogqlError as `compilePattern` does
 */
export function compileTest(pattern: string, budget: ComputationBudget): Test {
  if (!IS_PLAIN.test(pattern)) return compilePattern(pattern, budget)
  budget.compile(programSizeOf(pattern))
  return {
    size: 1 + Math.floor(pattern.length / COMPARED_IN_A_STEP),
    test: (text) => text.includes(pattern),
  }
}

/** @throws HogqlError for text that is no pattern of RE2; and, before it is compiled, for a pattern that exceeds the budget */
export function compilePattern(pattern: string, budget: ComputationBudget): Pattern {
  const size = programSizeOf(pattern)
  budget.compile(size)
  try {
    return new Pattern(RE2JS.compile(pattern, RE2JS.DOTALL), size)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw new HogqlError(
      `'${pattern}' is not a regular expression of RE2: ${error.message.replace('(?s)', '')}.`,
      null,
      'invalid_query',
    )
  }
}

/** A compiled pattern. It searches a text only through `test`, which takes one pass, and `Search`, which counts the others. */
export class Pattern implements Test {
  readonly size: number
  readonly groupCount: number
  readonly #expression: RE2JS

  constructor(expression: RE2JS, size: number) {
    this.#expression = expression
    this.size = Math.max(1, size)
    this.groupCount = expression.groupCount()
  }

  test(text: string): boolean {
    return this.#expression.test(text)
  }

  search(text: string, work: Work): Search {
    return new Search((input) => this.#expression.matcher(input), text, this.size, work)
  }
}

/** A text that knows how far the engine has read it. The engine accepts an object of the class String. */
class ReadText extends String {
  /** The position after the last character that the engine read. */
  end = 0
  readonly #text: string

  constructor(text: string) {
    super(text)
    this.#text = text
  }

  override charCodeAt(at: number): number {
    if (at >= this.end) this.end = at + 1
    return this.#text.charCodeAt(at)
  }

  override indexOf(part: string, from?: number): number {
    const found = this.#text.indexOf(part, from)
    this.end = Math.max(this.end, found < 0 ? this.#text.length : found + part.length)
    return found
  }

  override substring(start: number, end?: number): string {
    return this.#text.substring(start, end)
  }
}

/** Steps of a search besides reading: it makes some objects. */
const STEPS_OF_A_SEARCH = 64
/** Before a search the engine clears up to this number of bits, one for each instruction and character, 1,024 in a step. */
const MAX_CLEARED_BITS = 262_144
const CLEARED_IN_A_STEP = 1_024
const STEPS_OF_A_GROUP = 8
/** The characters after a match that the engine reads in any case. */
const READ_AHEAD = 2

/**
 * Searches a text several times. A search may read up to the end of the text for a match of one character, so that many would take
 * quadratic time. Reading all of the text once is counted before; what is read again is counted here.
 */
export class Search {
  readonly #matcher: Matcher
  readonly #read: ReadText
  readonly #size: number
  readonly #work: Work
  readonly #stepsOfASearch: number
  #paid: number
  #hasGroups = false

  constructor(matcherOf: (input: MatcherInputBase) => Matcher, text: string, size: number, work: Work) {
    this.#read = new ReadText(text)
    this.#matcher = matcherOf(MatcherInput.utf16(this.#read))
    this.#size = size
    this.#work = work
    this.#paid = text.length
    this.#stepsOfASearch =
      STEPS_OF_A_SEARCH + Math.floor(Math.min(size * (text.length + 1), MAX_CLEARED_BITS) / CLEARED_IN_A_STEP)
  }

  get start(): number {
    return this.#matcher.start()
  }

  get end(): number {
    return this.#matcher.end()
  }

  /**
   * Returns whether the pattern matches from a position on.
   * @throws HogqlError for more work than the query may have
   */
  find(from = 0): boolean {
    this.#hasGroups = false
    return this.#counted(from, () => this.#matcher.find(from))
  }

  /** Returns the text of a group, which is empty when the group has none. The first call reads the match again. */
  group(number: number): string {
    this.#work.spend(STEPS_OF_A_GROUP)
    if (number === 0 || this.#hasGroups) return this.#matcher.group(number) ?? ''
    this.#hasGroups = true
    return this.#counted(this.start, () => this.#matcher.group(number) ?? '')
  }

  #counted<Result>(from: number, run: () => Result): Result {
    this.#work.spend(this.#stepsOfASearch)
    this.#read.end = from
    const result = run()
    const read = Math.max(0, this.#read.end - from - READ_AHEAD)
    const paid = Math.min(read, this.#paid)
    this.#paid -= paid
    this.#work.spend((read - paid) * this.#size)
    return result
  }
}

/** Returns the matches from left to right. An empty match ends them. */
function* matchesIn(pattern: Pattern, text: string, work: Work): Generator<Search> {
  const search = pattern.search(text, work)
  for (let at = 0; at < text.length && search.find(at) && search.end > search.start; at = search.end) {
    yield search
  }
}

/** Returns all matches from left to right. After an empty one, the next begins a character later. None is at the end of the text. */
function* allMatchesIn(pattern: Pattern, text: string, work: Work): Generator<Search> {
  const search = pattern.search(text, work)
  for (let at = 0; at < text.length && search.find(at);) {
    const { start, end } = search
    yield search
    at = end > start ? end : afterCharacter(text, end)
  }
}

const afterCharacter = (text: string, at: number): number =>
  at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

/** Returns the first group, or the whole match without groups. */
const extracted = (search: Search, { groupCount }: Pattern): string => search.group(Math.min(1, groupCount))

export function extract(pattern: Pattern, text: string, work: Work): string {
  const search = pattern.search(text, work)
  return search.find() ? extracted(search, pattern) : ''
}

export const extractAll = (pattern: Pattern, text: string, work: Work): string[] =>
  Array.from(matchesIn(pattern, text, work), (search) => extracted(search, pattern))

/** The number of characters of the quotes around a group. They count towards the size, because many groups may be empty. */
const QUOTES = 2

export const extractAllGroups = (pattern: Pattern, text: string, work: Work): string[][] =>
  Array.from(allMatchesIn(pattern, text, work), (search) =>
    Array.from({ length: pattern.groupCount }, (_, index) => {
      const group = search.group(index + 1)
      work.grow(group.length + QUOTES)
      return group
    }),
  )

export function countMatches(pattern: Pattern, text: string, work: Work): number {
  let count = 0
  for (const { start, end } of allMatchesIn(pattern, text, work)) if (end > start) count += 1
  return count
}

export function splitByPattern(pattern: Pattern, text: string, work: Work): string[] {
  const parts: string[] = []
  let at = 0
  for (const search of matchesIn(pattern, text, work)) {
    parts.push(text.slice(at, search.start))
    at = search.end
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

function written(parts: Replacement, search: Search, work: Work): string {
  work.spend(parts.length)
  const texts = parts.map((part) => {
    const text = typeof part === 'string' ? part : search.group(part)
    work.grow(text.length)
    return text
  })
  return texts.join('')
}

export function replace(
  pattern: Pattern,
  parts: Replacement,
  text: string,
  isAll: boolean,
  work: Work,
): string {
  const search = pattern.search(text, work)
  let result = ''
  let at = 0
  while (at <= text.length && search.find(at)) {
    const { start, end } = search
    result += text.slice(at, start) + written(parts, search, work)
    at = end
    if (start === end) {
      const next = afterCharacter(text, at)
      result += text.slice(at, next)
      at = next
    }
    if (!isAll) break
  }
  return result + text.slice(at)
}
