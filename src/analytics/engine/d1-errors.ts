// Translates errors of D1 to those of a query.
import { type ApiError, databaseFull } from '../../errors'
import { RECURSION_ERROR, SEVERAL_ROWS_ERROR, SIZES_ERROR } from '../../hogql/functions/limits'
import { d1ErrorKind } from '../../storage/d1-errors'
import {
  arraySizes,
  queryCapacity,
  queryError,
  queryMemoryLimit,
  queryTimeout,
  queryTooComplex,
  queryTooLarge,
  recursionLimit,
  severalRows,
} from './limits'

/** Errors that values cause, by SQLite's message, in order. The caller does not cause other errors. */
const QUERY_ERRORS: readonly [RegExp, () => ApiError][] = [
  [
    /integer overflow/i,
    queryError('integer_overflow', 'A number in this query is too large: integer overflow.'),
  ],
  [
    /malformed JSON|JSON cannot hold BLOB/i,
    queryError('invalid_json', 'A JSON function in this query was given text that is not JSON.'),
  ],
  [new RegExp(RECURSION_ERROR), recursionLimit],
  [new RegExp(SIZES_ERROR), arraySizes],
  [new RegExp(SEVERAL_ROWS_ERROR), severalRows],
  [
    /bad JSON path/i,
    queryError('invalid_json', 'A JSON function in this query was given a path that is not one.'),
  ],
  [
    /pattern too complex/i,
    queryError('pattern_too_complex', 'A pattern of LIKE in this query is longer than 50 bytes.'),
  ],
  [
    /too many terms in compound SELECT|expression tree is too large|parser stack overflow|too many columns|at most 64 tables|too many (arguments|FROM clause terms)|too many SQL variables|statement too long|SQLITE_LIMIT/i,
    queryTooComplex,
  ],
]

/** Returns the error for the caller, or `error` itself. */
export function d1Failure(error: unknown): unknown {
  switch (d1ErrorKind(error)) {
    case 'too large':
      return queryTooLarge()
    case 'memory':
      return queryMemoryLimit()
    case 'timeout':
      return queryTimeout()
    case 'overloaded':
    case 'connection':
      return queryCapacity()
    case 'full':
      return databaseFull(error)
    case 'constraint':
    case 'statement': {
      const message = error instanceof Error ? error.message : String(error)
      return QUERY_ERRORS.find(([pattern]) => pattern.test(message))?.[1]() ?? error
    }
  }
}
