// Taking an invite back.
import { and, eq } from 'drizzle-orm'
import { organizationInvites } from '../../../drizzle'
import type { Organization, User } from '../../auth/actor'
import type { Deps } from '../../deps'
import { notFound } from '../../errors'
import { endDelegations } from '../onboarding/delegations'
import { invitesWithin } from './invite-record'

/** Deletes an invite; onboarding that was delegated by it goes on. @throws 404. */
export async function deleteInvite(
  { db }: Deps,
  user: User,
  organization: Organization,
  id: string,
): Promise<void> {
  const [deleted] = await db.batch([
    db
      .delete(organizationInvites)
      .where(and(eq(organizationInvites.id, id), invitesWithin(organization.id, user.id)))
      .returning({ id: organizationInvites.id }),
    endDelegations(db, id),
  ])
  if (deleted.length === 0) throw notFound()
}
