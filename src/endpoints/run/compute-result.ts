// Computes the result of a run: from the cache, materialized rows, or the query itself.
import { engineFor, shardEngine } from '../../analytics/engine/select-engine'
import { MAX_RESULT_BYTES, queryTooLarge } from '../../analytics/engine/limits'
import type { QueryEngine } from '../../analytics/engine/query-engine'
import { apiErrorIn } from '../../errors'
import type { RunPath } from '../logs/log-entry'
import { expiryOf, isCurrent, type NewResult, type StoredResult } from './result-cache'
import { isStale, type RunnableVersion } from './find-runnable'
import type { QueryKind, BoundQuery, BindContext, ShapedResult } from './query-kind'
import type { RenderedResult } from './render-run'

export interface ComputedResult extends RenderedResult {
  /** The result to store. It is undefined for a result that is not stored. */
  toStore?: NewResult
}

export interface Computation extends Omit<BindContext, 'dialect' | 'version'> {
  version: RunnableVersion
  kind: QueryKind
  key: string
}

/**
 * @param onPath called when the path is chosen, before success or failure.
 * @throws 400 for values and errors of the query, 429, 503
 */
export async function computeResult(
  stored: StoredResult | null,
  computation: Computation,
  onPath: (path: RunPath) => void,
): Promise<ComputedResult> {
  const { materialized } = computation
  if (materialized) onPath('materialized')
  const earlier = storedResult(stored, computation)
  if (earlier) return earlier
  const { deps, project } = computation
  if (!materialized) return compute(computation, engineFor(deps, project))
  const shard = shardEngine(deps, project)
  try {
    const result = await computeMaterialized(computation, shard, materialized.inlineWhenEmpty)
    if (result) return result
    onPath('inline')
  } catch (error) {
    if (!(error instanceof ReadFailed)) throw error
    onPath('materialized_fallback')
  }
  const engine = project.store.queryEngine === 'd1' ? shard : engineFor(deps, project)
  return compute({ ...computation, materialized: null }, engine)
}

/** Returns null when the result has another source or has expired, or the version is stale. */
function storedResult(
  stored: StoredResult | null,
  { version, materialized, now }: Computation,
): ComputedResult | null {
  if (!stored || stored.source !== (materialized?.table ?? null)) return null
  const { body, rowCount, hasMore, storedAt } = stored
  const computedAt = new Date(storedAt)
  const expiresAt = materialized?.expiresAt ?? expiryOf(computedAt, version.dataFreshnessSeconds)
  if (!materialized && (isStale(version) || !isCurrent(stored, version) || expiresAt <= now)) return null
  return { body, rowCount, hasMore, computedAt, expiresAt, isCached: true, materialized }
}

/** Reading materialized rows failed in a way that the query itself may not. */
class ReadFailed extends Error {
  override readonly name = 'ReadFailed'
}

/** Returns null when no row matches and the query itself has to answer. */
async function computeMaterialized(
  computation: Computation,
  engine: QueryEngine,
  inlineWhenEmpty: boolean,
): Promise<ComputedResult | null> {
  const bound = await computation.kind.bind({ ...computation, dialect: engine.dialect })
  const rows = await runBound(engine, bound, computation).catch((error: unknown) => {
    throw isBusy(error, computation) ? error : new ReadFailed('materialized rows', { cause: error })
  })
  return rows.length === 0 && inlineWhenEmpty ? null : finish(bound, rows, computation)
}

/** Whether the query itself would fail as well, because of the project's concurrency limit or its shard. */
function isBusy(error: unknown, { project }: Computation): boolean {
  const status = apiErrorIn(error)?.status
  return status === 429 || (status === 503 && project.store.queryEngine === 'd1')
}

async function compute(computation: Computation, engine: QueryEngine): Promise<ComputedResult> {
  const bound = await computation.kind.bind({ ...computation, dialect: engine.dialect })
  return finish(bound, await runBound(engine, bound, computation), computation)
}

function finish(bound: BoundQuery, rows: unknown[][], computation: Computation): ComputedResult {
  const { project, version, request, key, materialized, now } = computation
  const shaped = bound.shape(rows)
  const body = bodyOf(shaped)
  const result = {
    body,
    rowCount: rowsIn(shaped.body.results),
    hasMore: shaped.hasMore,
    computedAt: now,
    expiresAt: materialized?.expiresAt ?? expiryOf(now, version.dataFreshnessSeconds),
  }
  const isStored = bound.isCacheable && request.refresh !== 'direct'
  const toStore = {
    ...result,
    projectId: project.id,
    key,
    versionId: version.id,
    compilation: version.compilation + (isStale(version) && !materialized ? 1 : 0),
    source: materialized?.table ?? null,
  }
  return { ...result, isCached: false, materialized, ...(isStored ? { toStore } : {}) }
}

/** Returns the JSON of a result. @throws 400 for one that is too large */
export function bodyOf(shaped: ShapedResult): string {
  const body = JSON.stringify(shaped.body)
  if (body.length > MAX_RESULT_BYTES) throw queryTooLarge()
  return body
}

/** Returns the number of rows in a result. An object counts as one. */
export const rowsIn = (results: unknown[] | Record<string, unknown>) =>
  Array.isArray(results) ? results.length : 1

export async function runBound(
  engine: QueryEngine,
  { query, variables, limit, offset }: BoundQuery,
  { deps, project, request, now }: Pick<Computation, 'deps' | 'project' | 'request' | 'now'>,
): Promise<unknown[][]> {
  const run = {
    projectId: project.id,
    timezone: project.timezone,
    now,
    queryId: request.clientQueryId,
    variables,
    limit,
    offset,
  }
  return (await deps.queryConcurrency.pass(project.id, () => engine.run(query, run))).rows
}
