// How many numbers the answer of an insight has room for.
import { MAX_ANSWER, queryTooLarge } from '../../analytics/engine/limits'

/** Characters that a number takes at least, with the names that it has in an answer. */
const SHORTEST = 26

/**
 * Says no before an answer is put together that would be too long: every value of a breakdown has a number for every period.
 * @throws 400 `query_too_large`.
 */
export function requireRoom(numbers: number): void {
  if (numbers * SHORTEST > MAX_ANSWER) throw queryTooLarge()
}
