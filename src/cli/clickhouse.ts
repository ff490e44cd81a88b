// `npm run clickhouse:setup [-- --env NAME] [--backfill [--remote]]`: makes the tables on the ClickHouse server, and brings there what the
// database holds. Where the server is says wrangler.toml, or the environment; the password comes from the environment alone.
import { parseArgs } from 'node:util'
import { ask, type ClickhouseServer, clickhouseOf } from '../analytics/clickhouse/server'
import { createTables } from '../analytics/clickhouse/tables'
import { backfill } from '../analytics/warehouse/backfill'
import { runCommand, UsageError } from './command'
import { readWanted } from './deploy/wanted'
import { executeSql } from './wrangler'

/** Rows of a page; each page is one call of wrangler. */
const PAGE = 2_000
const TIMEOUT_MS = 60_000

runCommand(async () => {
  const { values } = parseArgs({
    options: {
      env: { type: 'string' },
      backfill: { type: 'boolean', default: false },
      remote: { type: 'boolean', default: false },
    },
  })
  if (values.remote && !values.backfill) throw new UsageError('--remote belongs to --backfill.')
  const { vars, environment } = readWanted(values.env ?? null)
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
    read: (sql) => executeSql(place, [sql], environment),
    server,
    pageSize: PAGE,
    onPage: (table, rows) => process.stdout.write(`${table}: ${rows}\n`),
  })
  process.stdout.write(`Copied: ${JSON.stringify(copied)}\n`)
})

async function run(server: ClickhouseServer, statement: string): Promise<void> {
  await ask(server, { search: {}, body: statement, timeoutMs: TIMEOUT_MS }).catch((error: Error) => {
    throw new Error(`${server.url.host} as ${server.user}: ${error.message}`)
  })
}
