// A static cohort of the people for whom a flag is on.
import { sql } from 'drizzle-orm'
import { cohortFrom, selectCohortRecords } from '../cohorts/cohort-record'
import { cohortById } from '../cohorts/read-cohorts'
import { newCohort } from '../cohorts/new-cohort'
import { userOf } from '../../auth/actor'
import { insertTask } from '../../outbox/outbox'
import { bumpGeneration } from '../../storage/flags-generation'
import { toStoredTimestamp } from '../../timestamps'
import { type FlagContext, publishChange } from '../context'
import { getFlag } from '../read/find'

/** `2026-03-10 12:00:00` */
const dated = (now: Date) => now.toISOString().slice(0, 19).replace('T', ' ')

/**
 * Creates the cohort (reference/flags-api.md §14, decision 16). A task of the outbox fills it after the response.
 * @throws 404.
 */
export async function createStaticCohort(context: FlagContext, flagId: number) {
  const { deps, actor, project } = context
  const { db } = deps
  const flag = await getFlag(context, flagId)
  const now = deps.clock.now()
  const task = JSON.stringify({ kind: 'fill_cohort', flagId, now: now.toISOString() })
  const filling = insertTask(deps, now, project.id, sql`json_set(${task}, '$.cohortId', last_insert_rowid())`)
  const [, [made]] = await db.batch([
    newCohort(db, {
      projectId: project.id,
      isStatic: true,
      isCalculating: true,
      name: `Users with feature flag ${flag.key} enabled at ${dated(now)}`,
      createdById: userOf(actor)?.id ?? null,
      createdAt: toStoredTimestamp(now),
    }),
    selectCohortRecords(db, cohortById(sql`last_insert_rowid()`)),
    filling.statement,
    bumpGeneration(db, project.id),
  ])
  deps.afterResponse(async () => (await import('../cohorts/fill-cohort')).sendFill(deps.env, filling.id))
  await publishChange(context)
  return cohortFrom(made!)
}
