import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { organizations } from '../../../drizzle'
import type { Organization } from '../../auth/actor'
import type { Deps } from '../../deps'
import { permissionDenied } from '../../errors'
import { boolean, text } from '../../http/fields'
import { valuesIn } from '../../storage/columns'
import { runIf } from '../../storage/run-batch'
import { stored } from '../../timestamps'
import { type OrganizationRecord, organizationRecordFrom, selectOrganizations } from './organization-record'
import { selectTeamsOf } from './team-record'
import { isAdmin } from './membership-guards'

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

/** @throws 403 for members below admin. */
export async function updateOrganization(
  { db, clock, keyCache }: Deps,
  userId: number,
  { id }: Organization,
  body: z.output<typeof UpdateOrganizationBody>,
): Promise<OrganizationRecord> {
  const isMine = eq(organizations.id, id)
  const [, [row], teams] = await keyCache.forgetAfter({ organizationId: id }, () =>
    runIf(
      db,
      isAdmin(id, userId),
      [
        db
          .update(organizations)
          .set({ ...valuesIn(organizations, body), updatedAt: stored(clock.now()) })
          .where(isMine),
        selectOrganizations(db, userId, isMine),
        selectTeamsOf(db, id),
      ],
      insufficient,
    ),
  )
  return organizationRecordFrom(row!, teams)
}

const insufficient = () => permissionDenied('Your organization access level is insufficient.')
