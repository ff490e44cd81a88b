// Reads the variables of a project.
import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import { queryVariables } from '../../../drizzle'
import { notFound } from '../../errors'
import { page, type Page, type PageQuery } from '../../http/pagination'
import type { EndpointContext } from '../context'
import { type VariableRecord, variableRecordFrom } from './variable-record'
import { bytesOf, isWithinBytes, sortByPlace, withRunningTotal } from '../../storage/byte-page'
import { countOf, totalIn } from '../../storage/count'
import type { Database } from '../../storage/database'
import type { SavedVariable } from '../query/query-variables'

type Context = Pick<EndpointContext, 'deps' | 'project' | 'url'>

export async function listVariables(
  { deps: { db }, project, url }: Context,
  { limit, offset }: PageQuery,
): Promise<Page<VariableRecord>> {
  const { id, codeName, defaultValue, values } = queryVariables
  const where = eq(queryVariables.projectId, project.id)
  const sizes = sql`SELECT ${id} AS id, ${bytesOf(defaultValue, values)} AS bytes FROM ${queryVariables} WHERE ${where}
    ORDER BY ${codeName} LIMIT ${limit} OFFSET ${offset}`
  const [counts, rows] = await db.batch([
    countOf(db, queryVariables, where),
    db
      .select({ ...getTableColumns(queryVariables), place: sql<number>`picked.place`.as('place') })
      .from(queryVariables)
      .innerJoin(withRunningTotal(sizes), sql`${id} = picked.id AND ${isWithinBytes()}`),
  ])
  return page(url, { limit, offset }, totalIn(counts), sortByPlace(rows).map(variableRecordFrom))
}

/** @throws 404. */
export async function findVariable(
  { deps: { db }, project }: Omit<Context, 'url'>,
  id: string,
): Promise<VariableRecord> {
  const [row] = await db.select().from(queryVariables).where(variableWithId(project.id, id))
  if (!row) throw notFound()
  return variableRecordFrom(row)
}

const each = (values: readonly string[]) => sql`json_each(${JSON.stringify(values)}) w`

/**
 * Selects variables with these ids or code names. CROSS JOIN fixes the join order: the statistics of a small table would make SQLite scan
 * a large one.
 */
export const selectSavedVariables = (
  db: Database,
  projectId: number,
  { ids, codeNames }: { ids: readonly string[]; codeNames: readonly string[] },
) =>
  db
    .select({
      id: sql<string>`v.id`.as('id'),
      codeName: sql<string>`v.code_name`.as('code_name'),
      type: sql<SavedVariable['type']>`v.type`.as('type'),
      defaultValue: sql<unknown>`v.default_value`.mapWith(queryVariables.defaultValue).as('default_value'),
    })
    .from(
      sql`(SELECT w.value AS id FROM ${each(ids)}
          UNION SELECT q.id FROM ${each(codeNames)} CROSS JOIN ${queryVariables} q
            ON q.project_id = ${projectId} AND q.code_name = w.value) ids
        CROSS JOIN ${queryVariables} v ON v.id = ids.id AND +v.project_id = ${projectId}`,
    )

export const variableWithId = (projectId: number, id: string): SQL =>
  and(eq(queryVariables.projectId, projectId), eq(queryVariables.id, id.toLowerCase()))!
