// What a key reaches of what its user is a member of. An organization may reject the keys of its members, and a key may be restricted to
// organizations and projects. A session reaches everything.
import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { memberships } from '../../../drizzle'
import { type Actor, ADMIN, userOf } from '../../auth/actor'

const isOneOf = (values: readonly (string | number)[]): SQL =>
  sql`IN (SELECT value FROM json_each(${JSON.stringify(values)}))`

/** SQL condition on a row of `organization_memberships`: the caller reaches the organization, or one of its projects. */
export function isInReach(actor: Actor): SQL | undefined {
  if (actor.kind !== 'apiKey') return undefined
  const { scopedOrganizations, scopedTeams } = actor
  return and(
    scopedOrganizations.length > 0
      ? sql`organization_memberships.organization_id ${isOneOf(scopedOrganizations)}`
      : undefined,
    scopedTeams.length > 0
      ? sql`organization_memberships.organization_id IN (SELECT p.organization_id FROM projects p WHERE p.id ${isOneOf(scopedTeams)})`
      : undefined,
    or(
      sql`organization_memberships.level >= ${ADMIN}`,
      sql`(SELECT o.members_can_use_personal_api_keys FROM organizations o WHERE o.id = organization_memberships.organization_id)`,
    ),
  )
}

/** SQL condition on a row of `projects` of an organization in reach. */
export const isProjectInReach = (actor: Actor): SQL | undefined =>
  actor.kind === 'apiKey' && actor.scopedTeams.length > 0
    ? sql`projects.id ${isOneOf(actor.scopedTeams)}`
    : undefined

/** SQL condition on a row of `organization_memberships`: it is the caller's, and in reach. */
export const membershipsInReach = (actor: Actor): SQL =>
  and(eq(memberships.userId, userOf(actor)!.id), isInReach(actor))!

/** SQL condition: a user is a member of the organization of a project, and the caller reaches it. */
export const reachesProject = (actor: Actor, userId: number, projectId: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM projects JOIN organization_memberships ON organization_memberships.organization_id = projects.organization_id
    WHERE ${and(sql`projects.id = ${projectId} AND organization_memberships.user_id = ${userId}`, isInReach(actor), isProjectInReach(actor))})`
