// An invite as the API shows it, and the statement that reads invites (reference/account-api.md §3).
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { dateTime } from '../../http/fields'
import { organizationInvites } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { shown } from '../../timestamps'
import { inviteHorizon } from '../invite-life'
import { MembershipLevel } from '../organization-record'
import { highestInviteLevel } from './standing'
import { UserSummary, userSummaryFrom, userSummarySql } from '../../auth/user-summary'

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

/** Invites, newest first. */
export const selectInvites = (db: Database, where: SQL | undefined) =>
  db
    .select({
      id: organizationInvites.id,
      targetEmail: organizationInvites.targetEmail,
      firstName: organizationInvites.firstName,
      level: organizationInvites.level,
      message: organizationInvites.message,
      createdBy: userSummarySql('organization_invites.created_by_id').as('created_by'),
      createdAt: organizationInvites.createdAt,
      updatedAt: organizationInvites.updatedAt,
    })
    .from(organizationInvites)
    .where(where)
    .orderBy(desc(organizationInvites.createdAt), desc(organizationInvites.id))

export type InviteRow = Awaited<ReturnType<typeof selectInvites>>[number]

/**
 * The invites of an organization that a member may know: those that they could have made. The id is as good as the membership: a member
 * who saw an invite for an admin could come in by it, and bring in others where only admins may.
 */
export const invitesWithin = (organizationId: string, userId: number): SQL =>
  and(
    eq(organizationInvites.organizationId, organizationId),
    sql`${organizationInvites.level} <= ${highestInviteLevel(organizationId, userId)}`,
  )!

/** The record of an invite. */
export const inviteRecordFrom = (row: InviteRow, now: Date): InviteRecord => ({
  id: row.id,
  target_email: row.targetEmail,
  first_name: row.firstName,
  emailing_attempt_made: false,
  level: row.level as InviteRecord['level'],
  is_expired: row.createdAt <= inviteHorizon(now),
  created_by: userSummaryFrom(row.createdBy),
  created_at: shown(row.createdAt),
  updated_at: shown(row.updatedAt),
  message: row.message,
  private_project_access: [],
  send_email: false,
  combine_pending_invites: false,
})
