// Asking somebody else to do the setting up: an invite, and the mark of it on whoever asks, in one batch (reference/account-api.md §3).
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { organizationInvites } from '../../../drizzle'
import type { Organization, User } from '../../auth/actor'
import type { Deps } from '../../deps'
import { text } from '../../http/fields'
import { guard } from '../../storage/database'
import { optimistically } from '../../storage/optimistic'
import { runBatch } from '../../storage/run-batch'
import { stored } from '../../timestamps'
import { email } from '../email'
import { checkInvite, newInvite, selectInvitePolicy } from '../organizations/invite-create'
import {
  type InviteRecord,
  inviteRecordFrom,
  type InviteRow,
  selectInvites,
} from '../organizations/invite-record'
import { ADMIN, MEMBER } from '../../auth/levels'
import { mayInvite } from '../organizations/standing'
import { delegate, isDelegationPending } from './state'
import { moveOnboarding, selectOnboarding } from './stored-state'

export const DelegateBody = z.object({
  target_email: email(),
  message: text({ blank: true, max: 1000 }).nullable().optional(),
  step_at_delegation: text({ blank: true, max: 64 }).nullable().optional(),
})

/**
 * Delegates the onboarding of a user. Whoever is asked becomes an admin if the user is one, else a member. While an earlier delegation
 * to the same organization waits, its invite is given back and nothing changes.
 * @throws 403 and 400 as `checkInvite` does.
 */
export async function delegateOnboarding(
  deps: Deps,
  user: User,
  organization: Organization,
  { target_email: targetEmail, message = null }: z.output<typeof DelegateBody>,
): Promise<InviteRecord> {
  const { db } = deps
  return optimistically(async () => {
    const now = deps.clock.now()
    const [[policy], [state]] = await db.batch([
      selectInvitePolicy(db, organization.id, user.id, targetEmail),
      selectOnboarding(db, user.id, now),
    ])
    const pending = state!.onboardingDelegatedToInvite
    if (
      isDelegationPending(state!) &&
      Boolean(state!.inviteIsLive) &&
      state!.onboardingDelegatedToOrganizationId === organization.id
    ) {
      const [row] = await selectInvites(db, eq(organizationInvites.id, pending!))
      if (row) return inviteRecordFrom(row, now)
    }

    const level = (policy?.level ?? MEMBER) < ADMIN ? MEMBER : ADMIN
    checkInvite(policy, level)
    const invite = newInvite(
      deps,
      user,
      { organizationId: organization.id, targetEmail, level, message, isSetupDelegation: true },
      now,
    )
    const next = delegate(state!, invite.id, organization.id, stored(now))
    const results = await runBatch(db, [
      guard(db, mayInvite(organization.id, user.id, level)),
      ...moveOnboarding(db, user.id, state!, next),
      invite.statement,
      selectInvites(db, eq(organizationInvites.id, invite.id)),
    ])
    return inviteRecordFrom((results.at(-1) as InviteRow[])[0]!, now)
  })
}
