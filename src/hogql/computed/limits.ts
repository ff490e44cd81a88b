// Limits of what the Worker computes for a query on D1.

/** The most distinct texts for which a function is computed, and their total bytes. */
export const MAX_COMPUTED_TEXTS = 10_000
export const MAX_COMPUTED_BYTES = 1024 * 1024

/** A result has at most MAX_GROWTH bytes for each byte of its text, and MAX_GROWN_BYTES more. */
export const MAX_GROWTH = 4
export const MAX_GROWN_BYTES = 256

/** The most instructions of all regular expressions of a query: compiling takes some 5 µs and 250 bytes for each. */
export const MAX_PATTERN_INSTRUCTIONS = 50_000

/** The most instructions times characters that the patterns of a query search: about two seconds of a processor. */
const MAX_PATTERN_WORK = 200_000_000

/** Limits the work of all regular expressions of one query. */
export class PatternBudget {
  #instructions = MAX_PATTERN_INSTRUCTIONS
  #work = MAX_PATTERN_WORK

  /** Returns whether the instructions are within the budget. It is called before a pattern is compiled. */
  compile(instructions: number): boolean {
    this.#instructions -= instructions
    return this.#instructions >= 0
  }

  /** Returns whether the work is within the budget. It is called before texts are searched. */
  search(instructions: number, characters: number): boolean {
    this.#work -= instructions * characters
    return this.#work >= 0
  }
}

/**
 * Adds to the size of a result. It is called before the result grows by this number of UTF-16 units.
 * @throws HogqlError for a result that becomes too long
 */
export type Take = (characters: number) => void
