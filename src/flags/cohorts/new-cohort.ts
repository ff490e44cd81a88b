import { type SQL, sql } from 'drizzle-orm'
import { cohorts } from '../../../drizzle'
import { recordActivity } from '../../activity/record'
import { userOf } from '../../auth/actor'
import { toStoredTimestamp } from '../../timestamps'
import type { FlagContext } from '../context'

/** SQL of the id of the cohort that a batch inserts: within the batch, it is the project's newest. */
export const newCohortId = (projectId: number): SQL<number> =>
  sql<number>`(SELECT max(id) FROM cohorts WHERE project_id = ${projectId})`

/** The statements that insert a cohort, with its entry in the activity log. A static cohort has no members yet. */
export const insertCohort = (
  { deps, actor, project }: FlagContext,
  cohort: Pick<typeof cohorts.$inferInsert, 'name'> & Partial<typeof cohorts.$inferInsert>,
  now: Date,
) => [
  deps.db.insert(cohorts).values({
    ...cohort,
    projectId: project.id,
    createdById: userOf(actor)?.id ?? null,
    createdAt: toStoredTimestamp(now),
  }),
  recordActivity(deps, now, {
    projectId: project.id,
    actor,
    scope: 'Cohort',
    itemId: sql`CAST(${newCohortId(project.id)} AS TEXT)`,
    verb: 'created',
    name: cohort.name,
    changes: [],
  }),
]
