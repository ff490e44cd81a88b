// Writes the rows of a build inside its shard, as many per statement as possible. Events arrive between statements, so their rows differ in
// time.
import { shardAccess } from '../../../analytics/engine/select-engine'
import { admit } from '../../../analytics/engine/admission'
import { bindable, parameterValues } from '../../../analytics/engine/parameter-values'
import { d1Failure } from '../../../analytics/engine/d1-errors'
import type { BoundValue } from '../../../analytics/engine/query-engine'
import { apiErrorIn } from '../../../errors'
import { tableName } from '../tables'
import { appendRows, rowsIn } from './append-rows'
import type { BegunBuild } from './begin-build'
import { type BytesLeft, bytesLeft, requireRows } from './quota'
import type { Build } from './build-work'

/** The build fails when a statement of so few rows is still too expensive. */
const MIN_CHUNK = 1_000
/** After a statement that was too expensive, the chunk is divided by this number. */
const SHRINK = 4

/** Codes of errors that a smaller chunk may avoid. */
const TOO_MUCH: ReadonlySet<string> = new Set([
  'query_timeout',
  'query_memory_limit',
  'query_too_large',
  'database_unavailable',
  'query_engine_unavailable',
])

interface Chunk {
  cursor: number
  limit: number
}

/**
 * Writes the rows that follow those already there, up to the query's LIMIT.
 * @throws ApiError for errors of the query; NotBuildable past a quota
 */
export async function fillFromShard(
  build: Build,
  begun: BegunBuild,
  variables: ReadonlyMap<number, BoundValue>,
): Promise<void> {
  const { shard, deps, materialization, version } = build
  const table = tableName({ id: materialization.id, generation: begun.building })
  const ceiling = begun.write.page.ceiling ?? Infinity
  const left = await bytesLeft({ ...deps, shard }, deps.quota, {
    organizationId: version.organizationId,
    versionId: materialization.versionId,
  })
  let size = deps.chunk
  for (;;) {
    // A statement that timed out may have written some rows.
    const cursor = await rowsIn(shard, table)
    requireRows(deps.quota, cursor)
    const limit = Math.min(size, ceiling - cursor, deps.quota.rows + 1 - cursor)
    if (limit <= 0) return
    try {
      const written = await writeChunk(build, begun, { cursor, limit }, variables, left)
      if (written < limit) return requireRows(deps.quota, cursor + written)
    } catch (error) {
      if (size <= MIN_CHUNK || !isTooMuch(error)) throw error
      size = Math.max(MIN_CHUNK, Math.floor(size / SHRINK))
    }
  }
}

const isTooMuch = (error: unknown) => TOO_MUCH.has(apiErrorIn(d1Failure(error))?.code ?? '')

/** Returns the number of rows that it wrote, which is zero when they are already there. */
async function writeChunk(
  build: Build,
  begun: BegunBuild,
  { cursor, limit }: Chunk,
  variables: ReadonlyMap<number, BoundValue>,
  left: BytesLeft,
): Promise<number> {
  const { deps, materialization, version } = build
  const { write, startedAt } = begun
  const run = {
    projectId: materialization.projectId,
    timezone: version.timezone,
    now: new Date(startedAt),
    variables,
    limit,
    offset: write.page.offset + cursor,
    queryId: null,
  }
  const { result } = await admit(shardAccess(deps, version), write, run, async (known) => {
    const values = parameterValues(write, known).map(bindable)
    return appendRows(build, begun, { cursor, select: write.sql, values, left })
  })
  return result
}
