// Ids of static cohorts that a query calls by their names: `person_id IN COHORT 'Regulars'`.
import { sql } from 'drizzle-orm'
import type { Database } from '../storage/database'

/** The statement that reads the ids of static cohorts by name; of two with one name the older. */
export const selectCohortIds = (db: Database, projectId: number, names: readonly string[]) =>
  db
    .select({ name: sql<string>`c.name`.as('name'), id: sql<number>`min(c.id)`.as('id') })
    .from(
      sql`json_each(${JSON.stringify(names)}) w CROSS JOIN cohorts c
        ON c.project_id = ${projectId} AND c.name = w.value AND c.is_static = 1 AND c.deleted = 0`,
    )
    .groupBy(sql`c.name`)
