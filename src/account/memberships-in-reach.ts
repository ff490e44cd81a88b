// Where a caller may look on paths that name no organization (reference/account-api.md §10.5).
import { and, eq, gte, or, type SQL, sql } from 'drizzle-orm'
import { memberships } from '../../drizzle'
import { type Actor, userOf } from '../auth/actor'
import { ADMIN } from '../auth/levels'

/**
 * SQL for the memberships of a caller; of a key only those in organizations that it is not kept from, and that let it be used. Stands in a
 * select from `organization_memberships`.
 */
export function membershipsInReach(actor: Actor): SQL {
  const mine = eq(memberships.userId, userOf(actor)!.id)
  if (actor.kind !== 'apiKey') return mine
  const { scopedOrganizations: reach } = actor
  return and(
    mine,
    reach.length
      ? sql`${memberships.organizationId} IN (SELECT value FROM json_each(${JSON.stringify(reach)}))`
      : undefined,
    or(
      gte(memberships.level, ADMIN),
      sql`(SELECT o.members_can_use_personal_api_keys FROM organizations o WHERE o.id = organization_memberships.organization_id)`,
    ),
  )!
}
