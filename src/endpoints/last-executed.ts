// When the endpoints of a project were last run by a key (reference/endpoints-api.md §4).
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { endpoints } from '../../drizzle'
import { shownWithOffset } from '../timestamps'
import type { EndpointContext } from './context'

/** Name and moment of those that were, by name. Names that the project does not have are left out. */
export async function lastExecuted(
  { deps: { db }, project }: Pick<EndpointContext, 'deps' | 'project'>,
  names: readonly string[],
): Promise<[name: string, at: string][]> {
  const rows = await db
    .select({ name: endpoints.name, at: sql<string>`last_executed_at`.as('at') })
    .from(endpoints)
    .where(
      and(
        eq(endpoints.projectId, project.id),
        sql`${endpoints.name} IN (SELECT value FROM json_each(${JSON.stringify(names)}))`,
        eq(endpoints.deleted, false),
        isNotNull(endpoints.lastExecutedAt),
      ),
    )
    .orderBy(endpoints.name)
  return rows.map(({ name, at }) => [name, shownWithOffset(at)])
}
