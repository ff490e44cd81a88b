// An organization as its members see it: the whole object, and the summary that a user lists theirs with (reference/account-api.md §8.6).
import { and, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { dateTime } from '../http/fields'
import { memberships, organizations } from '../../drizzle'
import type { Database } from '../storage/database'
import { shown } from '../timestamps'
import { TeamRecord, teamRecordFrom, type TeamRow } from './team-record'

export const MembershipLevel = z.literal([1, 8, 15])

export const OrganizationSummary = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    logo_media_id: z.uuid().nullable(),
    membership_level: MembershipLevel,
    members_can_use_personal_api_keys: z.boolean(),
    is_active: z.boolean().nullable(),
    is_not_active_reason: z.string().nullable(),
    is_pending_deletion: z.boolean(),
  })
  .meta({ id: 'OrganizationSummary' })

export const OrganizationRecord = z
  .object({
    ...OrganizationSummary.shape,
    created_at: dateTime(),
    updated_at: dateTime(),
    plugins_access_level: z.int(),
    teams: z.array(TeamRecord),
    projects: z.array(z.object({ id: z.int(), organization_id: z.uuid(), name: z.string() })),
    available_product_features: z.array(z.record(z.string(), z.unknown())).nullable(),
    is_member_join_email_enabled: z.boolean(),
    metadata: z.record(z.string(), z.string()),
    customer_id: z.string().nullable(),
    enforce_2fa: z.boolean().nullable(),
    members_can_invite: z.boolean(),
    members_can_create_projects: z.boolean(),
    allow_publicly_shared_resources: z.boolean(),
    member_count: z.int(),
    is_ai_data_processing_approved: z.boolean().nullable(),
    is_ai_training_opted_in: z.boolean(),
    is_ai_training_locked: z.boolean(),
    is_ai_training_cta_shown: z.boolean(),
    is_hipaa: z.boolean(),
    default_experiment_stats_method: z.string(),
    default_anonymize_ips: z.boolean(),
    default_role_id: z.string().nullable(),
  })
  .meta({ id: 'Organization' })

export type OrganizationSummary = z.output<typeof OrganizationSummary>
export type OrganizationRecord = z.output<typeof OrganizationRecord>

/** Organizations with one user's membership in each, in the order in which they joined. */
export const selectOrganizations = (db: Database, userId: number, where?: SQL) =>
  db
    .select({
      id: organizations.id,
      name: organizations.name,
      slug: organizations.slug,
      logoMediaId: organizations.logoMediaId,
      membersCanInvite: organizations.membersCanInvite,
      membersCanCreateProjects: organizations.membersCanCreateProjects,
      membersCanUsePersonalApiKeys: organizations.membersCanUsePersonalApiKeys,
      enforce2fa: organizations.enforce2fa,
      isAiDataProcessingApproved: organizations.isAiDataProcessingApproved,
      isActive: organizations.isActive,
      isNotActiveReason: organizations.isNotActiveReason,
      createdAt: organizations.createdAt,
      updatedAt: sql<string>`${organizations.updatedAt}`.as('organization_updated_at'),
      level: memberships.level,
      invitedById: memberships.invitedById,
      memberCount: organizations.memberCount,
    })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.userId, userId), where))
    .orderBy(memberships.joinedAt, memberships.organizationId)

export type OrganizationRow = Awaited<ReturnType<typeof selectOrganizations>>[number]

type Level = z.output<typeof MembershipLevel>

/** The nine fields of the summary. */
export const organizationSummaryFrom = (row: OrganizationRow): OrganizationSummary => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  logo_media_id: row.logoMediaId,
  membership_level: row.level as Level,
  members_can_use_personal_api_keys: row.membersCanUsePersonalApiKeys,
  is_active: row.isActive,
  is_not_active_reason: row.isNotActiveReason,
  is_pending_deletion: false,
})

/**
 * The whole object. What Halyard has no notion of (plans, plugins, roles, experiments) has the value that the reference gives a new
 * organization.
 * @param teams the rows of the organization's projects.
 */
export function organizationRecordFrom(row: OrganizationRow, teams: readonly TeamRow[]): OrganizationRecord {
  return {
    ...organizationSummaryFrom(row),
    created_at: shown(row.createdAt),
    updated_at: shown(row.updatedAt),
    plugins_access_level: 3,
    teams: teams.map(teamRecordFrom),
    projects: teams.map(({ id, name }) => ({ id, organization_id: row.id, name })),
    available_product_features: null,
    is_member_join_email_enabled: true,
    metadata: { instance_tag: 'none' },
    customer_id: null,
    enforce_2fa: row.enforce2fa,
    members_can_invite: row.membersCanInvite,
    members_can_create_projects: row.membersCanCreateProjects,
    allow_publicly_shared_resources: true,
    member_count: row.memberCount,
    is_ai_data_processing_approved: row.isAiDataProcessingApproved,
    is_ai_training_opted_in: true,
    is_ai_training_locked: false,
    is_ai_training_cta_shown: true,
    is_hipaa: false,
    default_experiment_stats_method: 'bayesian',
    default_anonymize_ips: false,
    default_role_id: null,
  }
}
