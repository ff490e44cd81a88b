// Dashboards as other areas read them.
import { and, eq } from 'drizzle-orm'
import { dashboards } from '../../drizzle'
import type { Database } from '../storage/database'
import { belongsTo, isAmong } from '../storage/id-predicates'

/** Which of these dashboards the project has. */
export const selectDashboards = (db: Database, projectId: number, ids: readonly unknown[]) =>
  db
    .select({ id: dashboards.id })
    .from(dashboards)
    .where(
      and(
        belongsTo(projectId, dashboards.projectId),
        eq(dashboards.deleted, false),
        isAmong(ids, dashboards.id),
      ),
    )
