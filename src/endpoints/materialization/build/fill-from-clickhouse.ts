// Writing the rows of a build whose events are on ClickHouse: they come as one answer, and are written as they come.
import { sql } from 'drizzle-orm'
import type { ClickhouseServer } from '../../../analytics/clickhouse/server'
import { rowsFromClickhouse } from '../../../analytics/engine/clickhouse-rows'
import type { BoundValue } from '../../../analytics/engine/query-engine'
import { guard } from '../../../storage/database'
import { countRows, insertFrom, tableName } from '../tables'
import type { Begun } from './begin'
import { isMine } from './lease'
import { storedValue } from './stored-value'
import { type Build, requireRoom, runMixed } from './work'

/** More rows than any query gives. */
const ALL = Number.MAX_SAFE_INTEGER

/**
 * Writes all rows.
 * @throws ApiError for what the server makes of the query; a guard's failure when the build lost the version.
 */
export async function fillFromClickhouse(
  build: Build,
  begun: Begun,
  variables: ReadonlyMap<number, BoundValue>,
  server: ClickhouseServer,
): Promise<void> {
  const { materialization, version } = build
  const { write, startedAt } = begun.plan
  const batches = rowsFromClickhouse(server, write, {
    projectId: materialization.projectId,
    timezone: version.timezone,
    now: new Date(startedAt),
    variables,
    limit: write.page.ceiling ?? ALL,
    offset: write.page.offset,
    queryId: `materialization ${materialization.id}`,
  })
  let cursor = 0
  for await (const rows of batches) {
    requireRoom(build, cursor + rows.length)
    await writeBatch(build, begun, cursor, rows)
    cursor += rows.length
  }
}

async function writeBatch(build: Build, { building, plan }: Begun, cursor: number, rows: unknown[][]) {
  const { deps, materialization } = build
  const table = tableName({ id: materialization.id, generation: building })
  const { columns } = plan.write
  const kept = rows.map((row) => columns.map(({ type }, place) => storedValue(row[place], type)))
  const select = `SELECT ${columns.map((_, place) => `value ->> '$[${place}]'`).join(', ')} FROM json_each(?1) ORDER BY key`
  await runMixed(deps, [
    guard(deps.db, sql`${isMine(build)} AND ${sql.raw(countRows(table))} = ${cursor}`),
    deps.d1.prepare(insertFrom(table, columns.length, select)).bind(JSON.stringify(kept)),
  ])
}
