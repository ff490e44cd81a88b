import type { ClickhouseServer, ClickhouseSettings } from '../analytics/clickhouse/server'
import { runCommand, say, UsageError } from './command'

/** Seconds in which events may still reach the shard: isolates cache projects for a minute, and the queue holds messages for seconds. */
const SETTLE_SECONDS = '90'

const USAGE = `npm run clickhouse:setup [-- --env NAME] [--move [--project ID]… [--remote] [--restart] [--settle SECONDS]]

Creates the tables on the ClickHouse server of CLICKHOUSE_URL in wrangler.toml, with the password in the environment as CLICKHOUSE_PASSWORD.

  --env NAME         the server of [env.NAME] of wrangler.toml
  --move             copies the events and people of projects there, compares both sides, and queries the projects there from then on;
                     run it again to continue a move that was stopped
  --project ID       moves this project (may be repeated; default: all)
  --remote           those of the deployed service, in place of the local ones
  --restart          deletes what an earlier run copied, and begins again
  --settle SECONDS   how long events may still reach a shard (default ${SETTLE_SECONDS})`

/** The settings that name the server. */
const SETTINGS = ['CLICKHOUSE_URL', 'CLICKHOUSE_USER', 'CLICKHOUSE_DATABASE'] as const

/** Tables from which the deletion of a person deletes rows. */
const DELETED_FROM = ['persons', 'cohort_people', 'person_distinct_ids', 'events']

const CONFIG = {
  options: {
    env: { type: 'string' },
    move: { type: 'boolean', default: false },
    project: { type: 'string', multiple: true },
    remote: { type: 'boolean', default: false },
    restart: { type: 'boolean', default: false },
    settle: { type: 'string' },
  },
} as const

await runCommand(USAGE, CONFIG, async ({ values }) => {
  const settle = values.settle ?? SETTLE_SECONDS
  if (!/^\d{1,5}$/.test(settle)) throw new UsageError(`--settle must be a number of seconds, got "${settle}"`)
  const wrong = values.project?.find((id) => !/^[1-9]\d{0,9}$/.test(id))
  if (wrong !== undefined) throw new UsageError(`--project must be the id of a project, got "${wrong}"`)
  for (const name of ['project', 'remote', 'restart', 'settle'] as const)
    if (values[name] && !values.move) throw new UsageError(`--${name} belongs to --move.`)
  if (values.env && values.move && !values.remote)
    throw new UsageError('--env is for a deployed service: add --remote.')
  const { readDesiredState } = await import('./deploy/desired-state')
  const { withDatabases } = await import('./backup/open-databases')
  const desired = readDesiredState(values.env ?? null)
  if (!values.move) {
    await setUp(await serverOf(desired.vars))
    return
  }
  const { DATABASE } = await import('./deploy/bindings')
  const { moveProjects } = await import('./clickhouse/move-projects')
  await withDatabases(
    desired,
    { remote: values.remote, command: 'npm run clickhouse:setup' },
    async ({ targets, vars }) => {
      // The service reads the moved projects there, and they do not come back.
      if (values.remote) requireDeployed(desired.vars, vars)
      const server = await serverOf(vars)
      await setUp(server)
      const databaseOf = (name: string) => targets.find(({ binding }) => binding === name)?.database
      const count = await moveProjects({
        main: databaseOf(DATABASE)!,
        shardOf: (name) => databaseOf(name) ?? undefined,
        server,
        projectIds: values.project?.map(Number) ?? null,
        restarts: values.restart,
        settleMs: Number(settle) * 1_000,
      })
      say(
        count === 0
          ? 'No project is left to move.\n'
          : `Moved ${count} ${count === 1 ? 'project' : 'projects'}.\n`,
      )
    },
  )
})

/** Returns the server of a service's settings. Its password is in the environment, or among the settings of the local service. */
async function serverOf(vars: ClickhouseSettings): Promise<ClickhouseServer> {
  const { clickhouseOf } = await import('../analytics/clickhouse/server')
  const password = process.env.CLICKHOUSE_PASSWORD ?? vars.CLICKHOUSE_PASSWORD
  const server = clickhouseOf({ ...vars, CLICKHOUSE_PASSWORD: password })
  if (!server)
    throw new Error('Set CLICKHOUSE_URL in wrangler.toml, and CLICKHOUSE_PASSWORD in the environment.')
  return server
}

/** @throws when the deployed service has other settings than wrangler.toml */
function requireDeployed(desired: ClickhouseSettings, deployed: ClickhouseSettings): void {
  const other = SETTINGS.find((name) => (desired[name] ?? '') !== (deployed[name] ?? ''))
  if (other === undefined) return
  throw new Error(
    `${other} is "${desired[other] ?? ''}" in wrangler.toml, and "${deployed[other] ?? ''}" in the deployed service. Deploy first: npm run deploy`,
  )
}

/** Creates the database and its tables. */
async function setUp(server: ClickhouseServer): Promise<void> {
  const { createTables } = await import('../analytics/clickhouse/tables')
  const { run } = await import('./clickhouse/warehouse')
  await run({ ...server, database: '' }, `CREATE DATABASE IF NOT EXISTS \`${server.database}\``)
  for (const statement of createTables()) await run(server, statement)
  await checkDeletions(server)
  say(`The tables are in the database ${server.database} on ${server.url.host}.\n`)
}

/**
 * Checks that the user may delete rows, by deletions of the project 0, which does not exist.
 * @throws with the statement that grants the permission, when the user lacks it
 */
async function checkDeletions(server: ClickhouseServer): Promise<void> {
  const { run } = await import('./clickhouse/warehouse')
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
