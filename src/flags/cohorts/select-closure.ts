import { and, eq, sql } from 'drizzle-orm'
import { cohorts } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { nestedCohorts } from '../../snapshots/definitions'
import { belongsTo, falseIfEmpty } from '../../storage/id-predicates'

/** Selects these cohorts and all cohorts that they reference, transitively. */
export function selectCohortClosure(db: Database, projectId: number, ids: readonly number[]) {
  const roots = JSON.stringify(ids)
  return db
    .select({ id: cohorts.id, name: cohorts.name, isStatic: cohorts.isStatic, filters: cohorts.filters })
    .from(cohorts)
    .where(
      and(
        belongsTo(projectId, cohorts.projectId),
        eq(cohorts.deleted, false),
        falseIfEmpty(
          ids,
          sql`${cohorts.id} IN (WITH RECURSIVE reach(id) AS (SELECT value FROM json_each(${roots})
            UNION SELECT nested.value FROM reach
              CROSS JOIN cohorts c ON c.id = reach.id AND c.project_id = ${projectId} AND c.is_static = 0
              CROSS JOIN ${nestedCohorts(sql`c.filters`)})
            SELECT id FROM reach)`,
        ),
      ),
    )
}
