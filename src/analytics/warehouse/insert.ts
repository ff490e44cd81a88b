// Writing rows to ClickHouse.
import { ask, type ClickhouseServer } from '../clickhouse/server'
import { WAREHOUSE_TABLES, type WarehouseTableName } from '../clickhouse/tables'
import { tablesIn, type WarehouseRow, type WarehouseRows } from './message'

const TIMEOUT_MS = 30_000

/**
 * Inserts rows, one statement a table; people before what they did. Repeating it changes nothing.
 * @throws what `ask` throws; then some tables may have theirs, and all can be inserted again.
 */
export async function insertRows(server: ClickhouseServer, rows: WarehouseRows): Promise<void> {
  for (const table of tablesIn(rows)) await insertInto(server, table, rows[table] ?? [])
}

async function insertInto(
  server: ClickhouseServer,
  table: WarehouseTableName,
  rows: readonly WarehouseRow[],
): Promise<void> {
  const columns = Object.keys(WAREHOUSE_TABLES[table].columns).map((column) => `\`${column}\``)
  const response = await ask(server, {
    search: {
      query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT JSONEachRow`,
      query_id: `halyard-${table}-${crypto.randomUUID()}`,
      // It is written when the answer comes.
      async_insert: 0,
      wait_end_of_query: 1,
    },
    body: rows.map((row) => JSON.stringify(row)).join('\n'),
    timeoutMs: TIMEOUT_MS,
  })
  await response.body?.cancel()
}
