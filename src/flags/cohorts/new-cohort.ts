import { cohorts } from '../../../drizzle'
import type { Database } from '../../storage/database'

/** The statement that inserts a cohort. A static cohort has no members yet. */
export const newCohort = (
  db: Database,
  cohort: Pick<typeof cohorts.$inferInsert, 'projectId' | 'name' | 'createdById' | 'createdAt'> &
    Partial<typeof cohorts.$inferInsert>,
) => db.insert(cohorts).values(cohort)
