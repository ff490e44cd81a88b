import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { organizationInvites, users } from '../../../drizzle'
import { type Actor, type Organization, userOf } from '../../auth/actor'
import type { Deps } from '../../deps'
import { notFound } from '../../errors'
import { endDelegations, setOnboarding } from '../onboarding/onboarding-store'
import { invitesWithin } from './invite-record'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { recordInvite } from './record-invite'
import { ONGOING } from '../onboarding/onboarding-state'

/** Deletes an invite, and ends the delegation of onboarding by it. @throws 404 */
export async function deleteInvite(
  deps: Deps,
  actor: Actor,
  organization: Organization,
  id: string,
): Promise<void> {
  const { db, clock } = deps
  const isIt = and(eq(organizationInvites.id, id), invitesWithin(organization.id, userOf(actor)!.id))
  const [invite] = await db.select().from(organizationInvites).where(isIt)
  if (!invite) throw notFound()
  await runIf(
    db,
    sql`EXISTS (SELECT 1 FROM ${organizationInvites} WHERE ${isIt})`,
    [
      db.delete(organizationInvites).where(isIt),
      endDelegations(db, id),
      recordInvite(deps, clock.now(), actor, invite, 'deleted'),
    ],
    notFound,
  )
}

/**
 * Deletes a user's invites and ends a delegation that depends on one. With the id of an invite, its creator could otherwise rejoin by
 * another address.
 * @param options.above invites up to this level stay; by default none does
 */
export const revokeInvitesOf = (
  db: Database,
  organizationId: string,
  userId: number,
  { above }: { above?: number },
) => [
  db
    .delete(organizationInvites)
    .where(
      and(
        eq(organizationInvites.organizationId, organizationId),
        eq(organizationInvites.createdById, userId),
        above === undefined ? undefined : gt(organizationInvites.level, above),
      ),
    ),
  setOnboarding(db, ONGOING).where(
    and(
      eq(users.id, userId),
      eq(users.onboardingDelegatedToOrganizationId, organizationId),
      isNull(users.onboardingDelegationAcceptedAt),
      sql`NOT EXISTS (SELECT 1 FROM organization_invites i WHERE i.id = users.onboarding_delegated_to_invite)`,
    ),
  ),
]
