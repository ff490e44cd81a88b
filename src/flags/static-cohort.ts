// A static cohort of the people for whom a flag is on: made at once, filled in the background by the project object.
import { sql } from 'drizzle-orm'
import { cohortById, cohortFrom, selectCohortRecords } from '../analytics/cohort-record'
import { newStaticCohort, removeCohort } from '../analytics/cohorts'
import { userOf } from '../auth/actor'
import { bumpGeneration } from '../snapshots/generation'
import { stored } from '../timestamps'
import { type FlagContext, publishChange } from './context'
import { findFlag } from './find'

/** `2026-03-10 12:00:00` */
const dated = (now: Date) => now.toISOString().slice(0, 19).replace('T', ' ')

/**
 * Makes the cohort and has it filled (reference/flags-api.md §14, decision 16).
 * @returns the cohort as it is shown, still being calculated.
 * @throws 404; 503 when the work cannot be taken on: then there is no cohort either.
 */
export async function createStaticCohort(context: FlagContext, flagId: number) {
  const { deps, actor, project } = context
  const { db } = deps
  const flag = await findFlag(context, flagId)
  const now = deps.clock.now()
  // Read in the batch that makes it: once the work is handed over, it may be done at any moment.
  const [, [made]] = await db.batch([
    newStaticCohort(db, {
      projectId: project.id,
      name: `Users with feature flag ${flag.key} enabled at ${dated(now)}`,
      createdById: userOf(actor)?.id ?? null,
      createdAt: stored(now),
    }),
    selectCohortRecords(db, cohortById(sql`last_insert_rowid()`)),
    bumpGeneration(db, project.id),
  ])
  const cohortId = made!.id
  try {
    await deps.projects.fillCohort({ projectId: project.id, cohortId, flagId, now: now.toISOString() })
  } catch (error) {
    await removeCohort(db, cohortId)
    throw error
  }
  await publishChange(context)
  return cohortFrom(made!)
}
