// The onboarding of a user as it is stored: read with what decides about it, written only if nobody changed it meanwhile.
import { and, eq, sql } from 'drizzle-orm'
import { organizationInvites, users } from '../../../drizzle'
import { type Database, guard } from '../../storage/database'
import { currentOrganizationSql } from '../../auth/current-tenant'
import { isDelegationInviteValid } from '../invites/invite-expiry'
import type { Onboarding } from './onboarding-state'

/** The columns of a user that hold it. */
export const ONBOARDING_COLUMNS = {
  onboardingSkippedAt: users.onboardingSkippedAt,
  onboardingSkippedReason: users.onboardingSkippedReason,
  onboardingSkippedOrganizationId: users.onboardingSkippedOrganizationId,
  onboardingDelegatedToInvite: users.onboardingDelegatedToInvite,
  onboardingDelegatedToOrganizationId: users.onboardingDelegatedToOrganizationId,
  onboardingDelegationAcceptedAt: users.onboardingDelegationAcceptedAt,
} satisfies Record<keyof Onboarding, unknown>

/** The statement that reads a user's onboarding, whether the invite it points to is live, and where the user works. */
export const selectOnboarding = (db: Database, userId: number, now: Date) =>
  db
    .select({
      ...ONBOARDING_COLUMNS,
      inviteIsLive: isDelegationInviteValid(now).as('invite_is_live'),
      organizationId: currentOrganizationSql(userId).as('the_organization_id'),
    })
    .from(users)
    .where(eq(users.id, userId))

/** The statements that take a user from one state to another; the batch is refused when they are not in the first any more. */
export const updateOnboarding = (db: Database, userId: number, from: Onboarding, to: Onboarding) => {
  const unchanged = Object.entries(ONBOARDING_COLUMNS).map(
    ([name, column]) => sql`${sql.identifier(column.name)} IS ${from[name as keyof Onboarding]}`,
  )
  return [
    guard(db, sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND ${sql.join(unchanged, sql` AND `)})`),
    db
      .update(users)
      .set({ ...stateOnly(to) })
      .where(eq(users.id, userId)),
  ]
}

/** The state without what else a row holds. */
const stateOnly = (state: Onboarding): Onboarding =>
  Object.fromEntries(
    Object.keys(ONBOARDING_COLUMNS).map((name) => [name, state[name as keyof Onboarding]]),
  ) as unknown as Onboarding

/** The statement that takes back the invite by which a user delegated. */
export const deleteDelegationInvite = (db: Database, userId: number, inviteId: string) =>
  db
    .delete(organizationInvites)
    .where(
      and(
        eq(organizationInvites.id, inviteId),
        eq(organizationInvites.createdById, userId),
        eq(organizationInvites.isSetupDelegation, true),
      ),
    )
