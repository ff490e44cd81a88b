// Both engines in Node: D1 of workerd, and ClickHouse over HTTP.
import { join } from 'node:path'
import { readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { statementRunner } from '../../../src/analytics/engine/admission'
import { createClickhouseEngine } from '../../../src/analytics/engine/clickhouse-engine'
import { withComputedTables } from '../../../src/analytics/engine/computed-tables'
import { d1Failure } from '../../../src/analytics/engine/d1-errors'
import { bindable, parameterValues } from '../../../src/analytics/engine/parameter-values'
import { decodeRows, type QueryEngine } from '../../../src/analytics/engine/query-engine'
import { createShardSink } from '../../../src/analytics/ingestion/shard-sink'
import { createMeter } from '../../../src/storage/metered-d1'
import { STATEMENT_DEADLINE_MS } from '../../../src/storage/shards'
import type { SampleProject } from '../../hogql/corpus/dataset'
import { ingestionRowsOf } from '../../hogql/corpus/ingestion-rows'
import { loadIntoClickhouse } from '../support/load-corpus'
import { makeWarehouse } from '../support/warehouse'

const MIGRATIONS = join(import.meta.dirname, '../../../migrations/events')

export interface Engines {
  d1: QueryEngine
  clickhouse: QueryEngine
  /** Puts rows into both. */
  load(projectId: number, sample: SampleProject): Promise<void>
  stop(): Promise<void>
}

export async function startEngines(database: string): Promise<Engines> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: 'export default {}',
      compatibilityDate: '2026-07-30',
      d1Databases: { EVENTS: 'differential' },
    }),
  )
  const db = (await miniflare.getD1Database('EVENTS')) as unknown as D1Database
  for (const { queries } of await readD1Migrations(MIGRATIONS)) {
    await db.batch(queries.map((query) => db.prepare(query)))
  }
  const warehouse = await makeWarehouse(database)
  return {
    d1: d1Engine(db),
    clickhouse: createClickhouseEngine(warehouse.server),
    async load(projectId, sample) {
      await loadIntoClickhouse(warehouse.server, projectId, sample)
      await createShardSink(db).write(projectId, ingestionRowsOf(sample, 1))
    },
    stop: () => miniflare.dispose(),
  }
}

/** D1 without the admission of queries, whose costs are no matter here. */
const d1Engine = (db: D1Database): QueryEngine => ({
  dialect: 'sqlite',
  async run(query, run) {
    const runStatements = statementRunner({ db, meter: createMeter() }, STATEMENT_DEADLINE_MS)
    const known = await withComputedTables(query, run, runStatements, null)
    const values = parameterValues(query, known).map(bindable)
    const rows = await db
      .prepare(query.sql)
      .bind(...values)
      .raw<unknown[]>()
      .catch((error: unknown) => {
        throw d1Failure(error)
      })
    decodeRows(rows, query, run.timezone)
    return { rows }
  },
})
