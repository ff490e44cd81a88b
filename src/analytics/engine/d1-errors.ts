// Errors of D1, in terms of the query.
import { type ApiError, databaseFull, invalid } from '../../errors'
import { d1ErrorKind } from '../../storage/d1-errors'
import { queryCapacity, queryMemoryLimit, queryTimeout, queryTooLarge } from './limits'

const refused = (code: string, detail: string) => () => invalid(null, detail, code)

/** Errors caused by values, by SQLite's message, in order. Other errors are not the caller's. */
const MEANINGS: readonly [RegExp, () => ApiError][] = [
  [
    /integer overflow/i,
    refused('integer_overflow', 'A number in this query is too large: integer overflow.'),
  ],
  [
    /malformed JSON|JSON cannot hold BLOB/i,
    refused('invalid_json', 'A JSON function in this query was given text that is not JSON.'),
  ],
  [
    /bad JSON path/i,
    refused('invalid_json', 'A JSON function in this query was given a path that is not one.'),
  ],
  [
    /pattern too complex/i,
    refused('pattern_too_complex', 'A pattern of LIKE in this query is longer than 50 bytes.'),
  ],
  [
    /too many terms in compound SELECT|expression tree is too large|parser stack overflow|too many columns|at most 64 tables|too many (arguments|FROM clause terms)|too many SQL variables|statement too long|SQLITE_LIMIT/i,
    refused(
      'query_too_complex',
      'This query is too complex for the database. Take it apart, or simplify it.',
    ),
  ],
]

/** The error for the caller, or `error` itself. */
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
      return MEANINGS.find(([pattern]) => pattern.test(message))?.[1]() ?? error
    }
  }
}
