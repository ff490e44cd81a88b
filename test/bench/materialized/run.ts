// Materializes a daily time series over a million events. It measures the build, and what a run of the rows reads beside a run of the query. Calls
// are over HTTP to the production bundle in workerd, and the consumer of the queue builds. `npm run bench -- materialized`.
import { deepStrictEqual } from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import { parameterValues } from '../../../src/analytics/engine/parameter-values'
import type { CompiledVersion } from '../../../src/endpoints/compile/compiled-version'
import type { CompiledRead } from '../../../src/endpoints/materialization/compiled-read'
import { readingFrom, tableName } from '../../../src/endpoints/materialization/tables'
import { bindVariables } from '../../../src/endpoints/values/bind-variables'
import type { CompiledQuery } from '../../../src/hogql/compiled'
import type { RequestLine } from '../../../src/http/log/request-log'
import { seedPlannerStats } from '../../../src/storage/planner-stats'
import { serveWorker } from '../../support/server/served-worker'
import { EVENTS, loading, PROJECT } from '../queries/data'

const RUNS = 50
const NAME = 'daily'
const HOGQL = `SELECT toStartOfDay(timestamp) AS day, event, count() AS n FROM events
  WHERE timestamp >= {variables.since} AND timestamp < {variables.until} AND event = {variables.event}
  GROUP BY day, event ORDER BY day`
const VALUES: Record<string, string> = { since: '2026-04-01', until: '2026-05-01', event: '$pageview' }

const lines: RequestLine[] = []
const served = await serveWorker({ onLine: (line) => lines.push(line) })
const { main, events } = loading()
for (const statement of main) await served.database.prepare(statement).run()
for (const statement of events) await served.events.prepare(statement).run()
await seedPlannerStats(served.events)

type Json = Record<string, unknown>

async function call(method: string, path: string, body?: Json): Promise<Json> {
  const response = await fetch(`${served.url}/api/projects/${PROJECT}/${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${served.credentials.personalApiKey}`,
      'Content-Type': 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Json
}

const variables: Json = {}
for (const [name, value] of Object.entries(VALUES)) {
  const { id } = await call('POST', 'insight_variables/', {
    name,
    type: name === 'event' ? 'String' : 'Date',
  })
  variables[String(id)] = { variableId: id, code_name: name, value }
}
const query = { kind: 'HogQLQuery', query: HOGQL, variables }
const begun = performance.now()
const made = await call('POST', 'endpoints/', { name: NAME, query, is_materialized: true })
for (let isReady = false; !isReady; await sleep(20)) {
  const { ready, error } = await call('GET', `endpoints/${NAME}/materialization_status/`)
  if (error) throw new Error(String(error))
  isReady = ready === true
}
const built = performance.now() - begun

/** Runs a query repeatedly. @returns the rows, the median time in milliseconds, and the round trips of the last run */
async function run(refresh: 'force' | 'direct', times: number) {
  const spans: number[] = []
  let results: unknown
  for (let count = 0; count < times; count += 1) {
    const before = performance.now()
    results = (await call('POST', `endpoints/${NAME}/run/`, { variables: VALUES, refresh })).results
    spans.push(performance.now() - before)
  }
  // Lines of the log may come later than responses.
  await sleep(200)
  const line = lines.findLast(({ route }) => route?.endsWith('/run/'))
  return { results, ms: spans.sort((a, b) => a - b)[times >> 1]!, trips: line?.d1_round_trips }
}

/** Returns the number of rows that the database reads for a query. */
async function rowsRead(compiled: CompiledQuery): Promise<number> {
  const values = parameterValues(compiled, {
    projectId: PROJECT,
    timezone: 'UTC',
    now: new Date(0),
    variables: bindVariables(compiled, new Map(Object.entries(VALUES)), 'UTC'),
    limit: 100,
    offset: 0,
    queryId: null,
  })
  const { meta } = await served.events
    .prepare(compiled.sql)
    .bind(...values)
    .all()
  return meta.rows_read
}

const stored = await served.database
  .prepare(
    `SELECT v.compiled, m.plan, m.id, m.generation, m.row_count FROM endpoint_versions v
      JOIN endpoint_materializations m ON m.version_id = v.id WHERE v.id = ?`,
  )
  .bind(made.current_version_id)
  .first<{ compiled: string; plan: string; id: string; generation: number; row_count: number }>()
const inlineQuery = (JSON.parse(stored!.compiled) as CompiledVersion).queries.sqlite as CompiledQuery
const { read } = JSON.parse(stored!.plan) as CompiledRead
const kept = readingFrom(read, tableName(stored!))

await run('force', 5)
const materialized = await run('force', RUNS)
const inline = await run('direct', 5)
deepStrictEqual(materialized.results, inline.results)

const [readKept, readInline] = [await rowsRead(kept), await rowsRead(inlineQuery)]
process.stdout.write(
  `${EVENTS.toLocaleString('en')} events; ${stored!.row_count.toLocaleString('en')} rows kept, built in ${(built / 1000).toFixed(1)} s from the request on

| a run | D1 round trips | rows read | p50 ms |
| --- | ---: | ---: | ---: |
| of the query itself | ${inline.trips} | ${readInline.toLocaleString('en')} | ${inline.ms.toFixed(0)} |
| of materialized rows | ${materialized.trips} | ${readKept.toLocaleString('en')} | ${materialized.ms.toFixed(0)} |

The query itself reads ${Math.round(readInline / readKept).toLocaleString('en')} times as many rows
`,
)
await served.stop()
