// Computes functions without an equivalent in SQLite, for the texts that a query on D1 reads.
import { HogqlError } from '../error'
import type { Literal } from '../ir'
import { MAX_GROWN_BYTES, MAX_GROWTH, type PatternBudget, type Take } from './limits'
import {
  compilePattern,
  compileTest,
  countMatches,
  extract,
  extractAll,
  extractAllGroups,
  parseReplacement,
  type Pattern,
  replace,
  splitByPattern,
} from './patterns'
import { readableQuantity, readableSize, readableTimeDelta } from './readable'
import {
  parameterNames,
  parametersOf,
  pathLevels,
  portOf,
  queryAndFragment,
  urlLevels,
  withoutParameter,
  withoutWww,
} from './urls'
import { languageName, sortableVersion } from './texts'

export type Computed = string | number | readonly string[] | readonly (readonly string[])[]

/** A constant argument. An array has only texts. */
export type Constant = Literal | readonly Literal[]

interface Computation {
  /** The number of pattern instructions for each character. */
  size: number
  of(text: string, take: Take): Computed
}

/**
 * Returns the values of a function for texts, in their order.
 * @param constants the other arguments, in their order
 * @param budget the budget of the query
 * @throws HogqlError for a pattern that is not valid, and for work that exceeds the budget
 */
export function compute(
  fn: string,
  constants: readonly Constant[],
  texts: readonly string[],
  budget: PatternBudget,
): Computed[] {
  const { size, of } = computationOf(fn, constants, budget)
  const characters = texts.reduce((sum, text) => sum + text.length + 1, 0)
  if (!budget.search(size, characters)) {
    throw new HogqlError(
      `The regular expression of '${fn}' is too large for ${characters} characters in the built-in database: shorten it, narrow the query's dates, or connect ClickHouse.`,
    )
  }
  return texts.map((text) => {
    const maxBytes = MAX_GROWTH * encoder.encode(text).length + MAX_GROWN_BYTES
    let taken = 0
    const take = (more: number) => {
      taken += more
      if (taken > maxBytes) throw tooLong(fn)
    }
    const result = of(text, take)
    if (typeof result !== 'number' && bytesOf(result) > maxBytes) throw tooLong(fn)
    return result
  })
}

/**
 * Checks a function's constant arguments, except for limits of the built-in database alone.
 * @throws HogqlError for a pattern or a replacement that is not valid
 */
export function checkConstants(fn: string, constants: readonly Constant[], budget: PatternBudget): void {
  try {
    computationOf(fn, constants, budget)
  } catch (error) {
    if (!(error instanceof HogqlError) || error.code !== 'query_too_large') throw error
  }
}

const tooLong = (fn: string) =>
  new HogqlError(
    `'${fn}' gives a result that is too long for the built-in database: more than ${MAX_GROWTH} times its text.`,
  )

const encoder = new TextEncoder()
const bytesOf = (result: Exclude<Computed, number>): number =>
  encoder.encode(typeof result === 'string' ? result : JSON.stringify(result)).length

function computationOf(fn: string, constants: readonly Constant[], budget: PatternBudget): Computation {
  const [first, second] = constants
  const make = COMPUTATIONS[fn]
  if (make === undefined) throw new Error(`${fn} is not computed by the Worker`)
  const computation = make(first, second, budget)
  return typeof computation === 'function' ? { size: 0, of: computation } : computation
}

type Make = (
  first: Constant | undefined,
  second: Constant | undefined,
  budget: PatternBudget,
) => Computation | Computation['of']

const byPattern =
  (
    of: (pattern: Pattern, text: string, second: Constant | undefined, take: Take) => Computed,
    prefix = '',
  ): Make =>
  (first, second, budget) => {
    const pattern = compilePattern(prefix + String(first), budget)
    return { size: pattern.size, of: (text, take) => of(pattern, text, second, take) }
  }

const replacing =
  (isAll: boolean): Make =>
  (first, second, budget) => {
    if (first === '') return (text) => text
    const { expression, size } = compilePattern(String(first), budget)
    const parts = parseReplacement(String(second), expression.groupCount())
    return { size, of: (text, take) => replace(expression, parts, text, isAll, take) }
  }

