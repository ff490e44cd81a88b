// Changing an organization: its name, and what its members may do.
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { organizations } from '../../../drizzle'
import type { Organization } from '../../auth/actor'
import type { Deps } from '../../deps'
import { notFound, permissionDenied } from '../../errors'
import { boolean, text } from '../../http/fields'
import { stored } from '../../timestamps'
import { type OrganizationRecord, organizationRecordFrom, selectOrganizations } from '../organization-record'
import { selectTeamsOf } from '../team-record'
import { ADMIN } from './levels'

const MAX_NAME = 64

export const UpdateOrganizationBody = z
  .object({
    name: text({ max: MAX_NAME }),
    members_can_invite: boolean(),
    members_can_create_projects: boolean(),
    members_can_use_personal_api_keys: boolean(),
    is_ai_data_processing_approved: boolean().nullable(),
  })
  .partial()

/** Changes an organization. @throws 403 for members below admin. */
export async function updateOrganization(
  { db, clock }: Deps,
  userId: number,
  { id, membershipLevel }: Organization,
  body: z.output<typeof UpdateOrganizationBody>,
): Promise<OrganizationRecord> {
  if (membershipLevel < ADMIN) {
    throw permissionDenied('Your organization access level is insufficient.')
  }
  const isMine = eq(organizations.id, id)
  const [, [row], teams] = await db.batch([
    db
      .update(organizations)
      .set({
        name: body.name,
        membersCanInvite: body.members_can_invite,
        membersCanCreateProjects: body.members_can_create_projects,
        membersCanUsePersonalApiKeys: body.members_can_use_personal_api_keys,
        isAiDataProcessingApproved: body.is_ai_data_processing_approved,
        updatedAt: stored(clock.now()),
      })
      // Whoever is an admin no more changes nothing, whatever a cache still knows.
      .where(
        sql`${isMine} AND EXISTS (SELECT 1 FROM organization_memberships m
          WHERE m.organization_id = ${id} AND m.user_id = ${userId} AND m.level >= ${ADMIN})`,
      ),
    selectOrganizations(db, userId, isMine),
    selectTeamsOf(db, id),
  ])
  if (!row) throw notFound('Organization not found.')
  return organizationRecordFrom(row, teams)
}
