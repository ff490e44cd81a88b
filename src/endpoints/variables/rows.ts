// Rows of the variables that a project's queries share.
import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { queryVariables } from '../../../drizzle'
import type { Database } from '../../storage/database'

const members = (values: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`

/** The statement that reads the variables that a query may mean: those with these ids, and those with these code names. */
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
      or(
        inProject(projectId, sql`${queryVariables.id} IN ${members(ids)}`),
        inProject(projectId, sql`${queryVariables.codeName} IN ${members(codeNames)}`),
      ),
    )

const inProject = (projectId: number, condition: SQL): SQL =>
  and(eq(queryVariables.projectId, projectId), condition)!
