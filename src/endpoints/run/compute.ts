// Where the answer of a run comes from: an earlier run that asked the same, or the engine.
import { MAX_ANSWER, queryTooLarge } from '../../analytics/engine/limits'
import type { QueryEngine, Run } from '../../analytics/engine/query-engine'
import { runBatch } from '../../storage/run-batch'
import type { StoredResult } from './find'
import type { Kind, Plan, PlanContext } from './kind'
import type { Given } from './respond'
import { isFresh, keepResult } from './result-cache'

export interface Computation extends Omit<PlanContext, 'dialect'> {
  kind: Kind
  engine: QueryEngine
  /** Where the answer is kept. */
  key: string
}

/** The answer to a request that was found acceptable. @throws 400 for values and for what the engine makes of the query, 429, 503. */
export const answerOf = async (stored: StoredResult | null, computation: Computation): Promise<Given> =>
  earlierAnswer(stored, computation) ?? (await compute(computation))

/** An earlier answer, unless it is too old, or what the query's names mean has changed since. */
function earlierAnswer(stored: StoredResult | null, { version, now }: Computation): Given | null {
  if (!stored || version.compiled === null || !isFresh(stored, version, now)) return null
  const { body, rowCount, hasMore, storedAt } = stored
  return { body, rowCount, hasMore, computedAt: new Date(storedAt), isCached: true }
}

/** Asks the engine, and keeps the answer for those who ask the same. */
async function compute({ kind, engine, key, ...context }: Computation): Promise<Given> {
  const { deps, project, version, request, now } = context
  const { timezone, id: projectId } = project
  const plan = await kind.plan({ ...context, dialect: engine.dialect })
  const common = { projectId, timezone, now, queryId: request.clientQueryId }
  const rows = await deps.runGate.pass(projectId, () => runSteps(engine, plan, common))
  const { body, hasMore } = plan.answer(rows)
  const text = JSON.stringify(body)
  if (text.length > MAX_ANSWER) throw queryTooLarge()
  const rowCount = body.results.length
  if (plan.isCacheable) {
    deps.afterResponse(() =>
      runBatch(deps.db, keepResult(deps.db, { projectId, key, version, body: text, rowCount, hasMore, now })),
    )
  }
  return { body: text, rowCount, hasMore, computedAt: now, isCached: false }
}

const runSteps = (
  engine: QueryEngine,
  { steps }: Plan,
  common: Pick<Run, 'projectId' | 'timezone' | 'now' | 'queryId'>,
): Promise<unknown[][][]> =>
  Promise.all(
    steps.map(async ({ query, variables, limit, offset }) => {
      const { rows } = await engine.run(query, { ...common, variables, limit, offset })
      return rows
    }),
  )
