import { eq } from 'drizzle-orm'
import { projects } from '../../drizzle'
import type { Database } from './database'

/** Returns the ids of an organization's projects, by which a shard knows what the organization takes of it. */
export async function projectIdsOf(db: Database, organizationId: string): Promise<number[]> {
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.organizationId, organizationId))
  return rows.map(({ id }) => id)
}
