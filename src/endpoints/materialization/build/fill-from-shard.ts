// Writing the rows of a build whose events are in the same shard: they never leave it. One statement writes as many as it can; rows of several
// statements are of several moments, as events arrive in between.
import { eq } from 'drizzle-orm'
import { endpointMaterializations } from '../../../../drizzle'
import { shardAccess } from '../../../analytics/engine'
import { admit } from '../../../analytics/engine/admission'
import { bindable } from '../../../analytics/engine/bindable'
import { d1Failure } from '../../../analytics/engine/d1-errors'
import { parameterValues } from '../../../analytics/engine/parameter-values'
import type { BoundValue } from '../../../analytics/engine/query-engine'
import { apiErrorIn } from '../../../errors'
import { guard } from '../../../storage/database'
import { runBatch } from '../../../storage/run-batch'
import { tableName } from '../tables'
import { appendRows, rowsIn } from './append-rows'
import type { Begun } from './begin-build'
import { isMine, requireMine } from './lease'
import { type BytesLeft, bytesLeft, requireRows } from './quota'
import type { Build } from './build-work'

/** Rows that a statement writes at least, before the build fails. */
const MIN_CHUNK = 1_000
/** How much smaller the next try is when a statement was too much for the database. */
const SHRINK = 4

/** Errors that a smaller statement may avoid. */
const TOO_MUCH: ReadonlySet<string> = new Set([
  'query_timeout',
  'query_memory_limit',
  'query_too_large',
  'database_unavailable',
  'query_engine_unavailable',
])

/** A place in the result, and how much is written from there. */
interface Chunk {
  cursor: number
  limit: number
}

/**
 * Writes all rows that are not there yet, up to the LIMIT of the query itself.
 * @param variables what those of the writing query are bound to.
 * @throws ApiError for what the database makes of the query; NotBuildable past a quota; BuildLost.
 */
export async function fillFromShard(
  build: Build,
  begun: Begun,
  variables: ReadonlyMap<number, BoundValue>,
): Promise<void> {
  const { shard, deps, materialization } = build
  const table = tableName({ id: materialization.id, generation: begun.building })
  const ceiling = begun.plan.write.page.ceiling ?? Infinity
  const left = await bytesLeft(shard, deps.quota, materialization)
  let size = begun.plan.chunk
  for (;;) {
    // An earlier consumer wrote some, or a statement that timed out did.
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
      await noteSize(build, begun, size)
    }
  }
}

const isTooMuch = (error: unknown) => TOO_MUCH.has(apiErrorIn(d1Failure(error))?.code ?? '')

/** Writes the rows of a chunk, unless they are there already. @returns how many there were. */
async function writeChunk(
  build: Build,
  begun: Begun,
  { cursor, limit }: Chunk,
  variables: ReadonlyMap<number, BoundValue>,
  left: BytesLeft,
): Promise<number> {
  const { deps, materialization, version } = build
  const { write, startedAt } = begun.plan
  const run = {
    projectId: materialization.projectId,
    timezone: version.timezone,
    now: new Date(startedAt),
    variables,
    limit,
    offset: write.page.offset + cursor,
    queryId: null,
  }
  const values = parameterValues(write, run).map(bindable)
  const { result } = await admit(shardAccess(deps, version.store), write, run, async () => {
    await requireMine(build)
    return appendRows(build, begun, { cursor, select: write.sql, values, left })
  })
  return result
}

/** The size that worked, for a consumer that takes the build over. */
const noteSize = (build: Build, { plan }: Begun, chunk: number) =>
  runBatch(build.deps.db, [
    guard(build.deps.db, isMine(build)),
    build.deps.db
      .update(endpointMaterializations)
      .set({ buildPlan: { ...plan, chunk } })
      .where(eq(endpointMaterializations.versionId, build.materialization.versionId)),
  ])