/** @param of receives the position of the first pattern that a text matches, from 1, or 0 for none */
const byPatterns =
  (of: (place: number) => number): Make =>
  (list, _, budget) => {
    const patterns = (Array.isArray(list) ? list : [list]).map((each) => compileTest(String(each), budget))
    return {
      size: patterns.reduce((sum, { size }) => sum + size, 0),
      of: (text) => of(patterns.findIndex(({ test }) => test(text)) + 1),
    }
  }

function group({ expression }: Pattern, text: string, index: Constant | undefined): string {
  const number = index === undefined ? Math.min(1, expression.groupCount()) : Number(index)
  if (!(number >= 0 && number <= expression.groupCount())) {
    throw new HogqlError(`'regexpExtract' takes the number of a group, from 0 to ${expression.groupCount()}.`)
  }
  const matcher = expression.matcher(text)
  return matcher.find() ? (matcher.group(number) ?? '') : ''
}

const binary = (text: string): string =>
  Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join('')
const textOf = (bytes: string): string =>
  new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))

/** Returns null for invalid base64. */
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

/** Converts only ASCII letters, as ClickHouse does. */
const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Replaces each character of `from` by the one of `to` at the same position, or removes it when there is none. */
function translated(text: string, from: readonly string[], to: readonly string[]): string {
  const places = new Map(from.map((character, place) => [character, to[place] ?? '']))
  return Array.from(text, (character) => places.get(character) ?? character).join('')
}

/** With an odd number of digits, the first is a byte of its own. */
const binaryOfHex = (text: string): string =>
  (text.length % 2 === 0 ? text : `0${text}`).replace(/../gs, (digits) =>
    String.fromCharCode(Number.parseInt(digits, 16) || 0),
  )

const COMPUTATIONS: Readonly<Record<string, Make>> = {
  match: byPattern(({ expression }, text) => Number(expression.test(text))),
  extract: byPattern(({ expression }, text) => extract(expression, text)),
  extractAll: byPattern(({ expression }, text) => extractAll(expression, text)),
  extractAllGroups: byPattern(({ expression }, text, _, take) => extractAllGroups(expression, text, take)),
  countMatches: byPattern(({ expression }, text) => countMatches(expression, text)),
  countMatchesCaseInsensitive: byPattern(({ expression }, text) => countMatches(expression, text), '(?i)'),
  splitByRegexp: (pattern, second, budget) =>
    pattern === ''
      ? (text) => Array.from(text)
      : byPattern(({ expression }, text) => splitByPattern(expression, text))(pattern, second, budget),
  regexpExtract: byPattern(group),
  replaceRegexpAll: replacing(true),
  replaceRegexpOne: replacing(false),
  multiMatchAny: byPatterns((place) => Number(place > 0)),
  multiMatchAnyIndex: byPatterns((place) => place),
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
  translate: (from, to) => (text) => translated(text, Array.from(String(from)), Array.from(String(to))),
  regexpQuoteMeta: () => (text) => text.replace(/[\\|()^$.[\]?*+{:-]/g, '\\$&'),
  unhex: () => (text) => textOf(binaryOfHex(text)),
  port: () => portOf,
  queryStringAndFragment: () => queryAndFragment,
  extractURLParameters: () => parametersOf,
  extractURLParameterNames: () => parameterNames,
  cutURLParameter: (name) => (text) => withoutParameter(text, String(name)),
  cutWWW: () => withoutWww,
  URLPathHierarchy: () => pathLevels,
  URLHierarchy: () => urlLevels,
  formatReadableSize: () => readableSize,
  formatReadableQuantity: () => readableQuantity,
  formatReadableTimeDelta: () => readableTimeDelta,
  sortableSemVer: () => sortableVersion,
  languageCodeToName: () => languageName,
  hasToken: isToken((text) => text),
  hasTokenCaseInsensitive: isToken(lower),
}
