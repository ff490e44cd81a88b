// What the Worker computes of texts that a query on D1 reads: functions that SQLite has no equivalent of.
import { HogqlError } from '../error'
import type { Literal } from '../ir'
import { MAX_GROWN_BYTES, MAX_GROWTH } from './limits'
import {
  compilePattern,
  countMatches,
  extract,
  extractAll,
  extractAllGroups,
  parseReplacement,
  type Pattern,
  replace,
  splitByPattern,
} from './patterns'

export type Computed = string | number | readonly string[] | readonly (readonly string[])[]

/** A constant argument; an array is one of texts. */
export type Constant = Literal | readonly Literal[]

interface Computation {
  /** Instructions of patterns for each character. */
  size: number
  of(text: string): Computed
}

/** Instructions of patterns times characters of texts: about two seconds of a processor. */
const MAX_PATTERN_WORK = 200_000_000

/**
 * Values of a function for texts, in their order.
 * @param constants its other arguments, in their order
 * @throws HogqlError for a pattern that is not valid, and for more work than `MAX_PATTERN_WORK`
 */
export function compute(fn: string, constants: readonly Constant[], texts: readonly string[]): Computed[] {
  const { size, of } = computationOf(fn, constants)
  const characters = texts.reduce((sum, text) => sum + text.length + 1, 0)
  if (size * characters > MAX_PATTERN_WORK) {
    throw new HogqlError(
      `The regular expression of '${fn}' is too large for ${characters} characters in the built-in database: shorten it, narrow the query's dates, or connect ClickHouse.`,
    )
  }
  return texts.map((text) => {
    const result = of(text)
    if (
      typeof result !== 'number' &&
      bytesOf(result) > MAX_GROWTH * encoder.encode(text).length + MAX_GROWN_BYTES
    )
      throw new HogqlError(
        `'${fn}' gives a result that is too long for the built-in database: more than ${MAX_GROWTH} times its text.`,
      )
    return result
  })
}

const encoder = new TextEncoder()
const bytesOf = (result: Exclude<Computed, number>): number =>
  encoder.encode(typeof result === 'string' ? result : JSON.stringify(result)).length

function computationOf(fn: string, constants: readonly Constant[]): Computation {
  const [first, second] = constants
  const make = COMPUTATIONS[fn]
  if (make === undefined) throw new Error(`${fn} is not computed by the Worker`)
  const computation = make(first, second)
  return typeof computation === 'function' ? { size: 0, of: computation } : computation
}

type Make = (
  first: Constant | undefined,
  second: Constant | undefined,
) => Computation | ((text: string) => Computed)

const byPattern =
  (of: (pattern: Pattern, text: string, second: Constant | undefined) => Computed, prefix = ''): Make =>
  (first, second) => {
    const pattern = compilePattern(prefix + String(first))
    return { size: pattern.size, of: (text) => of(pattern, text, second) }
  }

const replacing =
  (isAll: boolean): Make =>
  (first, second) => {
    if (first === '') return (text) => text
    const { expression, size } = compilePattern(String(first))
    const parts = parseReplacement(String(second), expression.groupCount())
    return { size, of: (text) => replace(expression, parts, text, isAll) }
  }

const byPatterns =
  (of: (expressions: readonly Pattern[], text: string) => number): Make =>
  (first) => {
    const patterns = (Array.isArray(first) ? first : [first]).map((each) => compilePattern(String(each)))
    return { size: patterns.reduce((sum, { size }) => sum + size, 0), of: (text) => of(patterns, text) }
  }

const firstMatch = (patterns: readonly Pattern[], text: string): number =>
  patterns.findIndex(({ expression }) => expression.test(text)) + 1

function group({ expression }: Pattern, text: string, index: Constant | undefined): string {
  const number = index === undefined ? Math.min(1, expression.groupCount()) : Number(index)
  if (!(number >= 0 && number <= expression.groupCount())) {
    throw new HogqlError(`'regexpExtract' takes the number of a group, from 0 to ${expression.groupCount()}.`)
  }
  const matcher = expression.matcher(text)
  return matcher.find() ? (matcher.group(number) ?? '') : ''
}

const binary = (text: string): string => String.fromCharCode(...encoder.encode(text))
const textOf = (bytes: string): string =>
  new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))

/** Null for what is not base64. */
function decoded(text: string): string | null {
  if (text.length % 4 !== 0 || /[^A-Za-z0-9+/=]/.test(text)) return null
  try {
    return textOf(atob(text))
  } catch {
    return null
  }
}

const words = (text: string, separator: RegExp): string[] =>
  text.split(separator).filter((word) => word !== '')

const isToken =
  (fold: (text: string) => string): Make =>
  (token) =>
  (text) =>
    Number(words(fold(text), /[\0-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+/).includes(fold(String(token))))

/** ASCII only, as ClickHouse has it. */
const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

const COMPUTATIONS: Readonly<Record<string, Make>> = {
  match: byPattern(({ expression }, text) => Number(expression.test(text))),
  extract: byPattern(({ expression }, text) => extract(expression, text)),
  extractAll: byPattern(({ expression }, text) => extractAll(expression, text)),
  extractAllGroups: byPattern(({ expression }, text) => extractAllGroups(expression, text)),
  countMatches: byPattern(({ expression }, text) => countMatches(expression, text)),
  countMatchesCaseInsensitive: byPattern(({ expression }, text) => countMatches(expression, text), '(?i)'),
  splitByRegexp: (pattern, second) =>
    pattern === ''
      ? (text) => Array.from(text)
      : byPattern(({ expression }, text) => splitByPattern(expression, text))(pattern, second),
  regexpExtract: byPattern(group),
  replaceRegexpAll: replacing(true),
  replaceRegexpOne: replacing(false),
  multiMatchAny: byPatterns((patterns, text) => Number(firstMatch(patterns, text) > 0)),
  multiMatchAnyIndex: byPatterns(firstMatch),
  lowerUTF8: () => (text) => text.toLowerCase(),
  upperUTF8: () => (text) => text.toUpperCase(),
  initcap: () => (text) =>
    lower(text).replace(/[A-Za-z0-9]+/g, (word) => (word[0] ?? '').toUpperCase() + word.slice(1)),
  base64Encode: () => (text) => btoa(binary(text)),
  base64Decode: () => (text) => decoded(text) ?? '',
  encodeURLComponent: () => (text) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  decodeURLComponent: () => (text) =>
    textOf(
      binary(text).replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    ),
  splitByWhitespace: () => (text) => words(text, /[ \t\n\v\f\r]+/),
  splitByNonAlpha: () => (text) => words(text, /[\s!-/:-@[-`{-~]+/),
  alphaTokens: () => (text) => text.match(/[A-Za-z]+/g) ?? [],
  hasToken: isToken((text) => text),
  hasTokenCaseInsensitive: isToken(lower),
}
