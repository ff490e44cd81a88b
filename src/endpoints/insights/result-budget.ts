// How much the answer of an insight has room for.
import { MAX_ANSWER, queryTooLarge } from '../../analytics/engine/limits'

/** Characters that a number takes at least, with the names of its period; and those of a line besides its numbers. */
const NUMBER = 26
const LINE = 200

/** The room of one answer. It is taken before lines are made: put together first, they could be more than an isolate holds. */
export class Room {
  #left = MAX_ANSWER

  /**
   * @param numbers of each line.
   * @param names characters of the query that each line repeats.
   * @throws 400 `query_too_large` when there is no room for as many.
   */
  take(lines: number, numbers: number, names = 0): void {
    this.#left -= lines * (LINE + names + numbers * NUMBER)
    if (this.#left < 0) throw queryTooLarge()
  }
}
