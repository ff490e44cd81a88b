// Translates errors of ClickHouse to those of a query.
import type { ApiError } from '../../errors'
import { ClickhouseError, ClickhouseUnreachable, isTimeout } from '../clickhouse/server'
import { engineUnavailable } from '../../storage/shards'
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

const NOT_A_VALUE = queryError(
  'invalid_value',
  'A value could not be converted to the type that the query wants it as.',
)
const BAD_ARGUMENT = queryError(
  'invalid_argument',
  'A function of this query was given an argument that it cannot take.',
)
const READS_TOO_MUCH = queryError(
  'query_too_expensive',
  'This query reads too much. Narrow its scope (e.g. a smaller date range).',
)

/** Errors for the caller, by ClickHouse's code. */
const QUERY_ERRORS: ReadonlyMap<number, (cause: unknown) => ApiError> = new Map([
  // TIMEOUT_EXCEEDED, QUERY_WAS_CANCELLED
  [159, queryTimeout],
  [394, queryTimeout],
  // TOO_SLOW
  [
    160,
    queryError(
      'query_estimated_too_slow',
      'This query would take too long. Narrow its scope (e.g. a smaller date range).',
    ),
  ],
  // MEMORY_LIMIT_EXCEEDED
  [241, queryMemoryLimit],
  // TOO_MANY_ROWS, TOO_MANY_BYTES of the data that a query reads
  ...[158, 307].map((code) => [code, READS_TOO_MUCH] as const),
  // TOO_MANY_ROWS_OR_BYTES of the result; TOO_LARGE_ARRAY_SIZE, TOO_LARGE_STRING_SIZE
  ...[396, 128, 131].map((code) => [code, queryTooLarge] as const),
  // TOO_MANY_SIMULTANEOUS_QUERIES
  [202, queryCapacity],
  // TOO_DEEP_AST, TOO_BIG_AST, TOO_DEEP_RECURSION, TOO_DEEP_SUBQUERIES
  ...[167, 168, 306, 162].map((code) => [code, queryTooComplex] as const),
  // FUNCTION_THROW_IF_VALUE_IS_NON_ZERO: only recursive CTEs have it
  [395, recursionLimit],
  // INCORRECT_RESULT_OF_SCALAR_SUBQUERY
  [125, severalRows],
  // ILLEGAL_DIVISION
  [153, queryError('division_by_zero', 'Division by zero.')],
  // CANNOT_PARSE_TEXT, _QUOTED_STRING, _DATE, _DATETIME, _NUMBER, CANNOT_PARSE_BOOL, VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
  ...[6, 26, 38, 41, 72, 467, 321].map((code) => [code, NOT_A_VALUE] as const),
  // BAD_ARGUMENTS, ARGUMENT_OUT_OF_BOUND, PARAMETER_OUT_OF_BOUND, ILLEGAL_COLUMN, DECIMAL_OVERFLOW
  ...[36, 69, 12, 44, 407].map((code) => [code, BAD_ARGUMENT] as const),
  // SIZES_OF_ARRAYS_DONT_MATCH
  [190, arraySizes],
  // NUMBER_OF_ARGUMENTS_DOESNT_MATCH, ILLEGAL_TYPE_OF_ARGUMENT, NOT_IMPLEMENTED, TYPE_MISMATCH, CANNOT_CONVERT_TYPE, NO_COMMON_TYPE
  ...[42, 43, 48, 53, 70, 135, 353, 386].map((code) => [code, BAD_ARGUMENT] as const),
  // CANNOT_PARSE_ESCAPE_SEQUENCE
  [25, queryError('invalid_pattern', 'A pattern of LIKE in this query ends in a single backslash.')],
  // CANNOT_COMPILE_REGEXP
  [427, queryError('invalid_regex', 'A regular expression of this query is not valid.')],
])

/**
 * Errors of the deployment: UNKNOWN_TABLE, UNKNOWN_DATABASE, UNKNOWN_IDENTIFIER, UNKNOWN_SETTING, READONLY,
 * UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, NOT_ENOUGH_SPACE, TABLE_IS_READ_ONLY, NETWORK_ERROR, SOCKET_TIMEOUT,
 * CANNOT_SCHEDULE_TASK, SETTING_CONSTRAINT_VIOLATION, ACCESS_DENIED, AUTHENTICATION_FAILED, KEEPER_EXCEPTION.
 */
const SERVER_ERRORS: ReadonlySet<number> = new Set([
  60, 81, 47, 115, 164, 192, 193, 194, 243, 242, 210, 209, 439, 452, 497, 516, 999,
])

/** Returns the error for the caller, a 503 for a failure of the server, or `error` itself. */
export function clickhouseFailure(error: unknown): unknown {
  if (isTimeout(error)) return queryTimeout()
  if (error instanceof ClickhouseUnreachable) return engineUnavailable(error)
  if (!(error instanceof ClickhouseError)) return error
  const queryFailure = QUERY_ERRORS.get(error.code)
  if (queryFailure) return queryFailure(error)
  return SERVER_ERRORS.has(error.code) ? engineUnavailable(error) : error
}
