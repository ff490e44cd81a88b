// All rows of a query on ClickHouse, however many, as they come: what an answer of a run has no room for.
import type { CompiledQuery } from '../../hogql/compiled'
import { readRowBatches, RowTooLarge } from '../clickhouse/json-compact'
import { ask, type ClickhouseServer } from '../clickhouse/server'
import { decode, formOf, type Limits, searchOf } from './clickhouse-engine'
import { clickhouseFailure } from './clickhouse-errors'
import { MAX_ANSWER, queryTooLarge } from './limits'
import type { Run } from './query-engine'

/** The server has the whole result before it sends the first row, and nobody waits for it. */
const LIMITS: Limits = { deadlineMs: 300_000, memory: 4 * 1024 ** 3, read: 1024 ** 4 }

/**
 * Gives the rows of a query in batches, values as the API shows them. One statement gives all of them: they are of one moment.
 * @throws ApiError as an engine does.
 */
export async function* rowsFromClickhouse(
  server: ClickhouseServer,
  query: CompiledQuery,
  run: Run,
): AsyncGenerator<unknown[][]> {
  try {
    const { body } = await ask(server, {
      search: { ...searchOf(run, LIMITS), max_result_rows: 0, max_result_bytes: 0 },
      body: formOf(query, run),
      timeoutMs: LIMITS.deadlineMs * 2,
    })
    for await (const rows of readRowBatches(body, MAX_ANSWER)) {
      decode(rows, query, run.timezone)
      yield rows
    }
  } catch (error) {
    throw error instanceof RowTooLarge ? queryTooLarge() : clickhouseFailure(error)
  }
}
