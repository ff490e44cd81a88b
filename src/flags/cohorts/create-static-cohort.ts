// A static cohort of the people for whom a flag is on.
import { sql } from 'drizzle-orm'
import { cohortFrom, type CohortRow, selectCohortRecords } from './cohort-record'
import { cohortById } from './read-cohorts'
import { insertCohort, newCohortId } from './new-cohort'
import { notFound } from '../../errors'
import { insertTask } from '../../outbox/outbox'
import { cohortBytes, requireRoom, selectDefinitionBytes } from '../../snapshots/definition-quota'
import { bumpGeneration, guardFence, selectFence } from '../../storage/flags-generation'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { type FlagContext, publishChange } from '../context'
import { selectFlag } from '../read/rows'

/** `2026-03-10 12:00:00` */
const dated = (now: Date) => now.toISOString().slice(0, 19).replace('T', ' ')

/**
 * Creates the cohort. A task of the outbox fills it after the response.
 * @throws 404; 400 when the cohorts of the project are too large.
 */
export async function createStaticCohort(context: FlagContext, flagId: number) {
  const { deps, project } = context
  const { db } = deps
  const now = deps.clock.now()
  const { taskId, results } = await retryOnConflict(async () => {
    const [[flag], [fence], [used]] = await db.batch([
      selectFlag(db, project.id, flagId),
      selectFence(db, project.id),
      selectDefinitionBytes(db, project.id),
    ])
    if (!flag) throw notFound()
    requireRoom(used!.bytes, cohortBytes(null))
    const { version } = flag
    const task = JSON.stringify({ kind: 'fill_cohort', flagId, version, now: now.toISOString() })
    const filling = insertTask(
      deps,
      now,
      project.id,
      sql`json_set(${task}, '$.cohortId', ${newCohortId(project.id)})`,
    )
    const written = await runBatch(db, [
      guardFence(db, project.id, fence!.generation),
      ...insertCohort(
        context,
        {
          name: `Users with feature flag ${flag.key} enabled at ${dated(now)}`,
          isStatic: true,
          isCalculating: true,
        },
        now,
      ),
      filling.statement,
      bumpGeneration(db, project.id),
      selectCohortRecords(db, cohortById(newCohortId(project.id))),
    ])
    return { taskId: filling.id, results: written }
  })
  const [made] = results.at(-1) as CohortRow[]
  deps.afterResponse(async () => (await import('./fill-cohort')).sendFill(deps.env, taskId))
  await publishChange(context)
  return cohortFrom(made!)
}
