// Writing the rows of a build whose events are in the same database: they never leave it. One statement writes as many as it can: what it
// takes several for is of several moments, as events come in meanwhile.
import { eq, sql } from 'drizzle-orm'
import { endpointMaterializations } from '../../../../drizzle'
import { bindable } from '../../../analytics/engine/d1-engine'
import { d1Failure } from '../../../analytics/engine/d1-errors'
import { parameterValues } from '../../../analytics/engine/parameter-values'
import type { BoundValue } from '../../../analytics/engine/query-engine'
import { apiErrorIn } from '../../../errors'
import { guard } from '../../../storage/database'
import { countRows, insertFrom, tableName } from '../tables'
import type { Begun } from './begin'
import { isMine } from './lease'
import { type Build, requireRoom, runMixed } from './work'

/** What a statement writes at least, before the build is given up. */
const SMALLEST_CHUNK = 1_000
/** How much less is tried when a statement was too much for the database. */
const LESS = 4

/** Errors that a smaller statement may not run into. */
const TOO_MUCH: ReadonlySet<string> = new Set([
  'query_timeout',
  'query_memory_limit',
  'query_too_large',
  'database_unavailable',
])

/** A place in the result, and how much is written from there. */
interface Chunk {
  cursor: number
  limit: number
}

/**
 * Writes all rows that are not there yet. The LIMIT of the query itself is heeded.
 * @param variables what those of the writing query are bound to.
 * @throws ApiError for what the database makes of the query; a guard's failure when the build lost the version.
 */
export async function fillFromDatabase(
  build: Build,
  begun: Begun,
  variables: ReadonlyMap<number, BoundValue>,
): Promise<void> {
  const ceiling = begun.plan.write.page.ceiling ?? Infinity
  let size = begun.plan.chunk
  for (;;) {
    const cursor = await cursorOf(build, begun)
    requireRoom(build, cursor)
    const limit = Math.min(size, ceiling - cursor)
    if (limit <= 0) return
    try {
      const written = await writeChunk(build, begun, { cursor, limit }, variables)
      if (written < limit) return requireRoom(build, cursor + written)
    } catch (error) {
      if (size <= SMALLEST_CHUNK || !isTooMuch(error)) throw error
      size = Math.max(SMALLEST_CHUNK, Math.floor(size / LESS))
      await noteSize(build, begun, size)
    }
  }
}

const isTooMuch = (error: unknown) => TOO_MUCH.has(apiErrorIn(d1Failure(error))?.code ?? '')

const tableOf = ({ materialization: { id } }: Build, { building }: Begun) =>
  tableName({ id, generation: building })

/** How many rows are there: what an earlier consumer wrote, and what a statement wrote that seemed to fail, is among them. */
async function cursorOf(build: Build, begun: Begun): Promise<number> {
  const { d1 } = build.deps
  const cursor = await d1.prepare(`SELECT ${countRows(tableOf(build, begun))} AS n`).first<number>('n')
  return cursor ?? 0
}

/** Writes the rows of a chunk, unless they are there already. Returns how many there were. */
async function writeChunk(
  build: Build,
  begun: Begun,
  { cursor, limit }: Chunk,
  variables: ReadonlyMap<number, BoundValue>,
): Promise<number> {
  const { deps, materialization, version } = build
  const { write, startedAt } = begun.plan
  const table = tableOf(build, begun)
  const values = parameterValues(write, {
    projectId: materialization.projectId,
    timezone: version.timezone,
    now: new Date(startedAt),
    variables,
    limit,
    offset: write.page.offset + cursor,
    queryId: null,
  })
  const isNext = sql`${isMine(build)} AND ${sql.raw(countRows(table))} = ${cursor}`
  const results = await runMixed(deps, [
    guard(deps.db, isNext),
    deps.d1.prepare(insertFrom(table, write.columns.length, write.sql)).bind(...values.map(bindable)),
  ])
  return results[1]!.meta.changes
}

/** What has been learned of the database is worth knowing for whoever goes on with the build. */
const noteSize = (build: Build, { plan }: Begun, chunk: number) =>
  runMixed(build.deps, [
    guard(build.deps.db, isMine(build)),
    build.deps.db
      .update(endpointMaterializations)
      .set({ buildPlan: { ...plan, chunk } })
      .where(eq(endpointMaterializations.versionId, build.materialization.versionId)),
  ])
