// Bounds of what the Worker computes for a query on D1.

/** Different texts that a function is computed of, and their bytes. */
export const MAX_COMPUTED_TEXTS = 10_000
export const MAX_COMPUTED_BYTES = 1024 * 1024

/** A result has at most so many bytes for each of its text, and so many more. */
export const MAX_GROWTH = 4
export const MAX_GROWN_BYTES = 256

/** Instructions of all regular expressions of a query: compiling takes some 5 µs and 250 bytes for each. */
export const MAX_PATTERN_INSTRUCTIONS = 50_000

/** Instructions of patterns times characters of texts, of a query: about two seconds of a processor. */
const MAX_PATTERN_WORK = 200_000_000

/** Limits the work of all regular expressions of one query. */
export class PatternBudget {
  #instructions = MAX_PATTERN_INSTRUCTIONS
  #work = MAX_PATTERN_WORK

  /** Before a pattern is compiled: whether its instructions are within the budget. */
  compile(instructions: number): boolean {
    this.#instructions -= instructions
    return this.#instructions >= 0
  }

  /** Before texts are searched. */
  search(instructions: number, characters: number): boolean {
    this.#work -= instructions * characters
    return this.#work >= 0
  }
}

/** Called before a result grows by this number of UTF-16 units. @throws HogqlError for one that becomes too long */
export type Take = (characters: number) => void
