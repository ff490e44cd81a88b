// `npm run clickhouse:setup [-- --backfill [--remote]]`: makes the tables on the ClickHouse server, and brings there what the database holds.
// Where the server is says wrangler.toml, or the environment; the password comes from the environment alone.
import { parseArgs } from 'node:util'
import { unstable_readConfig as readConfig } from 'wrangler'
import { ask, type ClickhouseServer, clickhouseOf } from '../analytics/clickhouse/server'
import { createTables } from '../analytics/clickhouse/tables'
import { backfill } from '../analytics/warehouse/backfill'
import { executeSql } from './wrangler'

/** Rows of a page; each page is one call of wrangler. */
const PAGE = 2_000
const TIMEOUT_MS = 60_000

const { values } = parseArgs({
  options: { backfill: { type: 'boolean', default: false }, remote: { type: 'boolean', default: false } },
})

await setUp().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})

async function setUp(): Promise<void> {
  const { vars } = readConfig({ config: 'wrangler.toml' }, { hideWarnings: true })
  const server = clickhouseOf({ ...vars, ...process.env })
  if (!server) {
    throw new Error(
      'Set CLICKHOUSE_URL in wrangler.toml, or in the environment, and CLICKHOUSE_PASSWORD there.',
    )
  }
  await run({ ...server, database: '' }, `CREATE DATABASE IF NOT EXISTS \`${server.database}\``)
  for (const statement of createTables()) await run(server, statement)
  process.stdout.write(`The tables are in the database ${server.database} on ${server.url.host}.\n`)
  if (!values.backfill) return
  const place = values.remote ? '--remote' : '--local'
  const copied = await backfill({
    read: (sql) => executeSql(place, [sql]),
    server,
    pageSize: PAGE,
    onPage: (table, rows) => process.stdout.write(`${table}: ${rows}\n`),
  })
  process.stdout.write(`Copied: ${JSON.stringify(copied)}\n`)
}

async function run(server: ClickhouseServer, statement: string): Promise<void> {
  await ask(server, { search: {}, body: statement, timeoutMs: TIMEOUT_MS }).catch((error: Error) => {
    throw new Error(`${server.url.host} as ${server.user}: ${error.message}`)
  })
}
