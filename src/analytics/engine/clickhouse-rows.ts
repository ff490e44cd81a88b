// All rows of a query on ClickHouse, however many, as they come: what an answer of a run has no room for.
import type { CompiledQuery } from '../../hogql/compiled'
import { ask, type ClickhouseServer } from '../clickhouse/server'
import { decode, formOf, type Limits, searchOf } from './clickhouse-engine'
import { clickhouseFailure } from './clickhouse-errors'
import type { Run } from './query-engine'

/** The server has the whole result before it sends the first row, and nobody waits for it. */
const LIMITS: Limits = { deadlineMs: 300_000, memory: 4 * 1024 ** 3, read: 1024 ** 4 }

/** Characters of a batch, roughly. */
const BATCH = 500_000

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
    const response = await ask(server, {
      search: {
        ...searchOf(run, LIMITS),
        default_format: 'JSONCompactEachRow',
        max_result_rows: 0,
        max_result_bytes: 0,
      },
      body: formOf(query, run),
      timeoutMs: LIMITS.deadlineMs * 2,
    })
    for await (const lines of batchesOf(response)) {
      const rows = lines.map((line) => JSON.parse(line) as unknown[])
      decode(rows, query, run.timezone)
      yield rows
    }
  } catch (error) {
    throw clickhouseFailure(error)
  }
}

/** The lines of an answer, so many at a time. */
async function* batchesOf(response: Response): AsyncGenerator<string[]> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length < BATCH) continue
    const end = text.lastIndexOf('\n')
    if (end < 0) continue
    yield text.slice(0, end).split('\n')
    text = text.slice(end + 1)
  }
  text += decoder.decode()
  const rest = text.split('\n').filter((line) => line !== '')
  if (rest.length > 0) yield rest
}
