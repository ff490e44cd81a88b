// Where the answer of a run comes from: an earlier run that asked the same, materialized rows, or the query itself.
import { engineFor, shardEngine } from '../../analytics/engine'
import { MAX_ANSWER, queryTooLarge } from '../../analytics/engine/limits'
import type { QueryEngine } from '../../analytics/engine/query-engine'
import { apiErrorIn } from '../../errors'
import { runBatch } from '../../storage/run-batch'
import type { RunPath } from '../logs/log-entry'
import { expiryOf, isFresh, keepResult, type StoredResult } from './result-cache'
import type { KeptRows } from './materialized-read'
import type { Kind, Plan, PlanContext } from './query-kind'
import type { Given } from './render-run'

export interface Computation extends Omit<PlanContext, 'dialect'> {
  kind: Kind
  /** Where the answer is kept. */
  key: string
}

/**
 * The answer to a request that was found acceptable.
 * @param onPath is told how the run goes on: before it succeeds, and before it fails.
 * @throws 400 for values and for what the engine makes of the query, 429, 503.
 */
export async function answerOf(
  stored: StoredResult | null,
  computation: Computation,
  onPath: (path: RunPath) => void,
): Promise<Given> {
  const { kept } = computation
  if (kept) onPath('materialized')
  const earlier = earlierAnswer(stored, computation)
  if (earlier) return earlier
  if (!kept) return computeInline(computation)
  try {
    const given = await computeKept(computation, kept)
    if (given) return given
    onPath('inline')
  } catch (error) {
    if (!(error instanceof ReadFailed)) throw error
    onPath('materialized_fallback')
  }
  return computeInline({ ...computation, kept: null })
}

/** An earlier answer of the same source, unless it is too old, or what the query's names mean has changed since. */
function earlierAnswer(stored: StoredResult | null, { version, kept, now }: Computation): Given | null {
  if (!stored || stored.source !== (kept?.table ?? null)) return null
  if (!kept && (version.compiled === null || !isFresh(stored, version, now))) return null
  const { body, rowCount, hasMore, storedAt } = stored
  return { body, rowCount, hasMore, computedAt: new Date(storedAt), isCached: true, kept }
}

/** Reading materialized rows failed, for a reason that the query itself need not meet. */
class ReadFailed extends Error {
  override readonly name = 'ReadFailed'
}

/** Asks the materialized rows. Null when there are none for what is asked, and the query itself has to say what that means. */
async function computeKept(computation: Computation, kept: KeptRows): Promise<Given | null> {
  const engine = shardEngine(computation.deps, computation.project.store)
  const plan = await computation.kind.plan({ ...computation, dialect: engine.dialect })
  const rows = await runPlan(engine, plan, computation).catch((error: unknown) => {
    throw isBusy(error, computation) ? error : new ReadFailed('kept rows', { cause: error })
  })
  return rows.length === 0 && kept.inlineWhenEmpty ? null : give(plan, rows, computation)
}

/** Whether the query itself would wait for the same: the project's turn, or its shard. */
function isBusy(error: unknown, { project }: Computation): boolean {
  const status = apiErrorIn(error)?.status
  return status === 429 || (status === 503 && project.store.queryEngine === 'd1')
}

/** Asks the engine that has the events. */
async function computeInline(computation: Computation): Promise<Given> {
  const engine = engineFor(computation.deps, computation.project.store)
  const plan = await computation.kind.plan({ ...computation, dialect: engine.dialect })
  return give(plan, await runPlan(engine, plan, computation), computation)
}

/** Keeps the answer for those who ask the same. */
function give(plan: Plan, rows: unknown[][], computation: Computation): Given {
  const { deps, project, version, request, key, kept, now } = computation
  const { body, hasMore } = plan.answer(rows)
  const text = JSON.stringify(body)
  if (text.length > MAX_ANSWER) throw queryTooLarge()
  const rowCount = body.results.length
  if (plan.isCacheable && request.refresh !== 'direct') {
    const expiry = kept?.expiry ?? expiryOf(now, version.dataFreshnessSeconds)
    const result = {
      projectId: project.id,
      key,
      versionId: version.id,
      compilation: version.compilation + (version.compiled === null && !kept ? 1 : 0),
      body: text,
      rowCount,
      hasMore,
      expiry,
      now,
    }
    deps.afterResponse(() => {
      const { db } = deps.shardOf(project.store)
      return runBatch(db, keepResult(db, { ...result, source: kept?.table ?? null }))
    })
  }
  return { body: text, rowCount, hasMore, computedAt: now, isCached: false, kept }
}

async function runPlan(
  engine: QueryEngine,
  { query, variables, limit, offset }: Plan,
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
  return (await deps.runGate.pass(project.id, () => engine.run(query, run))).rows
}
