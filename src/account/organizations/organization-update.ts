import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { organizations, totpDevices } from '../../../drizzle'
import { ADMIN, type Organization } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid, permissionDenied } from '../../errors'
import { boolean, text } from '../../http/fields'
import { valuesIn } from '../../storage/columns'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
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
    enforce_2fa: boolean().nullable(),
    is_ai_data_processing_approved: boolean().nullable(),
  })
  .partial()

/** @throws 403 for members below admin; 400 for a caller who requires a second factor and has none. */
export async function updateOrganization(
  { db, clock, keyCache }: Deps,
  userId: number,
  { id, membershipLevel }: Organization,
  body: z.output<typeof UpdateOrganizationBody>,
): Promise<OrganizationRecord> {
  if (body.enforce_2fa) {
    if (membershipLevel < ADMIN) throw insufficient()
    await requireOwnSecondFactor(db, userId)
  }
  const isMine = eq(organizations.id, id)
  const [, [row], teams] = await keyCache.forgetAfter({ organizationId: id }, () =>
    runIf(
      db,
      isAdmin(id, userId),
      [
        db
          .update(organizations)
          .set({ ...valuesIn(organizations, body), updatedAt: toStoredTimestamp(clock.now()) })
          .where(isMine),
        selectOrganizations(db, userId, isMine),
        selectTeamsOf(db, id),
      ],
      insufficient,
    ),
  )
  return organizationRecordFrom(row!, teams)
}

/** Requires that a caller who requires a second factor of others has one. */
async function requireOwnSecondFactor(db: Database, userId: number): Promise<void> {
  const [device] = await db
    .select({ userId: totpDevices.userId })
    .from(totpDevices)
    .where(eq(totpDevices.userId, userId))
  if (!device) throw noSecondFactor()
}

export const noSecondFactor = () =>
  invalid('enforce_2fa', 'Set up two-factor authentication for your own account first.', '2fa_not_enabled')

const insufficient = () => permissionDenied('Your organization access level is insufficient.')
