// Rows of the variables that a project's queries share.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { queryVariables } from '../../../drizzle'
import type { Database } from '../../storage/database'

const each = (values: readonly string[]) => sql`json_each(${JSON.stringify(values)}) w`

/**
 * The statement that reads the variables that a query may mean: those with these ids, and those with these code names. CROSS JOIN keeps the
 * order in which it is written, from what is wanted to its rows; `+` keeps the planner from going through all variables of the project.
 */
export const selectSavedVariables = (
  db: Database,
  projectId: number,
  { ids, codeNames }: { ids: readonly string[]; codeNames: readonly string[] },
) =>
  db
    .select({
      id: queryVariables.id,
      codeName: queryVariables.codeName,
      type: queryVariables.type,
      defaultValue: queryVariables.defaultValue,
    })
    .from(queryVariables)
    .where(
      sql`+project_id = ${projectId} AND id IN (
        SELECT q.id FROM ${each(ids)} CROSS JOIN query_variables q ON q.id = w.value
        UNION SELECT q.id FROM ${each(codeNames)} CROSS JOIN query_variables q
          ON q.project_id = ${projectId} AND q.code_name = w.value)`,
    )

/** The variable with this id, if the project has it. */
export const variableWithId = (projectId: number, id: string): SQL =>
  and(eq(queryVariables.projectId, projectId), eq(queryVariables.id, id.toLowerCase()))!
