// What ClickHouse says when a query fails, in words that are of use to whoever wrote the query.
import { type ApiError, invalid } from '../../errors'
import { ClickhouseError, ClickhouseUnreachable, isTimeout } from '../clickhouse/server'
import { engineUnavailable } from '../../storage/shards'
import { queryCapacity, queryMemoryLimit, queryTimeout, queryTooLarge } from './limits'

const refused = (code: string, detail: string) => (): ApiError => invalid(null, detail, code)

const NOT_A_VALUE = refused(
  'invalid_value',
  'A value could not be converted to the type that the query wants it as.',
)
const BAD_ARGUMENT = refused(
  'invalid_argument',
  'A function of this query was given an argument that it cannot take.',
)
const READS_TOO_MUCH = refused(
  'query_too_expensive',
  'This query reads too much. Narrow its scope (e.g. a smaller date range).',
)
const TOO_COMPLEX = refused(
  'query_too_complex',
  'This query is too complex for the database. Take it apart, or simplify it.',
)

/** By ClickHouse's number: what the query can be changed about, or tried again for. */
const MEANINGS: ReadonlyMap<number, (cause: unknown) => ApiError> = new Map([
  // TIMEOUT_EXCEEDED, QUERY_WAS_CANCELLED
  [159, queryTimeout],
  [394, queryTimeout],
  // TOO_SLOW
  [
    160,
    refused(
      'query_estimated_too_slow',
      'This query would take too long. Narrow its scope (e.g. a smaller date range).',
    ),
  ],
  // MEMORY_LIMIT_EXCEEDED
  [241, queryMemoryLimit],
  // TOO_MANY_ROWS, TOO_MANY_BYTES: of what is read
  ...[158, 307].map((code) => [code, READS_TOO_MUCH] as const),
  // TOO_MANY_ROWS_OR_BYTES: of the answer; TOO_LARGE_ARRAY_SIZE, TOO_LARGE_STRING_SIZE
  ...[396, 128, 131].map((code) => [code, queryTooLarge] as const),
  // TOO_MANY_SIMULTANEOUS_QUERIES
  [202, queryCapacity],
  // TOO_DEEP_AST, TOO_BIG_AST, TOO_DEEP_RECURSION, TOO_DEEP_SUBQUERIES
  ...[167, 168, 306, 162].map((code) => [code, TOO_COMPLEX] as const),
  // ILLEGAL_DIVISION
  [153, refused('division_by_zero', 'Division by zero.')],
  // CANNOT_PARSE_TEXT, _QUOTED_STRING, _DATE, _DATETIME, _NUMBER, CANNOT_CONVERT_TYPE, CANNOT_PARSE_BOOL, VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
  ...[6, 26, 38, 41, 72, 70, 467, 321].map((code) => [code, NOT_A_VALUE] as const),
  // BAD_ARGUMENTS, ARGUMENT_OUT_OF_BOUND, PARAMETER_OUT_OF_BOUND, ILLEGAL_COLUMN, SIZES_OF_ARRAYS_DONT_MATCH, DECIMAL_OVERFLOW
  ...[36, 69, 12, 44, 190, 407].map((code) => [code, BAD_ARGUMENT] as const),
  // CANNOT_PARSE_ESCAPE_SEQUENCE
  [25, refused('invalid_pattern', 'A pattern of LIKE in this query ends in a single backslash.')],
  // CANNOT_COMPILE_REGEXP
  [427, refused('invalid_regex', 'A regular expression of this query is not valid.')],
])

/**
 * What the deployment has to mend, or wait for: UNKNOWN_TABLE, UNKNOWN_DATABASE, UNKNOWN_IDENTIFIER, UNKNOWN_SETTING, READONLY,
 * UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, NOT_ENOUGH_SPACE, TABLE_IS_READ_ONLY, NETWORK_ERROR, SOCKET_TIMEOUT,
 * CANNOT_SCHEDULE_TASK, SETTING_CONSTRAINT_VIOLATION, ACCESS_DENIED, AUTHENTICATION_FAILED, KEEPER_EXCEPTION.
 */
const OF_THE_SERVER: ReadonlySet<number> = new Set([
  60, 81, 47, 115, 164, 192, 193, 194, 243, 242, 210, 209, 439, 452, 497, 516, 999,
])

/** The error for a query that failed: one that the caller can do something about, 503 for what is up with the server, or `error` itself. */
export function clickhouseFailure(error: unknown): unknown {
  if (isTimeout(error)) return queryTimeout()
  if (error instanceof ClickhouseUnreachable) return engineUnavailable(error)
  if (!(error instanceof ClickhouseError)) return error
  const meaning = MEANINGS.get(error.code)
  if (meaning) return meaning(error)
  return OF_THE_SERVER.has(error.code) ? engineUnavailable(error) : error
}
