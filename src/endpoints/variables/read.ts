// Reading the variables that a project's queries share.
import { eq, sql } from 'drizzle-orm'
import { queryVariables } from '../../../drizzle'
import { notFound } from '../../errors'
import { type Page, page } from '../../http/pagination'
import type { EndpointContext } from '../context'
import { variableRecordFrom } from './record'
import { variableWithId } from './rows'
import type { VariableRecord } from './schema'

type Context = Pick<EndpointContext, 'deps' | 'project' | 'url'>

/** A page of a project's variables, by code name. */
export async function listVariables(
  { deps: { db }, project, url }: Context,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<VariableRecord>> {
  const where = eq(queryVariables.projectId, project.id)
  const [counts, rows] = await db.batch([
    db
      .select({ total: sql<number>`count(*)`.as('total') })
      .from(queryVariables)
      .where(where),
    db
      .select()
      .from(queryVariables)
      .where(where)
      .orderBy(queryVariables.codeName)
      .limit(limit)
      .offset(offset),
  ])
  return page(url, { limit, offset }, counts[0]?.total ?? 0, rows.map(variableRecordFrom))
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
