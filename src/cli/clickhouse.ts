import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ask, type ClickhouseServer, clickhouseOf } from '../analytics/clickhouse/server'
import { createTables } from '../analytics/clickhouse/tables'
import { copyToClickhouse, type Cursors } from '../analytics/ingestion/move'
import { runCommand, UsageError } from './command'
import { isShard } from './deploy/bindings'
import { executeSql } from './wrangler'

/** Rows of a page; each page is one call of wrangler. */
const PAGE = 2_000
const TIMEOUT_MS = 60_000

/** Seconds in which events may still reach the shard: isolates cache projects for a minute, and the queue holds messages for seconds. */
const SETTLE_SECONDS = '90'

const USAGE = `npm run clickhouse:setup [-- --env NAME] [--move [--remote] [--settle SECONDS]]

Creates the tables on the ClickHouse server of CLICKHOUSE_URL, with the password in the environment as CLICKHOUSE_PASSWORD.

  --env NAME         the server of [env.NAME] of wrangler.toml
  --move             copies the events of all projects there, and queries them there from then on
  --remote           those of the deployed service, in place of the local ones
  --settle SECONDS   how long events may still reach a shard (default ${SETTLE_SECONDS})`

runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: {
      env: { type: 'string' },
      move: { type: 'boolean', default: false },
      remote: { type: 'boolean', default: false },
      settle: { type: 'string', default: SETTLE_SECONDS },
    },
  })
  if (!/^\d{1,5}$/.test(values.settle)) {
    throw new UsageError(`--settle must be a number of seconds, got "${values.settle}"`)
  }
  if (values.remote && !values.move) throw new UsageError('--remote belongs to --move.')
  // Wrangler takes seconds to load: what is wrong with the options is said before.
  const { readDesiredState } = await import('./deploy/desired-state')
  const { vars, environment, databases } = readDesiredState(values.env ?? null)
  const shards = databases.flatMap(({ binding }) => (isShard(binding) ? [binding] : []))
  const server = clickhouseOf({ ...vars, ...process.env })
  if (!server) {
    throw new Error(
      'Set CLICKHOUSE_URL in wrangler.toml, or in the environment, and CLICKHOUSE_PASSWORD there.',
    )
  }
  await run({ ...server, database: '' }, `CREATE DATABASE IF NOT EXISTS \`${server.database}\``)
  for (const statement of createTables()) await run(server, statement)
  process.stdout.write(`The tables are in the database ${server.database} on ${server.url.host}.\n`)
  if (!values.move) return

  const place = values.remote ? '--remote' : '--local'
  const cursors: Cursors = new Map()
  const copy = () =>
    copyToClickhouse(
      {
        read: (binding, sql) => executeSql(place, [sql], environment, binding),
        server,
        shards,
        pageSize: PAGE,
        onPage: (database, kind, rows) => process.stdout.write(`${database}: ${rows} ${kind}\n`),
      },
      cursors,
    )
  const copied = await copy()
  await executeSql(place, [`UPDATE projects SET query_engine = 'clickhouse'`], environment)
  process.stdout.write(
    `Copied ${copied} rows. Queries and new events go to ClickHouse now. Copying what arrived in the meantime…\n`,
  )
  await sleep(Number(values.settle) * 1_000)
  // Persons and groups change in place: all of them are copied again.
  for (const cursor of cursors.keys()) if (cursor.startsWith('DB ')) cursors.delete(cursor)
  process.stdout.write(`Copied ${await copy()} more rows. Done.\n`)
})

async function run(server: ClickhouseServer, statement: string): Promise<void> {
  await ask(server, {
    search: { wait_end_of_query: 1 },
    body: statement,
    timeoutMs: TIMEOUT_MS,
  }).catch((error: Error) => {
    throw new Error(`${server.url.host} as ${server.user}: ${error.message}`)
  })
}
