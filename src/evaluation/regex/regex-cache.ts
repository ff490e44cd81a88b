// Caches the compiled patterns of all projects in an isolate, between requests.
import { LruCache } from '../../lru-cache'
import type { EvaluationBudget } from '../budget'
import type { BacktrackingRegex } from './backtracking'
import { loadedEngines, mayNeedBacktracking } from './load-engines'
import type * as Linear from './regex'
import type { Regex, RegexProblem } from './regex'

/**
 * Maximum bytes of compiled patterns in an isolate. A pattern of ten characters takes some 6 KB and its automaton some 10 KB more, so
 * that 1,000 such patterns fit. A pattern that was evicted is compiled again, and its request pays for that in steps.
 */
export const MAX_REGEX_CACHE_BYTES = 16 * 1024 * 1024

/** Bytes of an entry without a compiled pattern. */
const BYTES_OF_A_PROBLEM = 200

export interface RegexCache {
  /**
   * Whether a text contains a match of a pattern. Returns null without a result: the pattern has no compiled form, the text is too long,
   * or the budget is exceeded.
   */
  search(pattern: string, text: string, budget: EvaluationBudget): boolean | null
  /** The bytes of the entries. */
  readonly bytes: number
}

type Entry = Pick<Regex, 'search' | 'bytes'> | RegexProblem

/** A pattern with `\b`, for which the linear-time engine knows ASCII words only. */
class WordBoundRegex {
  readonly #ascii: Regex
  readonly #other: BacktrackingRegex

  constructor(ascii: Regex, other: BacktrackingRegex) {
    this.#ascii = ascii
    this.#other = other
  }

  get bytes(): number {
    return this.#ascii.bytes + this.#other.bytes
  }

  search(text: string, budget: EvaluationBudget): boolean | null {
    return (/[^\0-\x7f]/.test(text) ? this.#other : this.#ascii).search(text, budget)
  }
}

type Backtracking = NonNullable<ReturnType<typeof loadedEngines>['backtracking']>

function compile(
  pattern: string,
  { compileRegex }: typeof Linear,
  { compileBacktracking }: Backtracking,
): Entry {
  const linear = compileRegex(pattern)
  if (linear === 'invalid') return compileBacktracking(pattern)
  if (linear === 'too large' || !/\\[bB]/.test(pattern)) return linear
  const other = compileBacktracking(pattern)
  return typeof other === 'string' ? linear : new WordBoundRegex(linear, other)
}

/**
 * Compiles a pattern within a budget. With the backtracking engine, it also takes the steps of the classes that no other pattern has compiled
 * before. Returns null when an engine is not loaded, or the budget is exceeded.
 */
function compileWithin(budget: EvaluationBudget, pattern: string): Entry | null {
  const { linear, backtracking } = loadedEngines()
  if (!linear || !budget.spend(linear.compilationSteps(pattern))) return null
  if (!mayNeedBacktracking(pattern)) return linear.compileRegex(pattern)
  if (!backtracking) return null
  const before = backtracking.compiledUnits()
  const entry = compile(pattern, linear, backtracking)
  budget.giveBack(-linear.STEPS_PER_INSTRUCTION * (backtracking.compiledUnits() - before))
  return entry
}

export function createRegexCache(maxBytes = MAX_REGEX_CACHE_BYTES): RegexCache {
  const patterns = new LruCache<string, Entry>(maxBytes)

  const keep = (pattern: string, entry: Entry): void => {
    const own = typeof entry === 'string' ? BYTES_OF_A_PROBLEM : entry.bytes
    patterns.set(pattern, entry, own + 2 * pattern.length)
  }

  return {
    get bytes() {
      return patterns.weight
    },
    search(pattern, text, budget) {
      let entry = patterns.get(pattern)
      if (entry === undefined) {
        const compiled = compileWithin(budget, pattern)
        if (compiled === null) return null
        entry = compiled
        keep(pattern, entry)
      }
      if (typeof entry === 'string') return null
      const before = entry.bytes
      const found = entry.search(text, budget)
      if (entry.bytes !== before) keep(pattern, entry)
      return found
    },
  }
}

/** The cache of the isolate. It changes the cost of a result, never the result. */
export const regexCache: RegexCache = createRegexCache()
