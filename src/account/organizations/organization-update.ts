import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { organizations, totpDevices } from '../../../drizzle'
import { diff } from '../../activity/diff'
import { recordActivity } from '../../activity/record'
import { type Actor, ADMIN, type Organization, userOf } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid } from '../../errors'
import { boolean, text } from '../../http/fields'
import { valuesIn } from '../../storage/columns'
import { type Database, guard } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import {
  type OrganizationRecord,
  organizationRecordFrom,
  type OrganizationRow,
  selectOrganizations,
} from './organization-record'
import { selectTeamsOf, type TeamRow } from './team-record'
import { insufficient, isAdmin } from './membership-guards'

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

const LOGGED = UpdateOrganizationBody.keyof().options

/** @throws 403 for members below admin; 400 for a caller who requires a second factor and has none. */
export async function updateOrganization(
  deps: Deps,
  actor: Actor,
  { id, membershipLevel }: Organization,
  body: z.output<typeof UpdateOrganizationBody>,
): Promise<OrganizationRecord> {
  const { db, clock, keyCache } = deps
  const userId = userOf(actor)!.id
  if (membershipLevel < ADMIN) throw insufficient()
  if (body.enforce_2fa) await requireOwnSecondFactor(db, userId)
  const isMine = eq(organizations.id, id)
  const change = async () => {
    const [former] = await selectOrganizations(db, userId, isMine)
    if (!former || former.summary.membership_level < ADMIN) throw insufficient()
    const before = { ...former.summary, ...former.details }
    const changes = diff('Organization', LOGGED, before, { ...before, ...body })
    const now = clock.now()
    const results = await runBatch(db, [
      guard(
        db,
        sql`${isAdmin(id, userId)} AND EXISTS (SELECT 1 FROM ${organizations}
          WHERE ${and(isMine, eq(organizations.updatedAt, before.updated_at))})`,
      ),
      db
        .update(organizations)
        .set({ ...valuesIn(organizations, body), updatedAt: toStoredTimestamp(now) })
        .where(isMine),
      ...(changes.length === 0
        ? []
        : [
            recordActivity(deps, now, {
              organizationId: id,
              actor,
              scope: 'Organization',
              itemId: id,
              verb: 'updated',
              name: body.name ?? before.name,
              changes,
            }),
          ]),
      selectOrganizations(db, userId, isMine),
      selectTeamsOf(db, id),
    ])
    const [[row], teams] = results.slice(-2) as [OrganizationRow[], TeamRow[]]
    return organizationRecordFrom(row!, teams)
  }
  return keyCache.forgetAfter({ organizationId: id }, () => retryOnConflict(change))
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
