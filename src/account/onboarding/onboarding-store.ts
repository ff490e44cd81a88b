// Reads and updates the onboarding columns of users.
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { organizationInvites, users } from '../../../drizzle'
import { columnsIn, valuesIn } from '../../storage/columns'
import { type Database, guard } from '../../storage/database'
import { currentOrganizationSql } from '../../auth/current-tenant'
import { isDelegationInviteValid } from '../invites/invite-validity'
import { type Onboarding, ONGOING } from './onboarding-state'

const FIELDS = Object.keys(ONGOING) as (keyof Onboarding)[]

/** The statement that sets the state of users; the caller adds the condition. */
const setOnboarding = (db: Database, state: Onboarding) => db.update(users).set(valuesIn(users, state))

/** Selects the state, the validity of the invite and the current organization. */
export const selectOnboarding = (db: Database, userId: number, now: Date) =>
  db
    .select({
      ...columnsIn(users, ONGOING),
      inviteIsLive: isDelegationInviteValid(now).as('invite_is_live'),
      organizationId: currentOrganizationSql(userId).as('the_organization_id'),
    })
    .from(users)
    .where(eq(users.id, userId))

/** Updates the state. The guard fails unless the stored state is `from`. */
export const updateOnboarding = (db: Database, userId: number, from: Onboarding, to: Onboarding) => {
  const unchanged = FIELDS.map((name) => sql`${sql.identifier(name)} IS ${from[name]}`)
  return [
    guard(db, sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND ${sql.join(unchanged, sql` AND `)})`),
    setOnboarding(db, to).where(eq(users.id, userId)),
  ]
}

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

const isDelegatedBy = (inviteIds: SQL) =>
  and(sql`${users.onboardingDelegatedToInvite} IN ${inviteIds}`, isNull(users.onboardingDelegationAcceptedAt))

/** Ends delegations by invites that the same batch deletes afterwards. */
export const endDelegations = (db: Database, inviteIds: SQL) =>
  setOnboarding(db, ONGOING).where(isDelegatedBy(inviteIds))

/** Accepts delegations by invites that the same batch deletes afterwards. */
export const acceptDelegations = (db: Database, inviteIds: SQL, at: string) =>
  db.update(users).set({ onboardingDelegationAcceptedAt: at }).where(isDelegatedBy(inviteIds))
