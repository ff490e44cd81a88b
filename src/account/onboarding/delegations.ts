// What becomes of those who delegated their onboarding, when the invite is used or goes away (reference/account-api.md §3).
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { users } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { ONGOING } from './onboarding-state'

/** The statement that lets onboarding go on for those who delegated by an invite that is no more. Runs after the invite is deleted. */
export const endDelegations = (db: Database, inviteId: string) =>
  db
    .update(users)
    .set({ ...ONGOING })
    .where(
      and(
        eq(users.onboardingDelegatedToInvite, inviteId),
        isNull(users.onboardingDelegationAcceptedAt),
        sql`NOT EXISTS (SELECT 1 FROM organization_invites WHERE id = ${inviteId})`,
      ),
    )

/** The statement that tells those who delegated by these invites that somebody came. */
export const acceptDelegations = (db: Database, inviteIds: SQL, at: string) =>
  db
    .update(users)
    .set({ onboardingDelegationAcceptedAt: at })
    .where(
      and(
        sql`${users.onboardingDelegatedToInvite} IN ${inviteIds}`,
        isNull(users.onboardingDelegationAcceptedAt),
      ),
    )
