// A page of the organizations that somebody is in.
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { memberships, organizations, projects } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { organizationRecordFrom, type OrganizationRecord, selectOrganizations } from '../organization-record'
import { selectTeams } from '../team-record'

interface Window {
  limit: number
  offset: number
}

/**
 * A page of a user's organizations in the order in which they joined, and how many there are.
 * @param reach ids of the organizations that a key is restricted to; empty: all of them.
 */
export async function listOrganizations(
  db: Database,
  userId: number,
  reach: readonly string[],
  { limit, offset }: Window,
): Promise<{ count: number; records: OrganizationRecord[] }> {
  const within: SQL | undefined = reach.length
    ? sql`${memberships.organizationId} IN (SELECT value FROM json_each(${JSON.stringify(reach)}))`
    : undefined
  const mine = and(eq(memberships.userId, userId), within)
  const onThePage = db
    .select({ id: memberships.organizationId })
    .from(memberships)
    .where(mine)
    .orderBy(memberships.joinedAt, memberships.organizationId)
    .limit(limit)
    .offset(offset)
  const [[counted], rows, teams] = await db.batch([
    db
      .select({ total: sql<number>`count(*)`.as('total') })
      .from(memberships)
      .where(mine),
    selectOrganizations(db, userId, inArray(organizations.id, onThePage)),
    selectTeams(db, inArray(projects.organizationId, onThePage)),
  ])
  const byOrganization = Map.groupBy(teams, ({ organizationId }) => organizationId)
  return {
    count: counted?.total ?? 0,
    records: rows.map((row) => organizationRecordFrom(row, byOrganization.get(row.id) ?? [])),
  }
}
