// Regular expressions that users write. They are bounded in size before they are compiled, and run in linear time.
import { RE2JS, RE2JSSyntaxException } from 're2js'
import type { EvaluationBudget } from '../budget'
import { toEngineDialect } from './regex-dialect'
import { programSizeOf } from './regex-size'

/**
 * Maximum instructions of a compiled pattern, by `programSizeOf`. Compiling takes some 5 µs and 250 bytes for each, so 50 ms and 2.5 MB
 * at worst. A list of 500 e-mail addresses has 7,500; `\w{1,255}` has 5,900.
 */
export const MAX_REGEX_PROGRAM = 10_000

/** Maximum UTF-16 units of a pattern: as written, and with `\w` and the like spelled out, which the engine reads each time. */
export const MAX_REGEX_LENGTH = 10_000
export const MAX_TRANSLATION = 30_000

/** Maximum UTF-16 units of a text that is searched. A longer one matches neither `regex` nor `not_regex`. */
export const MAX_REGEX_TEXT = 100_000

/** The steps of compiling a pattern. */
const STEPS_OF_A_COMPILATION = 2_000
export const STEPS_PER_INSTRUCTION = 100

/**
 * Maximum bytes of the automaton that the engine builds while it runs a pattern, as the engine counts it: eight bytes for an element of a
 * state. Building an element takes about two steps. A pattern that needs more memory runs without an automaton.
 */
export const MAX_AUTOMATON_BYTES = 256 * 1024
const BYTES_PER_STEP = 4

/** Memory of a compiled pattern without its automaton, as measured on V8. */
const BYTES_OF_A_REGEX = 3_000
const BYTES_PER_INSTRUCTION = 250
/** The same for a pattern that has a table of its own for running in one pass. */
const BYTES_PER_TABLED_INSTRUCTION = 600

const LOOK_BEHIND = /\(\?<[=!]/

/**
 * Why a pattern has no compiled form. It is invalid when no linear-time engine can run it, and too large when it is valid but exceeds a
 * limit.
 */
export type RegexProblem = 'invalid' | 'too large'

/**
 * How a pattern is run. `scan` takes a step for each unit of text, `automaton` the same and the steps of building it, and `threads` at
 * most a step for every instruction and unit.
 */
type Method = 'scan' | 'automaton' | 'threads'

export class Regex {
  /** The number of instructions, which is the maximum cost of a unit of text, in steps. */
  readonly size: number
  readonly #compiled: RE2JS
  readonly #bytesPerInstruction: number
  #method: Method

  constructor(pattern: string, translated: string, size: number) {
    this.size = size
    this.#compiled = RE2JS.compile(translated, RE2JS.LOOKBEHINDS)
    const engine = this.#compiled.re2()
    this.#bytesPerInstruction = engine.onepass === null ? BYTES_PER_INSTRUCTION : BYTES_PER_TABLED_INSTRUCTION
    if (engine.prefixComplete || engine.onepass !== null) this.#method = 'scan'
    else if (LOOK_BEHIND.test(pattern)) this.#method = 'threads'
    else {
      this.#method = 'automaton'
      this.#boundAutomaton()
    }
  }

  /** Approximate bytes of memory. They grow with the automaton. */
  get bytes(): number {
    return BYTES_OF_A_REGEX + this.#bytesPerInstruction * this.size + this.#automatonBytes()
  }

  /** Whether a text contains a match. Returns null without a result: the text is too long, or the budget is exceeded. */
  search(text: string, budget: EvaluationBudget): boolean | null {
    if (text.length > MAX_REGEX_TEXT) return null
    const method = this.#method
    const worst = method === 'scan' ? text.length : text.length * this.size
    if (!budget.spend(worst)) return null
    const before = this.#automatonBytes()
    const found = this.#compiled.test(text)
    if (this.#method === 'automaton') {
      budget.giveBack(worst - text.length - (this.#automatonBytes() - before) / BYTES_PER_STEP)
    } else if (method === 'automaton') {
      budget.giveBack(-MAX_AUTOMATON_BYTES / BYTES_PER_STEP)
    }
    return found
  }

  #automatonBytes(): number {
    if (this.#method !== 'automaton') return 0
    const { stateBudget, memBudget } = this.#compiled.re2().dfa
    return stateBudget - memBudget
  }

  /** Limits the automaton. The engine would clear a full automaton and fill it again; here it is not used any more. */
  #boundAutomaton(): void {
    const { dfa } = this.#compiled.re2()
    dfa.stateBudget = MAX_AUTOMATON_BYTES
    dfa.memBudget = MAX_AUTOMATON_BYTES
    const clear = dfa.clearCache.bind(dfa)
    dfa.clearCache = () => {
      this.#method = 'threads'
      dfa.failed = true
      dfa.stateBudget = 0
      clear()
    }
  }
}

/** Returns the steps of compiling a pattern, which are known before it is compiled. */
export const compilationSteps = (pattern: string): number =>
  STEPS_OF_A_COMPILATION +
  STEPS_PER_INSTRUCTION * Math.min(MAX_REGEX_PROGRAM, programSizeOf(pattern.slice(0, MAX_REGEX_LENGTH)))

/**
 * Compiles a pattern of upstream's dialect (docs/reference/evaluation.md#regular-expressions) to an unanchored, case-sensitive search.
 * Malformed patterns are invalid, and so are those that no linear-time engine can run: back-references, look-ahead, atomic groups and
 * possessive repetition, which backtracking.ts runs. Look-behind without captures runs in linear time and is accepted. `\b` knows ASCII
 * words only, unlike `\w`.
 */
export function compileRegex(pattern: string): Regex | RegexProblem {
  if (pattern.length > MAX_REGEX_LENGTH) return 'too large'
  const translated = toEngineDialect(pattern)
  if (translated === null) return 'invalid'
  const size = programSizeOf(pattern)
  if (size > MAX_REGEX_PROGRAM || translated.length > MAX_TRANSLATION) return 'too large'
  try {
    return new Regex(pattern, translated, size)
  } catch (error) {
    return isTooLarge(error) ? 'too large' : 'invalid'
  }
}

/** Errors of the engine's own limits: 1,000 repetitions, nested ones multiplied, and 1,000 levels. */
const TOO_LARGE = new Set(['invalid repeat count', 'expression too large', 'expression nests too deeply'])

function isTooLarge(error: unknown): boolean {
  if (!(error instanceof RE2JSSyntaxException) || !TOO_LARGE.has(error.error)) return false
  // The engine reports `{2,1}` with the same error, and that is invalid everywhere.
  const [, min, max] = /\{(\d+),(\d+)\}$/.exec(error.input ?? '') ?? []
  return max === undefined || Number(min) <= Number(max)
}
