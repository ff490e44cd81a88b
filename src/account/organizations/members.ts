// The members of an organization as the API shows them.
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { dateTime } from '../../http/fields'
import { memberships, organizations } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { uuidOf } from '../../digest-uuid'
import { shown, shownOrNull } from '../../timestamps'
import { MembershipLevel } from '../organization-record'
import { UserSummary, userSummaryFrom, userSummarySql } from '../../auth/user-summary'

export const MemberRecord = z
  .object({
    id: z.uuid(),
    user: UserSummary,
    level: MembershipLevel,
    joined_at: dateTime(),
    updated_at: dateTime(),
    is_2fa_enabled: z.boolean(),
    has_social_auth: z.boolean(),
    last_login: dateTime().nullable(),
  })
  .meta({ id: 'OrganizationMember' })

/** Active members, in the order in which they joined. */
const selectMembers = (db: Database, where: SQL | undefined) =>
  db
    .select({
      organizationId: memberships.organizationId,
      user: userSummarySql('organization_memberships.user_id').as('user_summary'),
      level: memberships.level,
      joinedAt: memberships.joinedAt,
      updatedAt: memberships.updatedAt,
      hasTotp: sql<number>`EXISTS (SELECT 1 FROM totp_devices t
        WHERE t.user_id = organization_memberships.user_id)`.as('has_totp'),
      lastLogin: sql<string | null>`(SELECT u.last_login FROM users u
        WHERE u.id = organization_memberships.user_id)`.as('the_last_login'),
    })
    .from(memberships)
    .where(where)
    .orderBy(asc(memberships.joinedAt), asc(memberships.userId))

/** The statement that reads one member. */
export const selectMember = (db: Database, organizationId: string, userId: number) =>
  selectMembers(db, and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))

/** The statements that read a page of the active members: how many there are, and the page. */
export const selectMemberPage = (
  db: Database,
  organizationId: string,
  { limit, offset }: { limit: number; offset: number },
) => {
  const active = sql`${eq(memberships.organizationId, organizationId)}
    AND EXISTS (SELECT 1 FROM users u WHERE u.id = organization_memberships.user_id AND u.is_active)`
  return [
    db
      .select({ total: organizations.memberCount })
      .from(organizations)
      .where(eq(organizations.id, organizationId)),
    selectMembers(db, active).limit(limit).offset(offset),
  ] as const
}

type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number]

export type MemberRecord = z.output<typeof MemberRecord>

/** The record of a member. A membership has no id of its own: it is known by its organization and user. */
export function memberRecordFrom(row: MemberRow): MemberRecord {
  const user = userSummaryFrom(row.user)!
  return {
    id: uuidOf(`membership ${row.organizationId} ${user.uuid}`),
    user,
    level: row.level as MemberRecord['level'],
    joined_at: shown(row.joinedAt),
    updated_at: shown(row.updatedAt ?? row.joinedAt),
    is_2fa_enabled: Boolean(row.hasTotp),
    has_social_auth: false,
    last_login: shownOrNull(row.lastLogin),
  }
}
