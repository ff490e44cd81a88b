// An organization as a member sees it: full record and summary (docs/reference/accounts.md#user-record).
import { and, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { type Level, LEVELS } from '../../auth/actor'
import { dateTime } from '../../http/fields'
import { memberships, organizations } from '../../../drizzle'
import { columnsIn } from '../../storage/columns'
import type { Database } from '../../storage/database'
import { organization, project } from '../../http/docs/examples'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { toApiTimestamp } from '../../timestamps'
import { TeamRecord, teamRecordFrom, type TeamRow } from './team-record'

export const MembershipLevel = z.literal([...LEVELS])

export const levelsText = () => '0 viewer, 1 member, 8 admin, 15 owner'

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

const details = z.object({
  created_at: dateTime(),
  updated_at: dateTime(),
  plugins_access_level: z.int(),
  teams: z.array(TeamRecord),
  projects: z.array(z.object({ id: z.int(), organization_id: z.uuid(), name: z.string() })),
  available_product_features: z.array(z.record(z.string(), z.unknown())),
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

export const OrganizationRecord = z
  .object({ ...OrganizationSummary.shape, ...details.shape })
  .meta({ id: 'Organization' })

/** Values of unsupported features (plans, plugins, roles, experiments), which are those of a new organization upstream. */
const UNSUPPORTED = {
  plugins_access_level: 3,
  available_product_features: [],
  is_member_join_email_enabled: true,
  metadata: { instance_tag: 'none' },
  customer_id: null,
  allow_publicly_shared_resources: true,
  is_ai_training_opted_in: true,
  is_ai_training_locked: false,
  is_ai_training_cta_shown: true,
  is_hipaa: false,
  default_experiment_stats_method: 'bayesian',
  default_anonymize_ips: false,
  default_role_id: null,
}

/** Settings that an admin can change. */
export const settingFields = () => ({
  members_can_invite: 'Whether members below admin can invite people. Viewers never can.',
  members_can_create_projects: 'Whether members below admin can create projects. Viewers never can.',
  members_can_use_personal_api_keys:
    'Whether personal API keys of members below admin work in the organization.',
  enforce_2fa:
    'Whether members must have a second factor before their sessions can do anything else. Null counts as no.',
  is_ai_data_processing_approved:
    'Whether queries may be sent to an AI model, as materialization suggestions do. Null counts as no.',
})

const summaryFields = () => ({
  id: 'Id of the organization.',
  name: 'Name, at most 64 characters.',
  slug: 'Unique slug from the original name. It never changes.',
  logo_media_id: 'Always null: there are no logos.',
  membership_level: `Level of the caller: ${levelsText()}.`,
  members_can_use_personal_api_keys: settingFields().members_can_use_personal_api_keys,
  is_active: 'As stored. It has no effect, and no operation sets it. Null counts as true.',
  is_not_active_reason: 'As stored, like `is_active`. Null without a reason.',
  is_pending_deletion: 'Always false: organizations cannot be deleted.',
})

const summaryExample = () => ({
  ...organization,
  membership_level: 15,
  members_can_use_personal_api_keys: true,
  is_active: true,
})

export const OrganizationSummaryDocs = (): SchemaDocs => ({
  description: 'An organization in the list of a user.',
  fields: summaryFields(),
  example: summaryExample(),
})

export const OrganizationRecordDocs = (): SchemaDocs => ({
  description: 'An organization, as a member sees it.',
  fields: {
    ...summaryFields(),
    ...settingFields(),
    created_at: 'When the organization was created. ISO 8601, UTC.',
    updated_at: 'When the organization last changed. ISO 8601, UTC.',
    plugins_access_level: 'Always 3: there are no plugins.',
    teams: 'Full records of its projects, by id. Every member has access to all.',
    projects: 'The same projects, short.',
    'projects.id': 'Id of the project.',
    'projects.organization_id': 'Id of this organization.',
    'projects.name': 'Name of the project.',
    available_product_features: 'Always empty: there are no plans.',
    is_member_join_email_enabled: 'Always true, though the service sends no email.',
    metadata: 'Facts about the deployment: `instance_tag`, always `none`.',
    customer_id: 'Always null: there is no billing.',
    allow_publicly_shared_resources: 'Always true; there is no sharing.',
    member_count: 'Number of active members.',
    is_ai_training_opted_in: 'Always true; no model is trained.',
    is_ai_training_locked: 'Always false.',
    is_ai_training_cta_shown: 'Always true, so that clients do not ask.',
    is_hipaa: 'Always false.',
    default_experiment_stats_method: 'Always `bayesian`: there are no experiments.',
    default_anonymize_ips: 'Always false.',
    default_role_id: 'Always null: there are no roles.',
  },
  example: organizationExample(),
})

/** The time at which the organization of the examples was created. */
export const STARTED_AT = '2026-03-20T08:28:45.440000Z'

export const organizationExample = () => ({
  ...summaryExample(),
  ...UNSUPPORTED,
  created_at: STARTED_AT,
  updated_at: STARTED_AT,
  projects: [{ id: project.id, organization_id: organization.id, name: project.name }],
  members_can_invite: true,
  member_count: 2,
  is_ai_data_processing_approved: true,
})

export type OrganizationSummary = z.output<typeof OrganizationSummary>
export type OrganizationRecord = z.output<typeof OrganizationRecord>

/** Selects the organizations of a user, with the membership in each, in the order of joining. */
export const selectOrganizations = (db: Database, userId: number, where?: SQL) =>
  db
    .select({
      summary: {
        ...columnsIn(organizations, OrganizationSummary.shape),
        membership_level: sql<Level>`${memberships.level}`.as('membership_level'),
      },
      details: columnsIn(organizations, details.shape),
      invitedById: memberships.invitedById,
    })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.userId, userId), where))
    .orderBy(memberships.joinedAt, memberships.organizationId)

export type OrganizationRow = Awaited<ReturnType<typeof selectOrganizations>>[number]

export const organizationSummaryFrom = ({ summary }: OrganizationRow): OrganizationSummary => ({
  ...summary,
  is_pending_deletion: false,
})

/** @param teams the organization's projects */
export const organizationRecordFrom = (
  row: OrganizationRow,
  teams: readonly TeamRow[],
): OrganizationRecord => ({
  ...organizationSummaryFrom(row),
  ...row.details,
  ...UNSUPPORTED,
  created_at: toApiTimestamp(row.details.created_at),
  updated_at: toApiTimestamp(row.details.updated_at),
  teams: teams.map(teamRecordFrom),
  projects: teams.map(({ id, name }) => ({ id, organization_id: row.summary.id, name })),
})
