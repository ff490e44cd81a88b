import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { organizationInvites } from '../../../drizzle'
import type { Actor } from '../../auth/actor'
import type { Deps } from '../../deps'
import { notFound, permissionDenied } from '../../errors'
import { asBoolean } from '../../storage/columns'
import { isInReach } from '../organizations/reach'
import { recordInvite } from '../organizations/record-member'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import { selectUserRecord, userRecordFrom } from '../users/user-record'
import type { UserRecord } from '../users/user-schema'
import { effectiveOnboarding, isDelegationPending, skip, type SkipReason } from './onboarding-state'
import { deleteDelegationInvite, updateOnboarding, selectOnboarding } from './onboarding-store'

const reachesIt = (actor: Actor, userId: number) =>
  asBoolean(
    sql`EXISTS (SELECT 1 FROM organization_memberships WHERE ${and(
      sql`user_id = ${userId} AND organization_id = organization_invites.organization_id`,
      isInReach(actor),
    )})`,
  ).as('is_in_reach')

const outOfReach = () =>
  permissionDenied(
    'This API key has no access to the organization whose invite delegates onboarding, and a skip deletes the invite. Skip with another key, or signed in.',
  )

/**
 * Skips onboarding and deletes the invite of a pending delegation (docs/reference/accounts.md#onboarding). Repeating a skip keeps the
 * timestamp, and updates reason and organization.
 * @returns the user's record
 * @throws 404 for an unknown user; 403 for a key without access to the organization of that invite
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
      ? await db
          .select({ ...getTableColumns(organizationInvites), isInReach: reachesIt(actor, userId) })
          .from(organizationInvites)
          .where(eq(organizationInvites.id, pending))
      : []
    if (invite && actor.kind === 'apiKey' && (actor.scopedTeams.length > 0 || !invite.isInReach))
      throw outOfReach()
    const writes = [
      ...updateOnboarding(db, userId, row, next),
      ...(invite
        ? [deleteDelegationInvite(db, userId, pending), recordInvite(deps, now, actor, invite, 'deleted')]
        : []),
    ]
    const results = await runBatch(db, [...writes, ...selectUserRecord(db, actor, userId, now)])
    return userRecordFrom(results.slice(writes.length), actor)
  })
}
