import { organizationInvites } from '../../../drizzle'
import { type Actor, userOf } from '../../auth/actor'
import type { Deps } from '../../deps'
import { page, type PageQuery } from '../../http/pagination'
import { countOf, totalIn } from '../../storage/count'
import { canReadInviteId, maskedInviteId } from './invite-id'
import { inviteRecordFrom, invitesWithin, selectInvites } from './invite-record'

/** Lists a page of the invites that the caller could have created. The ids that the caller cannot read are masked. */
export async function listInvites(
  { db, clock }: Deps,
  actor: Actor,
  organizationId: string,
  query: PageQuery,
  url: URL,
) {
  const where = invitesWithin(organizationId, userOf(actor)!.id)
  const [counts, rows] = await db.batch([
    countOf(db, organizationInvites, where),
    selectInvites(db, where).limit(query.limit).offset(query.offset),
  ])
  const now = clock.now()
  const records = rows.map((row) => ({
    ...inviteRecordFrom(row, now),
    id: canReadInviteId(actor, row.level) ? row.id : maskedInviteId(row.id),
  }))
  return page(url, query, totalIn(counts), records)
}
