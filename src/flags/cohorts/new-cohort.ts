import { cohorts } from '../../../drizzle'
import type { Database } from '../../storage/database'

/** Inserts a cohort; a static one has no members yet. */
export const newCohort = (
  db: Database,
  cohort: Pick<typeof cohorts.$inferInsert, 'projectId' | 'name' | 'createdById' | 'createdAt'> &
    Partial<typeof cohorts.$inferInsert>,
) => db.insert(cohorts).values(cohort)
