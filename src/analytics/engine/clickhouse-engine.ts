import type { CompiledQuery } from '../../hogql/compiled'
import { parseRowBatches, parseRows, RowTooLarge } from '../clickhouse/json-compact'
import { sendStatement, type ClickhouseServer, ClickhouseUnreachable } from '../clickhouse/server'
import { clickhouseFailure } from './clickhouse-errors'
import { encodeParameters } from './clickhouse-parameters'
import { MAX_RESULT_BYTES, QUERY_DEADLINE_MS, queryTooLarge, MAX_RESULT_ROWS } from './limits'
import { parameterValues } from './parameter-values'
import { decodeRows, type QueryEngine, type Run } from './query-engine'

export interface Limits {
  deadlineMs: number
  /** Bytes of memory that a query may use on the server. */
  memory: number
  /** Bytes that a query may read. */
  read: number
}

const LIMITS: Limits = { deadlineMs: QUERY_DEADLINE_MS, memory: 4 * 1024 ** 3, read: 100 * 1024 ** 3 }

/** Maximum queries that run at the same time, of all projects. */
const MAX_CONCURRENT_QUERIES = 50

/** Time that is added to the server's deadline, so that the server's error arrives. */
const GRACE_MS = 2_000

/** Creates the engine. Each query is one HTTP request. */
export function createClickhouseEngine(server: ClickhouseServer, limits: Limits = LIMITS): QueryEngine {
  return {
    dialect: 'clickhouse',
    async run(query, run) {
      const rows = await rowsOf(server, query, run, limits).catch((error: unknown) => {
        throw clickhouseFailure(error)
      })
      decodeRows(rows, query, run.timezone)
      return { rows }
    },
  }
}

async function rowsOf(
  server: ClickhouseServer,
  query: CompiledQuery,
  run: Run,
  limits: Limits,
): Promise<unknown[][]> {
  const send = () =>
    sendStatement(server, {
      search: searchOf(run, limits),
      body: formOf(query, run),
      timeoutMs: limits.deadlineMs + GRACE_MS,
    })
  const { body } = await send().catch((error: unknown) => {
    // The server may have closed a pooled connection. A read can be repeated.
    if (error instanceof ClickhouseUnreachable) return send()
    throw error
  })
  // The result is measured again, because the server counts bytes differently.
  const rows = await parseRows(body, MAX_RESULT_BYTES)
  if (!rows) throw queryTooLarge()
  return rows
}

/** Returns the parameters as a form, because long lists do not fit into a URL. */
function formOf(query: CompiledQuery, run: Run): FormData {
  const form = new FormData()
  form.set('query', query.sql)
  encodeParameters(query.parameters, parameterValues(query, run)).forEach((value, place) =>
    form.set(`param_p${place + 1}`, value),
  )
  return form
}

const searchOf = ({ projectId, queryId }: Run, { deadlineMs, memory, read }: Limits) => ({
  // The id is unique, because ClickHouse rejects the id of a running query.
  query_id: `halyard-${projectId}-${crypto.randomUUID()}`,
  log_comment: JSON.stringify({ project_id: projectId, client_query_id: queryId?.slice(0, 200) ?? null }),
  default_format: 'JSONCompact',
  // Mode 2 allows reads with settings. Mode 1 would reject the settings.
  readonly: 2,
  max_execution_time: deadlineMs / 1000,
  timeout_overflow_mode: 'throw',
  max_memory_usage: memory,
  max_bytes_to_read: read,
  read_overflow_mode: 'throw',
  max_concurrent_queries_for_user: MAX_CONCURRENT_QUERIES,
  max_result_rows: MAX_RESULT_ROWS + 1,
  max_result_bytes: MAX_RESULT_BYTES,
  result_overflow_mode: 'throw',
  cancel_http_readonly_queries_on_client_close: 1,
  // The server waits, and then sends the complete result or an error.
  wait_end_of_query: 1,
  // Events never change, so other versions of a row cannot match.
  use_skip_indexes_if_final: 1,
  ...SEMANTICS,
})

/** Settings on which results depend. They are sent, so that the server's own settings do not matter. */
const SEMANTICS = {
  join_use_nulls: 1,
  group_by_use_nulls: 0,
  // Otherwise, a key that a set of GROUPING SETS leaves out would be the function of a default value, and not a default value.
  optimize_injective_functions_in_group_by: 0,
  transform_null_in: 1,
  // Without this, a constant in GROUP BY and ORDER BY would be the number of a column.
  enable_positional_arguments: 0,
  aggregate_functions_null_for_empty: 0,
  enable_extended_results_for_datetime_functions: 1,
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 0,
  output_format_json_escape_forward_slashes: 0,
} as const

/** Limits of a streamed query. The server has the complete result before it sends the first row, and no caller waits for it. */
const STREAM_LIMITS: Limits = { deadlineMs: 300_000, memory: 4 * 1024 ** 3, read: 1024 ** 4 }

/** Streams the rows of a query in batches, from one statement, with values as ClickHouse has them. @throws ApiError like `QueryEngine.run` */
export async function* rowsFromClickhouse(
  server: ClickhouseServer,
  query: CompiledQuery,
  run: Run,
): AsyncGenerator<unknown[][]> {
  try {
    const { body } = await sendStatement(server, {
      search: { ...searchOf(run, STREAM_LIMITS), max_result_rows: 0, max_result_bytes: 0 },
      body: formOf(query, run),
      timeoutMs: STREAM_LIMITS.deadlineMs * 2,
    })
    yield* parseRowBatches(body, MAX_RESULT_BYTES)
  } catch (error) {
    throw error instanceof RowTooLarge ? queryTooLarge() : clickhouseFailure(error)
  }
}
