// Runs the command's statements on a ClickHouse server.
import { parseRows } from '../../analytics/clickhouse/json-compact'
import { type ClickhouseServer, sendStatement } from '../../analytics/clickhouse/server'

const TIMEOUT_MS = 300_000
/** The most bytes of one result, which has a row for each day of a project, or for each project. */
const MAX_RESULT_BYTES = 64_000_000

const send = (server: ClickhouseServer, body: string, search: Readonly<Record<string, string>> = {}) =>
  sendStatement(server, {
    search: {
      wait_end_of_query: 1,
      default_format: 'JSONCompact',
      output_format_json_quote_64bit_integers: 1,
      ...search,
    },
    body,
    timeoutMs: TIMEOUT_MS,
  }).catch((error: Error) => {
    throw new Error(`${server.url.host} as ${server.user}: ${error.message}`, { cause: error })
  })

export async function run(server: ClickhouseServer, statement: string): Promise<void> {
  await send(server, statement)
}

/** Inserts rows. A table of the log keeps the last row of a key. */
export async function insert(
  server: ClickhouseServer,
  table: string,
  rows: readonly object[],
): Promise<void> {
  const lines = rows.map((row) => JSON.stringify(row))
  await send(server, lines.join('\n'), { query: `INSERT INTO ${table} FORMAT JSONEachRow` })
}

/** @returns rows, in which integers of 64 bits are text */
export async function select(server: ClickhouseServer, statement: string): Promise<unknown[][]> {
  const rows = await parseRows((await send(server, statement)).body, MAX_RESULT_BYTES)
  if (!rows) throw new Error(`${server.url.host}: a result is larger than ${MAX_RESULT_BYTES} bytes.`)
  return rows
}
