// Limits the size of an insight's result.
import { MAX_RESULT_BYTES, queryError } from '../../analytics/engine/limits'

export const insightTooLarge = queryError(
  'query_too_large',
  'The result of this query is too large. Ask for a shorter range, longer periods, or fewer values of a breakdown.',
)

/** Minimum characters of a number with its period's labels, and of a series besides its numbers. */
const NUMBER_LENGTH = 26
const SERIES_LENGTH = 200

/**
 * Counts down the bytes of a result. They are taken before the series are built, because the series could exceed the memory of an
 * isolate.
 */
export class ResultBudget {
  #left = MAX_RESULT_BYTES

  /**
   * @param lines number of series
   * @param numbers per series
   * @param names characters of the query that each series repeats
   * @throws 400 `query_too_large`
   */
  take(lines: number, numbers: number, names = 0): void {
    this.#left -= lines * (SERIES_LENGTH + names + numbers * NUMBER_LENGTH)
    if (this.#left < 0) throw insightTooLarge()
  }
}
