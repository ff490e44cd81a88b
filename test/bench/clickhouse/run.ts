// Measures ten million events on D1, and then on ClickHouse's engine (chdb): their size, the time of the move, and the ten queries of the bench
// `queries` as calls of the API on either side. `npm run bench -- clickhouse`; EVENTS in the environment changes the number of events.
import { isDeepStrictEqual } from 'node:util'
import { moveProjects } from '../../../src/cli/clickhouse/move-projects'
import { run, select } from '../../../src/cli/clickhouse/warehouse'
import { installPackages } from '../../support/runner/install-packages'
import { clickhouseOf } from '../../../src/analytics/clickhouse/server'
import { createTables } from '../../../src/analytics/clickhouse/tables'
import { seedPlannerStats } from '../../../src/storage/planner-stats'
import { PASSWORD, startClickhouse, USER } from '../../clickhouse/support/server'
import { commandDatabase } from '../../support/database/command-database'
import { serveWorker } from '../../support/server/served-worker'
import { loading, PROJECT } from '../queries/data'
import { QUERIES } from '../queries/queries'

const EVENTS = Number(process.env.EVENTS ?? 10_000_000)
/** The runs of each query on each side. */
const RUNS = 3

installPackages('test/clickhouse')
const clickhouse = await startClickhouse()
const settings = {
  CLICKHOUSE_URL: clickhouse.url,
  CLICKHOUSE_USER: USER,
  CLICKHOUSE_PASSWORD: PASSWORD,
  CLICKHOUSE_DATABASE: 'bench',
}
const server = clickhouseOf(settings)!
const served = await serveWorker({ bindings: settings })
await served.database.prepare(`UPDATE projects SET query_engine = 'd1'`).run()

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(0)} s`
const size = (bytes: number) => `${(bytes / 1e9).toFixed(2)} GB`

interface Outcome {
  ms: number
  /** Null when the query is rejected. */
  rows: unknown
  code: string | null
}

async function ask(query: string): Promise<Outcome> {
  const begun = performance.now()
  const outcome = (rows: unknown, code: string | null) => ({ ms: performance.now() - begun, rows, code })
  try {
    const response = await fetch(`${served.url}/api/projects/${PROJECT}/query/`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${served.credentials.personalApiKey}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ query: { kind: 'HogQLQuery', query }, refresh: 'force_blocking' }),
    })
    const body = (await response.json()) as { results?: unknown; code?: string }
    return outcome(
      response.ok ? body.results : null,
      response.ok ? null : (body.code ?? String(response.status)),
    )
  } catch {
    // A statement that takes long delays everything that workerd does, connections included.
    return outcome(null, 'connection lost')
  }
}

/** Returns the fastest of some runs, or the first when it is rejected. */
async function best(query: string): Promise<Outcome> {
  const outcomes: Outcome[] = []
  for (let count = 0; count < RUNS; count += 1) {
    const outcome = await ask(query)
    if (outcome.code) return outcome
    outcomes.push(outcome)
  }
  return outcomes.reduce((fastest, each) => (each.ms < fastest.ms ? each : fastest))
}

const PAGE = 5_000

/** The bench's data has people in the shard alone; the main database owns them, and a move reads them there. */
async function copyPeopleToMain(): Promise<void> {
  const copies = [
    {
      key: 'uuid',
      row: `json_array(uuid, json(properties), created_at)`,
      table: 'persons',
      write: `INSERT INTO persons (project_id, uuid, properties, is_identified, created_at, version)
        SELECT ${PROJECT}, value ->> 0, value -> 1, 1, value ->> 2, 1 FROM json_each(?1)`,
    },
    {
      key: 'distinct_id',
      row: 'json_array(distinct_id, person_uuid)',
      table: 'person_distinct_ids',
      write: `INSERT INTO person_distinct_ids (project_id, distinct_id, person_id, version)
        SELECT ${PROJECT}, value ->> 0, p.id, 1 FROM json_each(?1)
        CROSS JOIN persons p ON p.project_id = ${PROJECT} AND p.uuid = value ->> 1`,
    },
  ]
  for (const { key, row, table, write } of copies) {
    for (let after = ''; ;) {
      const { results } = await served.events
        .prepare(
          `SELECT ${key} AS at, ${row} AS row FROM ${table} WHERE project_id = ${PROJECT} AND ${key} > ?1 ORDER BY ${key} LIMIT ${PAGE}`,
        )
        .bind(after)
        .all<{ at: string; row: string }>()
      const last = results.at(-1)
      if (!last) break
      await served.database
        .prepare(write)
        .bind(`[${results.map((each) => each.row).join()}]`)
        .run()
      after = last.at
    }
  }
  await served.database.prepare(`UPDATE projects SET people_version = 1`).run()
}

/** ClickHouse computes quantiles from a sample. */
const ESTIMATED = new Set(['median'])

/** @param tolerance relative, because the engines add floats in different orders */
const isSame = (a: unknown, b: unknown, tolerance: number): boolean => {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a))
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, index) => isSame(each, b[index], tolerance))
  return isDeepStrictEqual(a, b)
}

try {
  await run({ ...server, database: '' }, 'CREATE DATABASE bench')
  for (const statement of createTables()) await run(server, statement)
  const { main, events } = loading({ total: EVENTS })
  for (const statement of main) await served.database.prepare(statement).run()
  for (const [index, statement] of events.entries()) {
    await served.events.prepare(statement).run()
    if (index % 20 === 0) process.stderr.write(`loading: ${index} of ${events.length} statements\n`)
  }
  await seedPlannerStats(served.events)
  await copyPeopleToMain()

  const onD1: Outcome[] = []
  for (const { name, hogql } of QUERIES) {
    onD1.push(await best(hogql))
    process.stderr.write(`on D1, ${name}: ${JSON.stringify(onD1.at(-1)).slice(0, 100)}\n`)
  }
  const { meta } = await served.events.prepare('SELECT 1').all()

  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = (() => true) as typeof process.stdout.write
  const begun = performance.now()
  const shard = commandDatabase('EVENTS', served.events)
  await moveProjects({
    main: commandDatabase('DB', served.database),
    shardOf: () => shard,
    server,
    projectIds: [PROJECT],
    restarts: false,
    settleMs: 0,
  })
  const moved = seconds(begun)
  process.stdout.write = write
  // Isolates remember the engine of a project for a minute.
  await served.restart()

  const onClickhouse: Outcome[] = []
  for (const { hogql } of QUERIES) onClickhouse.push(await best(hogql))
  const [[bytes]] = (await select(
    server,
    `SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'bench'`,
  )) as [[string]]

  process.stdout.write(
    `${EVENTS.toLocaleString('en-US')} events of ${(EVENTS / 50).toLocaleString('en-US')} people. ` +
      `On D1 they take ${size(meta.size_after)}, on ClickHouse ${size(Number(bytes))}; the move took ${moved}.\n\n`,
  )
  process.stdout.write(
    '| query | D1, ms | ClickHouse, ms | D1 / ClickHouse |\n| --- | ---: | ---: | ---: |\n',
  )
  for (const [index, { name }] of QUERIES.entries()) {
    const [d1, ch] = [onD1[index]!, onClickhouse[index]!]
    if (d1.code === null && ch.code === null && !isSame(d1.rows, ch.rows, ESTIMATED.has(name) ? 0.02 : 1e-6))
      throw new Error(
        `${name}: other rows on ClickHouse: ${JSON.stringify([d1.rows, ch.rows]).slice(0, 2_000)}`,
      )
    const shown = ({ ms, code }: Outcome) => (code === null ? ms.toFixed(0) : `\`${code}\``)
    const ratio = d1.code === null && ch.code === null ? (d1.ms / ch.ms).toFixed(1) : ''
    process.stdout.write(`| ${name} | ${shown(d1)} | ${shown(ch)} | ${ratio} |\n`)
  }
} finally {
  await served.stop()
  await clickhouse.stop()
}
