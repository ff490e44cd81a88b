import { and, eq, gt, or, type SQL, sql } from 'drizzle-orm'
import { organizationInvites } from '../../../drizzle'
import { type Actor, type Organization, userOf } from '../../auth/actor'
import type { Deps } from '../../deps'
import { notFound } from '../../errors'
import { acceptDelegations, endDelegations } from '../onboarding/onboarding-store'
import { invitesWithin } from './invite-record'
import type { Database } from '../../storage/database'
import { runIf } from '../../storage/run-batch'
import { recordInvite } from '../organizations/record-member'
import { toStoredTimestamp } from '../../timestamps'
import { inviteExpiryCutoff } from './invite-validity'

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
    [...deleteInvites(db, isIt), recordInvite(deps, clock.now(), actor, invite, 'deleted')],
    notFound,
  )
}

/**
 * Deletes a user's invites, and those of the user's address. With the id of an invite, its creator could otherwise rejoin by another
 * address, and its recipient at the level of a former invite. The address has to be confirmed, because a user can enter that of another
 * person, whose invites stay.
 * @param options.above invites up to this level stay; by default none does
 */
export const revokeInvitesOf = (
  db: Database,
  organizationId: string,
  userId: number,
  { above }: { above?: number },
) =>
  deleteInvites(
    db,
    and(
      eq(organizationInvites.organizationId, organizationId),
      or(
        eq(organizationInvites.createdById, userId),
        sql`target_email = (SELECT email FROM users WHERE users.id = ${userId} AND is_email_verified)`,
      ),
      above === undefined ? undefined : gt(organizationInvites.level, above),
    ),
  )

/** The statements that use up all invites of an address, when its user joins. Expired delegations stay expired. */
export function useInvites(db: Database, organizationId: string, email: string, now: Date) {
  const used = and(
    eq(organizationInvites.organizationId, organizationId),
    eq(organizationInvites.targetEmail, email),
  )
  const live = idsOf(db, and(used, gt(organizationInvites.createdAt, inviteExpiryCutoff(now))))
  return [
    acceptDelegations(db, live, toStoredTimestamp(now)),
    db.delete(organizationInvites).where(used),
  ] as const
}

/** The statements that delete invites, and end the delegations of onboarding by them. */
const deleteInvites = (db: Database, where: SQL | undefined) =>
  [endDelegations(db, idsOf(db, where)), db.delete(organizationInvites).where(where)] as const

const idsOf = (db: Database, where: SQL | undefined): SQL =>
  sql`${db.select({ id: organizationInvites.id }).from(organizationInvites).where(where)}`
