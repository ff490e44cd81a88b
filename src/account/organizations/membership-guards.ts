// What a member's level allows, as SQL: asked in the batch that writes. What is known of a caller may be half a minute old (auth/key-cache.ts),
// and nobody who was demoted or removed meanwhile may go on.
import { type SQL, sql } from 'drizzle-orm'
import { ADMIN, OWNER } from '../../auth/levels'

const standing = (organizationId: string, userId: number, allowed: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
    WHERE m.organization_id = ${organizationId} AND m.user_id = ${userId} AND (${allowed}))`

/** Whether a user has a level in an organization, or a higher one. */
export const isAtLeast = (organizationId: string, userId: number, level: number): SQL =>
  standing(organizationId, userId, sql`m.level >= ${level}`)

/** Whether a user is an admin of an organization, or its owner. */
export const isAdmin = (organizationId: string, userId: number): SQL =>
  isAtLeast(organizationId, userId, ADMIN)

/** Whether a user has exactly this level in an organization. */
export const hasLevel = (organizationId: string, userId: number, level: number): SQL =>
  standing(organizationId, userId, sql`m.level = ${level}`)

/** Whether an organization has an active owner besides a user. @param userId SQL for the user's id. */
export const hasActiveOwnerBesides = (organizationId: string, userId: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM organization_memberships o JOIN users ou ON ou.id = o.user_id AND ou.is_active
    WHERE o.organization_id = ${organizationId} AND o.level = ${OWNER} AND o.user_id <> ${userId})`

/** Whether a user may add projects to an organization. */
export const canCreateProjects = (organizationId: string, userId: number): SQL =>
  standing(organizationId, userId, sql`m.level >= ${ADMIN} OR o.members_can_create_projects`)

/** The highest level that a user may invite somebody as: their own; null for members whose organization does not let them invite. */
export const highestInviteLevel = (organizationId: string, userId: number): SQL =>
  sql`(SELECT m.level FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
    WHERE m.organization_id = ${organizationId} AND m.user_id = ${userId}
      AND (m.level >= ${ADMIN} OR o.members_can_invite))`

/** Whether a user may invite somebody to an organization as `level`, which is a level, or SQL for one. */
export const canInvite = (organizationId: string, userId: number, level: number | SQL): SQL =>
  sql`coalesce(${level} <= ${highestInviteLevel(organizationId, userId)}, 0)`
