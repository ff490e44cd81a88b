// Write guards about memberships, for the batch that writes: a cached actor may be 30 s old (auth/key-cache.ts), and a demoted or removed
// member must not write.
import { type SQL, sql } from 'drizzle-orm'
import { ADMIN, MEMBER, OWNER } from '../../auth/actor'
import { permissionDenied } from '../../errors'

const membershipWith = (organizationId: string, userId: number, allowed: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
    WHERE m.organization_id = ${organizationId} AND m.user_id = ${userId} AND (${allowed}))`

export const isAtLeast = (organizationId: string, userId: number, level: number): SQL =>
  membershipWith(organizationId, userId, sql`m.level >= ${level}`)

/** SQL condition: the user is an admin or owner. */
export const isAdmin = (organizationId: string, userId: number): SQL =>
  isAtLeast(organizationId, userId, ADMIN)

export const hasLevel = (organizationId: string, userId: number, level: number): SQL =>
  membershipWith(organizationId, userId, sql`m.level = ${level}`)

/** @param userId SQL of the user who does not count */
export const hasActiveOwnerBesides = (organizationId: string, userId: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM organization_memberships o JOIN users ou ON ou.id = o.user_id AND ou.is_active
    WHERE o.organization_id = ${organizationId} AND o.level = ${OWNER} AND o.user_id <> ${userId})`

export const canCreateProjects = (organizationId: string, userId: number): SQL =>
  membershipWith(
    organizationId,
    userId,
    sql`m.level >= iif(o.members_can_create_projects, ${MEMBER}, ${ADMIN})`,
  )

/** SQL of the user's level. It is NULL for viewers, and for members of an organization that does not let them invite. */
export const highestInviteLevel = (organizationId: string, userId: number): SQL =>
  sql`(SELECT m.level FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
    WHERE m.organization_id = ${organizationId} AND m.user_id = ${userId}
      AND m.level >= iif(o.members_can_invite, ${MEMBER}, ${ADMIN}))`

/** @param level a level, or SQL of one */
export const canInvite = (organizationId: string, userId: number, level: number | SQL): SQL =>
  sql`coalesce(${level} <= ${highestInviteLevel(organizationId, userId)}, 0)`

export const insufficient = () => permissionDenied('Your organization access level is insufficient.')
