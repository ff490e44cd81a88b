// Invites whose creator may not create them any longer.
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { organizationInvites, users } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { ONGOING } from '../onboarding/onboarding-state'

/**
 * The statements that delete the invites to an organization that a user created, and end a delegation of the user's onboarding that depends
 * on one of them: whoever knows the id of an invite can accept it, so that its creator could come back by another address.
 * @param options.above invites up to this level stay.
 */
export const revokeInvitesOf = (
  db: Database,
  organizationId: string,
  userId: number,
  { above }: { above: number },
) => [
  db
    .delete(organizationInvites)
    .where(
      and(
        eq(organizationInvites.organizationId, organizationId),
        eq(organizationInvites.createdById, userId),
        gt(organizationInvites.level, above),
      ),
    ),
  db
    .update(users)
    .set({ ...ONGOING })
    .where(
      and(
        eq(users.id, userId),
        eq(users.onboardingDelegatedToOrganizationId, organizationId),
        isNull(users.onboardingDelegationAcceptedAt),
        sql`NOT EXISTS (SELECT 1 FROM organization_invites i WHERE i.id = users.onboarding_delegated_to_invite)`,
      ),
    ),
]
