import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { dateTime } from '../../http/fields'
import { memberships, organizations } from '../../../drizzle'
import { page, type PageQuery } from '../../http/pagination'
import { asBoolean } from '../../storage/columns'
import { totalIn } from '../../storage/count'
import type { Database } from '../../storage/database'
import { uuidOf } from '../../digest-uuid'
import { toApiTimestamp, toApiTimestampOrNull } from '../../timestamps'
import { hasIdentity } from '../single-sign-on/enforcement'
import { levelsText, MembershipLevel, STARTED_AT } from './organization-record'
import { UserSummary, userSummarySql } from '../../http/user-summary'

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

export const MemberRecordDocs = (): SchemaDocs => ({
  description: 'A member of an organization.',
  fields: {
    id: 'Id of the membership. Paths take the uuid of the user.',
    user: 'The user.',
    level: `${levelsText()}.`,
    joined_at: 'When the user joined. ISO 8601, UTC.',
    updated_at: 'When the level last changed, else when the user joined. ISO 8601, UTC.',
    is_2fa_enabled: 'Whether the user has a second factor.',
    has_social_auth: 'Whether the user signs in with single sign-on.',
    last_login: 'When the user last signed in. ISO 8601, UTC. Null if never recorded.',
  },
  example: {
    id: 'c2f0e6d4-7a8b-8c11-a1f2-6f0b6f6e2a90',
    level: 15,
    joined_at: STARTED_AT,
    updated_at: STARTED_AT,
    is_2fa_enabled: true,
    last_login: '2026-04-01T08:50:00Z',
  },
})

/** Selects members in the order of joining. */
const selectMembers = (db: Database, where: SQL | undefined) =>
  db
    .select({
      organizationId: memberships.organizationId,
      user: userSummarySql('organization_memberships.user_id').as('user_summary'),
      level: memberships.level,
      joinedAt: memberships.joinedAt,
      updatedAt: memberships.updatedAt,
      hasTotp: asBoolean(sql`EXISTS (SELECT 1 FROM totp_devices t
        WHERE t.user_id = organization_memberships.user_id)`).as('has_totp'),
      hasIdentity: hasIdentity(sql`organization_memberships.user_id`).as('has_identity'),
      lastLogin: sql<string | null>`(SELECT u.last_login FROM users u
        WHERE u.id = organization_memberships.user_id)`.as('the_last_login'),
    })
    .from(memberships)
    .where(where)
    .orderBy(asc(memberships.joinedAt), asc(memberships.userId))

export const selectMember = (db: Database, organizationId: string, userId: number) =>
  selectMembers(db, and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))

/** Lists a page of the active members. */
export async function listMembers(db: Database, organizationId: string, query: PageQuery, url: URL) {
  const active = sql`${eq(memberships.organizationId, organizationId)}
    AND EXISTS (SELECT 1 FROM users u WHERE u.id = organization_memberships.user_id AND u.is_active)`
  const [counts, rows] = await db.batch([
    db
      .select({ total: organizations.memberCount })
      .from(organizations)
      .where(eq(organizations.id, organizationId)),
    selectMembers(db, active).limit(query.limit).offset(query.offset),
  ])
  return page(url, query, totalIn(counts), rows.map(memberRecordFrom))
}

type MemberRow = Awaited<ReturnType<typeof selectMembers>>[number]

export type MemberRecord = z.output<typeof MemberRecord>

/** Returns the record of a member. The id of a membership is not stored, but derived from organization and user. */
export function memberRecordFrom(row: MemberRow): MemberRecord {
  const user = row.user!
  return {
    id: uuidOf(`membership ${row.organizationId} ${user.uuid}`),
    user,
    level: row.level as MemberRecord['level'],
    joined_at: toApiTimestamp(row.joinedAt),
    updated_at: toApiTimestamp(row.updatedAt ?? row.joinedAt),
    is_2fa_enabled: row.hasTotp,
    has_social_auth: row.hasIdentity,
    last_login: toApiTimestampOrNull(row.lastLogin),
  }
}
