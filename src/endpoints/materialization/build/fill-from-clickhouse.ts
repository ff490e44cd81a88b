// Writes the rows of a build whose events are on ClickHouse: streams one response to the shard.
import type { ClickhouseServer } from '../../../analytics/clickhouse/server'
import { rowsFromClickhouse } from '../../../analytics/engine/clickhouse-engine'
import type { BoundValue } from '../../../analytics/engine/query-engine'
import { appendRows } from './append-rows'
import type { BegunBuild } from './begin-build'
import { bytesLeft, requireRows } from './quota'
import type { Build } from './build-work'
import type { Type } from '../../../hogql/types'
import { parseTimestamp } from '../../../timestamps'

const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** @throws ApiError for errors of the query; NotBuildable past a quota */
export async function fillFromClickhouse(
  build: Build,
  begun: BegunBuild,
  variables: ReadonlyMap<number, BoundValue>,
  server: ClickhouseServer,
): Promise<void> {
  const { deps, shard, materialization, version } = build
  const { write, startedAt } = begun
  const left = await bytesLeft({ ...deps, shard }, deps.quota, {
    organizationId: version.organizationId,
    versionId: materialization.versionId,
  })
  const batches = rowsFromClickhouse(server, write, {
    projectId: materialization.projectId,
    timezone: version.timezone,
    now: new Date(startedAt),
    variables,
    limit: write.page.ceiling ?? NO_LIMIT,
    offset: write.page.offset,
    queryId: `materialization ${materialization.id}`,
  })
  const select = `SELECT ${write.columns.map((_, index) => `value ->> '$[${index}]' AS c${index}`).join(', ')} FROM json_each(?1) ORDER BY key`
  let cursor = 0
  for await (const rows of batches) {
    requireRows(deps.quota, cursor + rows.length)
    const values = rows.map((row) => write.columns.map(({ type }, index) => storedValue(row[index], type)))
    await appendRows(build, begun, { cursor, select, values: [JSON.stringify(values)], left })
    cursor += rows.length
  }
}

/**
 * Converts a JSON value of ClickHouse to the one that is stored, as D1 would have it. ClickHouse has a map as an array of pairs, too, and a
 * Bool where HogQL's type is an integer.
 */
function storedValue(value: unknown, type: Type): unknown {
  if (value === null || value === undefined) return null
  switch (type.kind) {
    case 'datetime':
      return parseTimestamp(String(value))
    case 'array':
      return listOf(value).map((item) => storedValue(item, type.of))
    case 'tuple':
      return listOf(value).map((item, index) =>
        storedValue(item, type.of[index] ?? { kind: 'null', nullable: true }),
      )
    case 'integer':
      return Number(value)
    case 'boolean':
    case 'float':
    case 'string':
    case 'date':
    case 'json':
    case 'null':
      return value
  }
}

const listOf = (value: unknown) => value as unknown[]
