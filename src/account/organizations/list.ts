// A page of the organizations that somebody is in.
import { inArray, sql } from 'drizzle-orm'
import { memberships, organizations, projects } from '../../../drizzle'
import { type Actor, userOf } from '../../auth/actor'
import type { Database } from '../../storage/database'
import { membershipsInReach } from '../memberships-in-reach'
import { organizationRecordFrom, type OrganizationRecord, selectOrganizations } from '../organization-record'
import { selectTeams } from '../team-record'

interface Window {
  limit: number
  offset: number
}

/** A page of a caller's organizations in the order in which they joined, and how many there are. */
export async function listOrganizations(
  db: Database,
  actor: Actor,
  { limit, offset }: Window,
): Promise<{ count: number; records: OrganizationRecord[] }> {
  const mine = membershipsInReach(actor)
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
    selectOrganizations(db, userOf(actor)!.id, inArray(organizations.id, onThePage)),
    selectTeams(db, inArray(projects.organizationId, onThePage)),
  ])
  const byOrganization = Map.groupBy(teams, ({ organizationId }) => organizationId)
  return {
    count: counted?.total ?? 0,
    records: rows.map((row) => organizationRecordFrom(row, byOrganization.get(row.id) ?? [])),
  }
}
