// Limits of a query in any engine, and their errors.
import { ApiError, invalid } from '../../errors'
import { tooLarge } from '../../hogql/cost/budget'
import { MAX_RECURSION_BYTES, MAX_RECURSION_LEVELS, MAX_RECURSION_ROWS } from '../../hogql/functions/limits'

/**
 * The deadline of a run. Other calls of a request have shorter deadlines (`metered-d1.ts`), and builds longer ones
 * (`materialization/build/build-version.ts`, `clickhouse-engine.ts`).
 */
export const QUERY_DEADLINE_MS = 10_000

/** Maximum rows of a run, whatever the query's own LIMIT. */
export const MAX_RESULT_ROWS = 50_000

/** Maximum bytes of the values of a result. */
export const MAX_RESULT_BYTES = 16 * 1024 * 1024

/** Returns a 400 error of the query. */
export const queryError = (code: string, detail: string) => (): ApiError => invalid(null, detail, code)

export const queryTooComplex = queryError(
  'query_too_complex',
  'This query is too complex for the database. Take it apart, or simplify it.',
)

export const recursionLimit = queryError(
  'recursion_limit',
  `A recursive CTE of this query has more than ${MAX_RECURSION_ROWS.toLocaleString('en')} rows, more than ` +
    `${MAX_RECURSION_LEVELS.toLocaleString('en')} levels, or a value of more than ${MAX_RECURSION_BYTES.toLocaleString('en')} bytes. ` +
    'End it by a condition, such as WHERE level < 10.',
)

export const severalRows = queryError(
  'several_rows',
  'A subquery of this query is used as a value, and has several rows. Aggregate them, or add LIMIT 1.',
)

/** The error for arrays of different sizes that a query joins row by row. */
export const arraySizes = queryError(
  'sizes_of_arrays',
  'The sizes of ARRAY JOIN-ed arrays, or of arrays of one function, do not match.',
)

export const queryTimeout = queryError(
  'query_timeout',
  `This query exceeded the execution time limit of ${QUERY_DEADLINE_MS / 1000} seconds. ` +
    'Narrow its scope (e.g. a smaller date range).',
)

/**
 * @param excess the limit, and by how much
 * @param source what the cost comes from
 */
export const queryTooExpensive = (excess: string, source: Parameters<typeof tooLarge>[1]) =>
  invalid(null, tooLarge(excess, source), 'query_too_expensive')

export const queryTooLarge = queryError(
  'query_too_large',
  'The result of this query is too large. Select fewer columns, aggregate more, or ask for fewer rows with limit.',
)

export const queryMemoryLimit = queryError(
  'query_memory_limit',
  'This query exceeded the memory limit. Narrow its scope (e.g. a smaller date range).',
)

export const tooManyQueries = () =>
  new ApiError({
    status: 429,
    type: 'throttled_error',
    code: 'throttled',
    detail: 'Too many concurrent requests. Please try again later.',
    headers: { 'Retry-After': '1' },
  })

/** The error of a busy engine. The query itself may be fine. */
export const queryCapacity = (cause?: unknown) =>
  new ApiError({
    status: 503,
    type: 'server_error',
    code: 'query_capacity',
    detail: 'Queries are temporarily at capacity. Please retry.',
    headers: { 'Retry-After': '5' },
    cause,
  })
