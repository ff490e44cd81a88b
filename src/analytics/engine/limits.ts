// What a query may cost, whichever engine runs it, and what a caller is told who asked for more (reference/endpoints-api.md §3.2, 16–17).
import { ApiError, invalid } from '../../errors'
import { tooLarge } from '../../hogql/cost/budget'

/**
 * How long a query of a run may take. Other calls that a request makes of the database have a deadline of their own, which is shorter
 * (`metered-d1.ts`); builds, for which nobody waits, have longer ones (`build/consume.ts`, `clickhouse-rows.ts`).
 */
export const QUERY_DEADLINE_MS = 10_000

/** Rows that one run gives at most, whatever the query's own LIMIT is. */
export const ROW_CAP = 50_000

/** Characters of an answer, written as JSON. */
export const MAX_ANSWER = 16 * 1024 * 1024

/** 400: past the deadline. */
export const queryTimeout = () =>
  invalid(
    null,
    `This query exceeded the execution time limit of ${QUERY_DEADLINE_MS / 1000} seconds. ` +
      'Narrow its scope (e.g. a smaller date range).',
    'query_timeout',
  )

/**
 * 400: the query would cost more than the limit.
 * @param excess which limit, and by how much.
 * @param isOfData whether its cost comes from what it reads.
 */
export const queryTooExpensive = (excess: string, isOfData: boolean) =>
  invalid(null, tooLarge(excess, isOfData), 'query_too_expensive')

/** 400: the answer, or a value on the way to it, is larger than can be carried. */
export const queryTooLarge = () =>
  invalid(
    null,
    'The result of this query is too large. Select fewer columns, aggregate more, or ask for fewer rows with limit.',
    'query_too_large',
  )

/** 400: the engine ran out of memory over it. */
export const queryMemoryLimit = () =>
  invalid(
    null,
    'This query exceeded the memory limit. Narrow its scope (e.g. a smaller date range).',
    'query_memory_limit',
  )

/** 429: the project has as many queries under way as it may. */
export const tooManyAtOnce = () =>
  new ApiError({
    status: 429,
    type: 'throttled_error',
    code: 'throttled',
    detail: 'Too many concurrent requests. Please try again later.',
    headers: { 'Retry-After': '1' },
  })

/** 503: the engine has no room for this now; the query itself may be fine. */
export const queryCapacity = (cause?: unknown) =>
  new ApiError({
    status: 503,
    type: 'server_error',
    code: 'query_capacity',
    detail: 'Queries are temporarily at capacity. Please retry.',
    headers: { 'Retry-After': '5' },
    cause,
  })
