// Computes functions without an equivalent in SQLite, for the texts that a query on D1 reads.
import { HogqlError } from '../error'
import type { Literal } from '../ir'
import { type ComputationBudget, requireShortConstant, Work } from './limits'
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
import { type Agent, AGENT_FACTS, agentOf, KNOWN_AGENTS } from './agents'
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
  /** The maximum cost of a character in one pass over a text, in steps. */
  size: number
  /** Returns the value of a text. `work` counts what is not one pass over the text. */
  of(text: string, work: Work): Computed
}

/** The cost of a character for a function without a pattern, and the cost of a text with its result. */
const STEPS_OF_A_CHARACTER = 10
const STEPS_OF_A_TEXT = 100

/**
 * Returns the values of a function for texts, in their order; NULL for all where another argument is NULL. No function is called elsewhere.
 * @param constants the other arguments, in their order
 * @param budget the budget of the query
 * @throws HogqlError for a pattern that is not valid, and for work that exceeds the budget
 */
export function compute(
  fn: string,
  constants: readonly Constant[],
  texts: readonly string[],
  budget: ComputationBudget,
): (Computed | null)[] {
  if (constants.includes(null)) return texts.map(() => null)
  const { size, of } = computationOf(fn, constants, budget)
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  budget.spend(fn, characters * size + texts.length * STEPS_OF_A_TEXT)
  return texts.map((text) => {
    const work = new Work(fn, encoder.encode(text).length, budget)
    const result = of(text, work)
    if (typeof result !== 'number') work.requireShort(bytesOf(result))
    return result
  })
}

/**
 * Checks a function's constant arguments, except for limits of the built-in database alone.
 * @throws HogqlError for a pattern or a replacement that is not valid
 */
export function checkConstants(fn: string, constants: readonly Constant[], budget: ComputationBudget): void {
  if (constants.includes(null)) return
  try {
    computationOf(fn, constants, budget)
  } catch (error) {
    if (!(error instanceof HogqlError) || error.code !== 'query_too_large') throw error
  }
}

const encoder = new TextEncoder()
const bytesOf = (result: Exclude<Computed, number>): number =>
  encoder.encode(typeof result === 'string' ? result : JSON.stringify(result)).length

function computationOf(fn: string, constants: readonly Constant[], budget: ComputationBudget): Computation {
  const [first, second] = constants
  const make = COMPUTATIONS[fn]
  if (make === undefined) throw new Error(`${fn} is not computed by the Worker`)
  for (const constant of constants.flat()) {
    if (typeof constant === 'string') requireShortConstant(fn, constant.length)
  }
  const computation = make(first, second, budget)
  return typeof computation === 'function' ? { size: STEPS_OF_A_CHARACTER, of: computation } : computation
}

type Make = (
  first: Constant | undefined,
  second: Constant | undefined,
  budget: ComputationBudget,
) => Computation | Computation['of']

const byPattern =
  (
    of: (pattern: Pattern, text: string, work: Work, second: Constant | undefined) => Computed,
    prefix = '',
  ): Make =>
  (first, second, budget) => {
    const pattern = compilePattern(prefix + String(first), budget)
    return { size: pattern.size, of: (text, work) => of(pattern, text, work, second) }
  }

const replacing =
  (isAll: boolean): Make =>
  (first, second, budget) => {
    if (first === '') return (text) => text
    const pattern = compilePattern(String(first), budget)
    const parts = parseReplacement(String(second), pattern.groupCount)
    return { size: pattern.size, of: (text, work) => replace(pattern, parts, text, isAll, work) }
  }

/** @param of receives the position of the first pattern that a text matches, from 1, or 0 for none */
const byPatterns =
  (of: (place: number) => number): Make =>
  (list, _, budget) => {
    const patterns = (Array.isArray(list) ? list : [list]).map((each) =>
      each === null ? null : compileTest(String(each), budget),
    )
    return {
      size: patterns.reduce((sum, pattern) => sum + (pattern?.size ?? 0), 0),
      of: (text) => of(patterns.findIndex((pattern) => pattern?.test(text)) + 1),
    }
  }

const byAgent =
  (of: (agent: Agent | undefined) => Computed): Make =>
  () => ({ size: KNOWN_AGENTS.length, of: (text) => of(agentOf(lower(text))) })

function group(pattern: Pattern, text: string, work: Work, index: Constant | undefined): string {
  const { groupCount } = pattern
  const number = index === undefined ? Math.min(1, groupCount) : Number(index)
  if (!(number >= 0 && number <= groupCount)) {
    throw new HogqlError(`'regexpExtract' takes the number of a group, from 0 to ${groupCount}.`)
  }
  const search = pattern.search(text, work)
  return search.find() ? search.group(number) : ''
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
  (token) => {
    const folded = fold(String(token))
    return (text) => Number(words(fold(text), /[\0-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+/).includes(folded))
  }

/** Converts only ASCII letters, as ClickHouse does. */
const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Replaces each character of `from` by the one of `to` at the same position, or removes it when there is none. */
const translate: Make = (from, to) => {
  const replacements = Array.from(String(to))
  const places = new Map(
    Array.from(String(from)).map((character, place) => [character, replacements[place] ?? '']),
  )
  return (text) => Array.from(text, (character) => places.get(character) ?? character).join('')
}

/** With an odd number of digits, the first is a byte of its own. */
const binaryOfHex = (text: string): string =>
  (text.length % 2 === 0 ? text : `0${text}`).replace(/../gs, (digits) =>
    String.fromCharCode(Number.parseInt(digits, 16) || 0),
  )

export const COMPUTATIONS: Readonly<Record<string, Make>> = {
  match: byPattern((pattern, text) => Number(pattern.test(text))),
  extract: byPattern(extract),
  extractAll: byPattern(extractAll),
  extractAllGroups: byPattern(extractAllGroups),
  countMatches: byPattern(countMatches),
  countMatchesCaseInsensitive: byPattern(countMatches, '(?i)'),
  splitByRegexp: (pattern, second, budget) =>
    pattern === '' ? (text) => Array.from(text) : byPattern(splitByPattern)(pattern, second, budget),
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
  translate,
  regexpQuoteMeta: () => (text) => text.replace(/[\\|()^$.[\]?*+{:-]/g, '\\$&'),
  unhex: () => (text) => textOf(binaryOfHex(text)),
  port: () => portOf,
  queryStringAndFragment: () => queryAndFragment,
  extractURLParameters: () => parametersOf,
  extractURLParameterNames: () => parameterNames,
  cutURLParameter: (name) => (text, work) => withoutParameter(text, String(name), work),
  cutWWW: () => withoutWww,
  URLPathHierarchy: () => pathLevels,
  URLHierarchy: () => urlLevels,
  formatReadableSize: () => readableSize,
  formatReadableQuantity: () => readableQuantity,
  formatReadableTimeDelta: () => readableTimeDelta,
  sortableSemVer: () => sortableVersion,
  languageCodeToName: () => languageName,
  isLikelyBot: byAgent((agent) => Number(agent !== undefined)),
  ...Object.fromEntries(
    Object.entries(AGENT_FACTS).map(([name, { of, otherwise }]) => [
      name,
      byAgent((agent) => (agent ? of(agent) : otherwise)),
    ]),
  ),
  hasToken: isToken((text) => text),
  hasTokenCaseInsensitive: isToken(lower),
}
