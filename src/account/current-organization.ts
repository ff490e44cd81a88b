// Where a caller works, for paths that name no organization.
import { and, eq, sql } from 'drizzle-orm'
import { memberships, organizations } from '../../drizzle'
import { requireKeysAllowed } from '../auth/access'
import { type Actor, type Organization, userOf } from '../auth/actor'
import { currentOrganizationSql } from '../auth/current-place'
import { notFound } from '../errors'
import type { Database } from '../storage/database'

/**
 * The organization that a caller works in, for paths that name none.
 * @throws 404 for somebody without one, and for a key that does not reach it; 403 for a key where the organization takes none of members.
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
  const reach = actor.kind === 'apiKey' ? actor.scopedOrganizations : []
  if (!row || (reach.length > 0 && !reach.includes(row.id))) throw notFound('Organization not found.')
  if (actor.kind === 'apiKey') requireKeysAllowed({ ...row, organizationName: row.name })
  return row
}
