// Invites to organizations, valid for three days.
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { dateTime } from '../../http/fields'
import { organizationInvites } from '../../../drizzle'
import { columnsIn } from '../../storage/columns'
import type { Database } from '../../storage/database'
import { toApiTimestamp } from '../../timestamps'
import { inviteExpiryCutoff, isInviterActive } from './invite-validity'
import { levelsText, MembershipLevel } from '../organizations/organization-record'
import { highestInviteLevel } from '../organizations/membership-guards'
import { UserSummary, userSummarySql } from '../../http/user-summary'
import { type Actor, userOf } from '../../auth/actor'
import type { Deps } from '../../deps'
import { page, type PageQuery } from '../../http/pagination'
import { countOf, totalIn } from '../../storage/count'
import { canReadInviteId, maskedInviteId } from './invite-id'

export const InviteRecord = z
  .object({
    id: z.uuid(),
    target_email: z.string(),
    first_name: z.string(),
    emailing_attempt_made: z.boolean(),
    level: MembershipLevel,
    is_expired: z.boolean(),
    created_by: UserSummary.nullable(),
    created_at: dateTime(),
    updated_at: dateTime(),
    message: z.string().nullable(),
    private_project_access: z.array(z.unknown()),
    send_email: z.boolean(),
    combine_pending_invites: z.boolean(),
  })
  .meta({ id: 'OrganizationInvite' })

export type InviteRecord = z.output<typeof InviteRecord>

/** Documents who can read the id of an invite, which suffices to accept the invite. */
export const inviteIdText = () =>
  'A random UUID replaces it for keys without `organization_member:write`, for all keys if the invite is above level 1, and while ' +
  'staff impersonate the user.'

export const InviteRecordDocs = (): SchemaDocs => ({
  description: 'An invite to an organization for one email address, valid for three days.',
  fields: {
    id: `Id of the invite, a secret: it suffices to accept the invite. ${inviteIdText()}`,
    target_email: 'Invited email address, in lower case.',
    first_name: 'Given name of the invited person. Empty if unknown.',
    emailing_attempt_made: 'Always false: this service sends no email. Pass the id on.',
    level: `Level of the new member: ${levelsText()}.`,
    is_expired:
      'Whether the invite cannot be accepted: it is older than three days, or its inviter is deactivated. It is deleted 30 days after its creation at the earliest.',
    created_by: 'Who created the invite. Null if unknown.',
    created_at: 'When the invite was created. ISO 8601, UTC.',
    updated_at: 'When the invite last changed. ISO 8601, UTC.',
    message: 'Message of the inviter. Null without one.',
    private_project_access: 'Always empty: every member has access to every project.',
    send_email: 'Always false.',
    combine_pending_invites: 'Always false.',
  },
  example: inviteExample(),
})

/** The user who accepts the invite of the examples. */
export const graceExample = () => ({
  id: 2,
  uuid: '019d1f5b-c080-723d-bdda-1494c73cf256',
  distinct_id: '3rEMU64yTY6BzUZKC97i4xgciFnq9RBXO2tAG1yKwIL',
  first_name: 'Grace',
  email: 'grace@example.com',
  is_email_verified: null,
})

const UNSUPPORTED = {
  emailing_attempt_made: false,
  private_project_access: [],
  send_email: false,
  combine_pending_invites: false,
}

export const inviteExample = () => ({
  id: '795b929e-9a9a-40fd-aa7b-5bf55eb561a4',
  target_email: graceExample().email,
  first_name: graceExample().first_name,
  level: 1,
  created_at: '2026-04-01T09:15:00Z',
  updated_at: '2026-04-01T09:15:00Z',
  message: 'Come and look at our flags.',
})

export const inviteParameter = () => ({
  invite_id: { description: 'Id of the invite, a secret.', example: inviteExample().id },
})

/** Selects invites, newest first. */
export const selectInvites = (db: Database, where: SQL | undefined) =>
  db
    .select({
      ...columnsIn(organizationInvites, InviteRecord.shape),
      created_by: userSummarySql('organization_invites.created_by_id').as('created_by'),
      isInviterActive: isInviterActive.as('is_inviter_active'),
    })
    .from(organizationInvites)
    .where(where)
    .orderBy(desc(organizationInvites.createdAt), desc(organizationInvites.id))

export type InviteRow = Awaited<ReturnType<typeof selectInvites>>[number]

/**
 * SQL condition: the member could have created the invite. The id of an invite gives its membership, so that a member who saw an invite
 * for an admin could accept it.
 */
export const invitesWithin = (organizationId: string, userId: number): SQL =>
  and(
    eq(organizationInvites.organizationId, organizationId),
    sql`${organizationInvites.level} <= ${highestInviteLevel(organizationId, userId)}`,
  )!

export const inviteRecordFrom = (
  { isInviterActive: mayInvite, ...row }: InviteRow,
  now: Date,
): InviteRecord => ({
  ...row,
  ...UNSUPPORTED,
  level: row.level as InviteRecord['level'],
  is_expired: row.created_at <= inviteExpiryCutoff(now) || !mayInvite,
  created_by: row.created_by,
  created_at: toApiTimestamp(row.created_at),
  updated_at: toApiTimestamp(row.updated_at),
})

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
