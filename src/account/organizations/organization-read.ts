import { and, eq, inArray, sql } from 'drizzle-orm'
import { memberships, organizations, projects } from '../../../drizzle'
import { requireKeysAllowed } from '../../auth/access'
import { type Actor, type Organization, userOf } from '../../auth/actor'
import { currentOrganizationSql } from '../../auth/current-tenant'
import { notFound } from '../../errors'
import { page, type PageQuery } from '../../http/pagination'
import { countOf, totalIn } from '../../storage/count'
import type { Database } from '../../storage/database'
import { type OrganizationRecord, organizationRecordFrom, selectOrganizations } from './organization-record'
import { membershipsInReach } from './reach'
import { selectTeams, selectTeamsOf } from './team-record'

/** Lists a page of the caller's organizations, in the order of joining. */
export async function listOrganizations(db: Database, actor: Actor, query: PageQuery, url: URL) {
  const reachable = membershipsInReach(actor)
  const onPage = db
    .select({ id: memberships.organizationId })
    .from(memberships)
    .where(reachable)
    .orderBy(memberships.joinedAt, memberships.organizationId)
    .limit(query.limit)
    .offset(query.offset)
  const [counts, rows, teams] = await db.batch([
    countOf(db, memberships, reachable),
    selectOrganizations(db, userOf(actor)!.id, inArray(organizations.id, onPage)),
    selectTeams(db, inArray(projects.organizationId, onPage)),
  ])
  const byOrganization = Map.groupBy(teams, ({ organizationId }) => organizationId)
  const records = rows.map((row) => organizationRecordFrom(row, byOrganization.get(row.summary.id) ?? []))
  return page(url, query, totalIn(counts), records)
}

/** @throws 404 for a user who is not a member any more: a cached key can outlive the membership. */
export async function getOrganization(db: Database, userId: number, id: string): Promise<OrganizationRecord> {
  const [[row], teams] = await db.batch([
    selectOrganizations(db, userId, eq(organizations.id, id)),
    selectTeamsOf(db, id),
  ])
  if (!row) throw notFound('Organization not found.')
  return organizationRecordFrom(row, teams)
}

/**
 * Returns the caller's current organization, for paths that name none.
 * @throws 404 without one, and for a key that is restricted to others; 403 for a key if the organization does not allow keys of members
 */
export async function organizationOf(db: Database, actor: Actor): Promise<Organization> {
  const userId = userOf(actor)!.id
  const [row] = await db
    .select({
      id: organizations.id,
      name: organizations.name,
      membershipLevel: memberships.level,
      keysAllowed: organizations.membersCanUsePersonalApiKeys,
    })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(
      and(
        eq(memberships.userId, userId),
        sql`${memberships.organizationId} = ${currentOrganizationSql(userId)}`,
      ),
    )
  const scoped = actor.kind === 'apiKey' ? actor.scopedOrganizations : []
  if (!row || (scoped.length > 0 && !scoped.includes(row.id))) throw notFound('Organization not found.')
  if (actor.kind === 'apiKey') requireKeysAllowed({ ...row, organizationName: row.name })
  return row
}
