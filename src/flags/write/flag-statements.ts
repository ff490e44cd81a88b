// Statements that insert and update a flag.
import { featureFlags } from '../../../drizzle'
import { newestDashboard } from '../../analytics/dashboards/usage-dashboard'
import type { Database } from '../../storage/database'
import { flagById, flagByKey, selectFlags } from '../read/rows'

type Columns = typeof featureFlags.$inferInsert

/** @param columns the new values; a column with the value undefined stays as it is */
export const updateFlag = (db: Database, projectId: number, id: number, columns: Partial<Columns>) =>
  db.update(featureFlags).set(columns).where(flagById(projectId, id))

/** @param hasDashboard whether an earlier statement of the batch makes the usage dashboard of the flag */
export const insertFlag = (db: Database, columns: Columns, hasDashboard: boolean) =>
  db.insert(featureFlags).values({
    ...columns,
    ...(hasDashboard && { usageDashboardId: newestDashboard(columns.projectId) as never }),
  })

/** Selects the flag with a key. */
export const selectNewFlag = (db: Database, projectId: number, key: string) =>
  selectFlags(db, flagByKey(projectId, key))
