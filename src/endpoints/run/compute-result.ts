// Computes the result of a run: from the cache, materialized rows, or the query itself.
import { engineFor, shardEngine } from '../../analytics/engine'
import { MAX_ANSWER, queryTooLarge } from '../../analytics/engine/limits'
import type { QueryEngine } from '../../analytics/engine/query-engine'
import { apiErrorIn } from '../../errors'
import { runBatch } from '../../storage/run-batch'
import type { RunPath } from '../logs/log-entry'
import { expiryOf, isFresh, storeResult, type StoredResult } from './result-cache'
import type { MaterializedRead } from './materialized-read'
import type { QueryKind, QueryPlan, PlanContext } from './query-kind'
import type { ComputedResult } from './render-run'

export interface Computation extends Omit<PlanContext, 'dialect'> {
  kind: QueryKind
  key: string
}

/**
 * @param onPath called when the path is chosen, before success or failure
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
  if (!materialized) return computeInline(computation)
  try {
    const given = await computeMaterialized(computation, materialized)
    if (given) return given
    onPath('inline')
  } catch (error) {
    if (!(error instanceof ReadFailed)) throw error
    onPath('materialized_fallback')
  }
  return computeInline({ ...computation, materialized: null })
}

/** Null when it has another source, is stale, or the version has to be compiled again. */
function storedResult(
  stored: StoredResult | null,
  { version, materialized, now }: Computation,
): ComputedResult | null {
  if (!stored || stored.source !== (materialized?.table ?? null)) return null
  if (!materialized && (version.compiled === null || !isFresh(stored, version, now))) return null
  const { body, rowCount, hasMore, storedAt } = stored
  return { body, rowCount, hasMore, computedAt: new Date(storedAt), isCached: true, materialized }
}

/** Reading materialized rows failed in a way that the query itself may not. */
class ReadFailed extends Error {
  override readonly name = 'ReadFailed'
}

/** Null when no row matches and the query itself has to shape. */
async function computeMaterialized(
  computation: Computation,
  materialized: MaterializedRead,
): Promise<ComputedResult | null> {
  const engine = shardEngine(computation.deps, computation.project.store)
  const plan = await computation.kind.plan({ ...computation, dialect: engine.dialect })
  const rows = await runPlan(engine, plan, computation).catch((error: unknown) => {
    throw isBusy(error, computation) ? error : new ReadFailed('materialized rows', { cause: error })
  })
  return rows.length === 0 && materialized.inlineWhenEmpty ? null : finish(plan, rows, computation)
}

/** Whether the query itself would fail as well: the project's concurrency limit, or its shard. */
function isBusy(error: unknown, { project }: Computation): boolean {
  const status = apiErrorIn(error)?.status
  return status === 429 || (status === 503 && project.store.queryEngine === 'd1')
}

async function computeInline(computation: Computation): Promise<ComputedResult> {
  const engine = engineFor(computation.deps, computation.project.store)
  const plan = await computation.kind.plan({ ...computation, dialect: engine.dialect })
  return finish(plan, await runPlan(engine, plan, computation), computation)
}

/** Stores the result after the response. */
function finish(plan: QueryPlan, rows: unknown[][], computation: Computation): ComputedResult {
  const { deps, project, version, request, key, materialized, now } = computation
  const { body, hasMore } = plan.shape(rows)
  const text = JSON.stringify(body)
  if (text.length > MAX_ANSWER) throw queryTooLarge()
  const rowCount = body.results.length
  if (plan.isCacheable && request.refresh !== 'direct') {
    const expiry = materialized?.expiry ?? expiryOf(now, version.dataFreshnessSeconds)
    const result = {
      projectId: project.id,
      key,
      versionId: version.id,
      compilation: version.compilation + (version.compiled === null && !materialized ? 1 : 0),
      body: text,
      rowCount,
      hasMore,
      expiry,
      now,
    }
    deps.afterResponse(() => {
      const { db } = deps.shardOf(project.store)
      return runBatch(db, storeResult(db, { ...result, source: materialized?.table ?? null }))
    })
  }
  return { body: text, rowCount, hasMore, computedAt: now, isCached: false, materialized }
}

async function runPlan(
  engine: QueryEngine,
  { query, variables, limit, offset }: QueryPlan,
  { deps, project, request, now }: Computation,
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
  return (await deps.runLimit.pass(project.id, () => engine.run(query, run))).rows
}
