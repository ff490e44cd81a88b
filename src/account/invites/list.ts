import { sql } from 'drizzle-orm'
import { organizationInvites } from '../../../drizzle'
import { type Actor, userOf } from '../../auth/actor'
import type { Deps } from '../../deps'
import { canReadInviteId, maskedInviteId } from './invite-id'
import { type InviteRecord, inviteRecordFrom, invitesWithin, selectInvites } from './invite-record'

/** A page of the invites that the caller could have created, with the ids masked that the caller cannot read. */
export async function listInvites(
  { db, clock }: Deps,
  actor: Actor,
  organizationId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ count: number; records: InviteRecord[] }> {
  const where = invitesWithin(organizationId, userOf(actor)!.id)
  const [[counted], rows] = await db.batch([
    db
      .select({ total: sql<number>`count(*)`.as('total') })
      .from(organizationInvites)
      .where(where),
    selectInvites(db, where).limit(limit).offset(offset),
  ])
  const now = clock.now()
  const records = rows
    .map((row) => inviteRecordFrom(row, now))
    .map((record) =>
      canReadInviteId(actor, record.level) ? record : { ...record, id: maskedInviteId(record.id) },
    )
  return { count: counted?.total ?? 0, records }
}
