import { eq } from 'drizzle-orm'
import type * as z from 'zod'
import { organizationInvites } from '../../../drizzle'
import type { Actor } from '../../auth/actor'
import type { Deps } from '../../deps'
import { notFound } from '../../errors'
import { recordInvite } from '../organizations/record-member'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { selectUserRecord, userRecordFrom } from '../users/user-record'
import type { UserRecord } from '../users/user-schema'
import { effectiveOnboarding, isDelegationPending, skip, type SkipReason } from './onboarding-state'
import { deleteDelegationInvite, updateOnboarding, selectOnboarding } from './onboarding-store'

/**
 * Skips onboarding and deletes the invite of a pending delegation (docs/reference/accounts.md#onboarding). Repeating a skip keeps the
 * timestamp, and updates reason and organization.
 * @returns the user's record
 * @throws 404 for an unknown user
 */
export async function skipOnboarding(
  deps: Deps,
  actor: Actor,
  userId: number,
  reason: SkipReason,
): Promise<z.output<typeof UserRecord>> {
  const { db, clock } = deps
  return retryOnConflict(async () => {
    const now = clock.now()
    const [row] = await selectOnboarding(db, userId, now)
    if (!row) throw notFound()
    const next = skip(
      effectiveOnboarding(row, row.inviteIsLive),
      reason,
      row.organizationId,
      toStoredTimestamp(now),
    )
    const pending = isDelegationPending(row) ? row.onboarding_delegated_to_invite! : ''
    const [invite] = pending
      ? await db.select().from(organizationInvites).where(eq(organizationInvites.id, pending))
      : []
    const writes = [
      ...updateOnboarding(db, userId, row, next),
      ...(invite
        ? [deleteDelegationInvite(db, userId, pending), recordInvite(deps, now, actor, invite, 'deleted')]
        : []),
    ]
    const results = await runBatch(db, [...writes, ...selectUserRecord(db, userId, now)])
    return userRecordFrom(results.slice(writes.length), actor)
  })
}
