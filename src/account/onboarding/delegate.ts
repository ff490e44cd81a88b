import * as z from 'zod'
import { eq } from 'drizzle-orm'
import { organizationInvites } from '../../../drizzle'
import { type Actor, ADMIN, MEMBER, type Organization, userOf } from '../../auth/actor'
import type { Deps } from '../../deps'
import { text } from '../../http/fields'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { email } from '../identity-fields'
import {
  checkInvite,
  guardInvite,
  newInvite,
  requireRecentSessionToInvite,
  selectInvitePolicy,
} from '../invites/create'
import { type InviteRecord, inviteRecordFrom, type InviteRow, selectInvites } from '../invites/invite-record'
import { delegate, isDelegationPending } from './onboarding-state'
import { selectOnboarding, updateOnboarding } from './onboarding-store'

export const DelegateBody = z.object({
  target_email: email(),
  message: text({ blank: true, max: 1000 }).nullable().optional(),
  step_at_delegation: text({ blank: true, max: 64 }).nullable().optional(),
})

/**
 * Delegates onboarding by an invite (docs/reference/accounts.md#onboarding). An admin invites an admin, and others invite a member. While
 * an earlier delegation to the organization is pending, the call returns its invite and changes nothing.
 * @throws 403 and 400 as `checkInvite` and `requireRecentSessionToInvite` do
 */
export async function delegateOnboarding(
  deps: Deps,
  actor: Actor,
  organization: Organization,
  { target_email: targetEmail, message = null }: z.output<typeof DelegateBody>,
): Promise<InviteRecord> {
  const { db } = deps
  const user = userOf(actor)!
  return retryOnConflict(async () => {
    const now = deps.clock.now()
    const [[policy], [state]] = await db.batch([
      selectInvitePolicy(db, organization.id, user.id, targetEmail, now),
      selectOnboarding(db, user.id, now),
    ])
    if (
      isDelegationPending(state!) &&
      state!.inviteIsLive &&
      state!.onboarding_delegated_to_organization_id === organization.id
    ) {
      const pending = state!.onboarding_delegated_to_invite!
      const [row] = await selectInvites(db, eq(organizationInvites.id, pending))
      if (row) {
        // The sign-in has to be recent, because the response contains the invite's id, which suffices to accept the invite.
        requireRecentSessionToInvite(row.level, actor, now)
        return inviteRecordFrom(row, now)
      }
    }

    const level = (policy?.level ?? MEMBER) < ADMIN ? MEMBER : ADMIN
    checkInvite(policy, level)
    requireRecentSessionToInvite(level, actor, now)
    const invite = newInvite(
      deps,
      actor,
      { organizationId: organization.id, targetEmail, level, message, isSetupDelegation: true },
      now,
    )
    const next = delegate(invite.id, organization.id, toStoredTimestamp(now))
    const results = await runBatch(db, [
      guardInvite(db, organization.id, user.id, level, now),
      ...updateOnboarding(db, user.id, state!, next),
      ...invite.statements,
      selectInvites(db, eq(organizationInvites.id, invite.id)),
    ])
    return inviteRecordFrom((results.at(-1) as InviteRow[])[0]!, now)
  })
}
