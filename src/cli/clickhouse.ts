import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { ClickhouseServer } from '../analytics/clickhouse/server'
import { runCommand, say, UsageError } from './command'
import type { Cursors } from '../analytics/ingestion/copy-to-clickhouse'
import type { SqlDatabase } from './sql-database'

/** Rows of a page. */
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
  const { clickhouseOf } = await import('../analytics/clickhouse/server')
  const { createTables } = await import('../analytics/clickhouse/tables')
  const { readDesiredState } = await import('./deploy/desired-state')
  const { withDatabases } = await import('./backup/open-databases')
  const desired = readDesiredState(values.env ?? null)
  const server = clickhouseOf({ ...desired.vars, ...process.env })
  if (!server) {
    throw new Error(
      'Set CLICKHOUSE_URL in wrangler.toml, or in the environment, and CLICKHOUSE_PASSWORD there.',
    )
  }
  await run({ ...server, database: '' }, `CREATE DATABASE IF NOT EXISTS \`${server.database}\``)
  for (const statement of createTables()) await run(server, statement)
  await checkDeletions(server)
  say(`The tables are in the database ${server.database} on ${server.url.host}.\n`)
  if (!values.move) return
  await withDatabases(
    desired,
    { remote: values.remote, command: 'npm run clickhouse:setup' },
    ({ targets }) =>
      moveProjects(
        targets.map(({ database }) => database!),
        server,
        Number(values.settle),
      ),
  )
})

/** Tables that a deletion of a person deletes rows from. */
const DELETED_FROM = ['persons', 'cohort_people', 'person_distinct_ids', 'events']

/**
 * Deletes nothing from each table: no project has the id 0.
 * @throws with the statement that grants it, when the user may not.
 */
async function checkDeletions(server: ClickhouseServer): Promise<void> {
  for (const table of DELETED_FROM) {
    await run(server, `DELETE FROM ${table} WHERE project_id = 0`).catch((error: Error) => {
      if (!/ACCESS_DENIED|\b497\b/.test(error.message)) throw error
      throw new Error(
        `${error.message}\nPersons cannot be deleted without this right. As an administrator of ClickHouse, run it, and then this command again:\n\n` +
          `  GRANT ALTER DELETE ON \`${server.database}\`.* TO \`${server.user}\`\n`,
      )
    })
  }
}

async function moveProjects(
  databases: readonly SqlDatabase[],
  server: ClickhouseServer,
  settleSeconds: number,
): Promise<void> {
  const { DATABASE } = await import('./deploy/bindings')
  const { copyToClickhouse } = await import('../analytics/ingestion/copy-to-clickhouse')
  const databaseOf = (name: string) => databases.find(({ binding }) => binding === name)!
  const cursors: Cursors = new Map()
  const copy = () =>
    copyToClickhouse(
      {
        read: (binding, sql) => databaseOf(binding ?? DATABASE).query(sql),
        server,
        shards: databases.map(({ binding }) => binding).filter((binding) => binding !== DATABASE),
        pageSize: PAGE,
        onPage: (database, kind, rows) => say(`${database}: ${rows} ${kind}\n`),
      },
      cursors,
    )
  const copied = await copy()
  await databaseOf(DATABASE).query(`UPDATE projects SET query_engine = 'clickhouse'`)
  say(
    `Copied ${copied} rows. Queries and new events go to ClickHouse now. Copying what arrived in the meantime…\n`,
  )
  await sleep(settleSeconds * 1_000)
  // Persons and groups change in place: all of them are copied again.
  for (const cursor of cursors.keys()) if (cursor.startsWith('DB ')) cursors.delete(cursor)
  say(`Copied ${await copy()} more rows. Done.\n`)
}

async function run(server: ClickhouseServer, statement: string): Promise<void> {
  const { sendStatement } = await import('../analytics/clickhouse/server')
  await sendStatement(server, {
    search: { wait_end_of_query: 1 },
    body: statement,
    timeoutMs: TIMEOUT_MS,
  }).catch((error: Error) => {
    throw new Error(`${server.url.host} as ${server.user}: ${error.message}`)
  })
}
