// Limits of what the Worker computes for a query on D1.
import { HogqlError } from '../error'

/** The most distinct texts for which a function is computed, and their total bytes. */
export const MAX_COMPUTED_TEXTS = 10_000
export const MAX_COMPUTED_BYTES = 1024 * 1024

/** The most characters of a constant argument, such as a pattern, and of each member of an array. */
export const MAX_CONSTANT = 1_000

/** A result has at most MAX_GROWTH bytes for each byte of its text, and MAX_GROWN_BYTES more. */
export const MAX_GROWTH = 4
export const MAX_GROWN_BYTES = 256

/** The most characters of all results of a query, with their texts. */
export const MAX_COMPUTED_RESULTS = 8 * 1024 * 1024

/** The most instructions of all regular expressions of a query: compiling takes some 5 µs and 250 bytes for each. */
export const MAX_PATTERN_INSTRUCTIONS = 50_000

/** The most steps of all computed functions of a query. A step takes up to 7 ns: an instruction of a pattern for a character. */
export const MAX_COMPUTED_STEPS = 100_000_000

const formatted = (value: number) => value.toLocaleString('en')
const tooLarge = (message: string) => new HogqlError(message, null, 'query_too_large')

/** Limits the work of all computed functions of one query. */
export class ComputationBudget {
  #instructions = MAX_PATTERN_INSTRUCTIONS
  #steps = MAX_COMPUTED_STEPS
  #results = MAX_COMPUTED_RESULTS

  get spentSteps(): number {
    return MAX_COMPUTED_STEPS - this.#steps
  }

  /**
   * Counts a pattern before it is compiled.
   * @throws HogqlError past the limit
   */
  compile(instructions: number): void {
    this.#instructions -= instructions
    if (this.#instructions >= 0) return
    throw tooLarge(
      `The regular expressions of a query have at most ${formatted(MAX_PATTERN_INSTRUCTIONS)} instructions together in the built-in database, with repetitions written out: use fewer or smaller ones, or connect ClickHouse.`,
    )
  }

  /**
   * Counts steps before they are taken.
   * @throws HogqlError past the limit
   */
  spend(fn: string, steps: number): void {
    this.#steps -= steps
    if (this.#steps >= 0) return
    throw tooLarge(
      `'${fn}' is too much work for the built-in database: the texts of a query, times the instructions of its regular expressions, take at most ${formatted(MAX_COMPUTED_STEPS)} steps. Shorten its patterns, narrow the query's dates, or connect ClickHouse.`,
    )
  }

  /**
   * Counts the results of a function that the query looks up.
   * @throws HogqlError past the limit
   */
  keep(fn: string, characters: number): void {
    this.#results -= characters
    if (this.#results >= 0) return
    throw tooLarge(
      `With '${fn}', the results of this query's functions are too long for the built-in database: they have at most ${formatted(MAX_COMPUTED_RESULTS)} characters together, with their texts. Call fewer functions, narrow the query's dates, or connect ClickHouse.`,
    )
  }
}

/** What a function may do for one text. */
export class Work {
  readonly #fn: string
  readonly #budget: ComputationBudget
  readonly #maxBytes: number
  #characters = 0

  /** @param bytes the size of the text */
  constructor(fn: string, bytes: number, budget: ComputationBudget) {
    this.#fn = fn
    this.#budget = budget
    this.#maxBytes = MAX_GROWTH * bytes + MAX_GROWN_BYTES
  }

  /**
   * Counts steps that the text may need besides those for each of its characters, before they are taken.
   * @throws HogqlError past the limit of the query
   */
  spend(steps: number): void {
    this.#budget.spend(this.#fn, steps)
  }

  /**
   * Counts UTF-16 units before the result grows by them.
   * @throws HogqlError for a result that becomes too long
   */
  grow(characters: number): void {
    this.#characters += characters
    this.requireShort(this.#characters)
  }

  /** @throws HogqlError for a result that is too long */
  requireShort(bytes: number): void {
    if (bytes <= this.#maxBytes) return
    throw tooLarge(
      `'${this.#fn}' gives a result that is too long for the built-in database: more than ${MAX_GROWTH} times its text.`,
    )
  }
}

/** @throws HogqlError for a constant that is too long */
export function requireShortConstant(fn: string, length: number): void {
  if (length <= MAX_CONSTANT) return
  throw tooLarge(
    `A constant of '${fn}' has at most ${formatted(MAX_CONSTANT)} characters in the built-in database, and this one ${formatted(length)}.`,
  )
}
