// The engine that serves these tests, as Halyard sees it. Each file takes a database of its own in it.
import { inject } from 'vitest'
import { parseRows } from '../../../src/analytics/clickhouse/json-compact'
import {
  type StatementResponse,
  sendStatement,
  type ClickhouseServer,
  clickhouseOf,
} from '../../../src/analytics/clickhouse/server'
import { createTables } from '../../../src/analytics/clickhouse/tables'

export interface Warehouse {
  /** What a deployment that uses it is configured with. */
  settings: {
    CLICKHOUSE_URL: string
    CLICKHOUSE_USER: string
    CLICKHOUSE_PASSWORD: string
    CLICKHOUSE_DATABASE: string
  }
  server: ClickhouseServer
  /** The rows of a statement of the test's own. */
  rows(statement: string): Promise<unknown[][]>
}

/** A database with empty tables, made as the setup command makes them. */
export async function makeWarehouse(database: string): Promise<Warehouse> {
  const settings = { ...inject('clickhouse'), CLICKHOUSE_DATABASE: database }
  const server = clickhouseOf(settings)!
  await run({ ...server, database: '' }, `CREATE DATABASE ${database}`)
  for (const statement of createTables()) await run(server, statement)
  return {
    settings,
    server,
    async rows(statement) {
      const { body } = await run(server, statement)
      return (await parseRows(body, 100_000_000))!
    },
  }
}

const run = (server: ClickhouseServer, statement: string): Promise<StatementResponse> =>
  sendStatement(server, {
    search: { default_format: 'JSONCompact', output_format_json_quote_64bit_integers: 0 },
    body: statement,
    timeoutMs: 10_000,
  })
