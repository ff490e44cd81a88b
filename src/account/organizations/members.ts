// Who is in an organization.
import { asc, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { dateTime } from '../../http/fields'
import { memberships } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { shown } from '../../timestamps'
import { MembershipLevel } from '../organization-record'
import { UserSummary, userSummaryFrom, userSummarySql } from '../user-summary'

export const MemberRecord = z
  .object({
    user: UserSummary,
    level: MembershipLevel,
    joined_at: dateTime(),
    updated_at: dateTime(),
    is_2fa_enabled: z.boolean(),
    has_social_auth: z.boolean(),
  })
  .meta({ id: 'OrganizationMember' })

/** The statements that read a page of the active members, in the order in which they joined: how many there are, and the page. */
export const selectMemberPage = (
  db: Database,
  organizationId: string,
  { limit, offset }: { limit: number; offset: number },
) => {
  const active = sql`${eq(memberships.organizationId, organizationId)}
    AND EXISTS (SELECT 1 FROM users u WHERE u.id = organization_memberships.user_id AND u.is_active)`
  return [
    db
      .select({ total: sql<number>`count(*)`.as('total') })
      .from(memberships)
      .where(active),
    db
      .select({
        user: userSummarySql('organization_memberships.user_id').as('user_summary'),
        level: memberships.level,
        joinedAt: memberships.joinedAt,
        updatedAt: memberships.updatedAt,
        hasTotp: sql<number>`EXISTS (SELECT 1 FROM totp_devices t
          WHERE t.user_id = organization_memberships.user_id)`.as('has_totp'),
      })
      .from(memberships)
      .where(active)
      .orderBy(asc(memberships.joinedAt), asc(memberships.userId))
      .limit(limit)
      .offset(offset),
  ] as const
}

type MemberRow = Awaited<ReturnType<typeof selectMemberPage>[1]>[number]

/** The record of a member. */
export const memberRecordFrom = (row: MemberRow): z.output<typeof MemberRecord> => ({
  user: userSummaryFrom(row.user)!,
  level: row.level as z.output<typeof MembershipLevel>,
  joined_at: shown(row.joinedAt),
  updated_at: shown(row.updatedAt ?? row.joinedAt),
  is_2fa_enabled: Boolean(row.hasTotp),
  has_social_auth: false,
})
