// Who exists: organizations, their projects, the users in them, and the keys that users call with. sessions.ts has how they sign in.
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { boolean, json, timestamp } from './columns'

export const organizations = sqliteTable('organizations', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  slug: text('slug').notNull().unique(),
  logoMediaId: text('logo_media_id'),
  /** What every member may do, not only admins. */
  membersCanInvite: boolean('members_can_invite').notNull().default(true),
  membersCanCreateProjects: boolean('members_can_create_projects').notNull().default(false),
  membersCanUsePersonalApiKeys: boolean('members_can_use_personal_api_keys').notNull().default(true),
  /** Null: not set; nothing is enforced. */
  enforce2fa: boolean('enforce_2fa'),
  /** Null: not set; counts as no. */
  isAiDataProcessingApproved: boolean('is_ai_data_processing_approved'),
  /** Only an explicit false closes an organization. */
  isActive: boolean('is_active').default(true),
  isNotActiveReason: text('is_not_active_reason'),
  /** Active members, and projects. Kept by triggers. */
  memberCount: integer('member_count').notNull().default(0),
  projectCount: integer('project_count').notNull().default(0),
  createdAt: timestamp('created_at').notNull(),
  updatedAt: timestamp('updated_at').notNull(),
})

/** A project is also its environment: both share this id. */
export const projects = sqliteTable(
  'projects',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    uuid: text('uuid').notNull().unique(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    name: text('name').notNull(),
    /** The public token (`phc_…`) that SDKs send. */
    apiToken: text('api_token').notNull().unique(),
    timezone: text('timezone').notNull().default('UTC'),
    requireEvaluationContexts: boolean('require_evaluation_contexts').notNull().default(false),
    /** The flag that decides which sessions are recorded; it may not be deleted while it does. */
    sessionRecordingLinkedFlagId: integer('session_recording_linked_flag_id'),
    /** Flags that are not deleted. Kept by triggers on feature_flags, so that the limit costs one row to check. */
    liveFlagCount: integer('live_flag_count').notNull().default(0),
    /** Those of them that are archived; endpoints that are not deleted; persons. Kept by triggers, so that lists need not count. */
    archivedFlagCount: integer('archived_flag_count').notNull().default(0),
    endpointCount: integer('endpoint_count').notNull().default(0),
    personCount: integer('person_count').notNull().default(0),
    /** Bytes of memory of flags and cohorts that are not deleted (src/snapshots/definition-quota.ts). Kept by triggers, too. */
    definitionBytes: integer('definition_bytes').notNull().default(0),
    /** Counts up with every change that evaluation can see, in the batch that makes it. */
    flagsGeneration: integer('flags_generation').notNull().default(0),
    /** How `exact` reads boolean-like filters: 1 legacy, 2 explicit. */
    propertyMatchingVersion: integer('property_matching_version').notNull().default(1),
    /** What the operator has stopped serving for the project: `feature_flags` answers SDKs without any flag. */
    quotaLimited: json<string[]>('quota_limited').notNull().default([]),
    /** Binding of the analytics shard that holds the project's events and results. Never changes. */
    shard: text('shard').notNull().default('EVENTS'),
    /** Engine of the project's saved queries and store of its events: the shard, or the deployment's ClickHouse server. */
    queryEngine: text('query_engine').$type<'d1' | 'clickhouse'>().notNull().default('d1'),
    /** Whether an event was ever captured. */
    ingestedEvent: boolean('ingested_event').notNull().default(false),
    /** Goes up with every batch that writes persons, distinct ids, groups or cohort members. */
    peopleVersion: integer('people_version').notNull().default(0),
    createdAt: timestamp('created_at').notNull(),
  },
  (table) => [index('projects_organization').on(table.organizationId)],
)

export const users = sqliteTable(
  'users',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    uuid: text('uuid').notNull().unique(),
    distinctId: text('distinct_id').notNull().unique(),
    /** Lower-cased. */
    email: text('email').notNull().unique(),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    passwordHash: text('password_hash'),
    /** Null: not confirmed; signing in does not require it. */
    isEmailVerified: boolean('is_email_verified'),
    isActive: boolean('is_active').notNull().default(true),
    isStaff: boolean('is_staff').notNull().default(false),
    roleAtOrganization: text('role_at_organization'),
    hedgehogConfig: json<Record<string, unknown> | null>('hedgehog_config'),
    /** Where the user works; null: the first organization and project that they reach. */
    currentOrganizationId: text('current_organization_id'),
    currentProjectId: integer('current_project_id'),
    /** An address that waits to be confirmed. */
    pendingEmail: text('pending_email'),
    /** Only what differs from the defaults. */
    notificationSettings: json<Record<string, unknown>>('notification_settings').notNull().default({}),
    anonymizeData: boolean('anonymize_data').default(false),
    /** Only an explicit false opts out. */
    allowImpersonation: boolean('allow_impersonation').default(true),
    toolbarMode: text('toolbar_mode').default('toolbar'),
    eventsColumnConfig: json<unknown>('events_column_config').default({ active: 'DEFAULT' }),
    hasSeenProductIntroFor: json<unknown>('has_seen_product_intro_for'),
    themeMode: text('theme_mode'),
    allowSidebarSuggestions: boolean('allow_sidebar_suggestions'),
    shortcutPosition: text('shortcut_position'),
    passkeysEnabledFor2fa: boolean('passkeys_enabled_for_2fa').default(false),
    hideMcpHints: boolean('hide_mcp_hints').notNull().default(false),
    credentialsReviewedAt: timestamp('credentials_reviewed_at'),
    onboardingSkippedAt: timestamp('onboarding_skipped_at'),
    /** `delegated`, `later` or `other`. */
    onboardingSkippedReason: text('onboarding_skipped_reason'),
    onboardingSkippedOrganizationId: text('onboarding_skipped_organization_id'),
    /** The invite of the person who was asked to do the setting up; it may be gone by now. */
    onboardingDelegatedToInvite: text('onboarding_delegated_to_invite'),
    onboardingDelegatedToOrganizationId: text('onboarding_delegated_to_organization_id'),
    onboardingDelegationAcceptedAt: timestamp('onboarding_delegation_accepted_at'),
    dateJoined: timestamp('date_joined').notNull(),
    /** Null: never. */
    lastLogin: timestamp('last_login'),
  },
  (table) => [index('users_delegation').on(table.onboardingDelegatedToInvite)],
)

/** Membership levels are 0 (viewer), 1 (member), 8 (admin) and 15 (owner). */
export const memberships = sqliteTable(
  'organization_memberships',
  {
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    level: integer('level').notNull().default(1),
    /** Null: the organization's first user, or a user that the setup command added. */
    invitedById: integer('invited_by_id'),
    joinedAt: timestamp('joined_at').notNull(),
    /** Null: since joining. */
    updatedAt: timestamp('updated_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.organizationId] }),
    index('memberships_organization_page').on(table.organizationId, table.joinedAt, table.userId),
    index('memberships_level').on(table.organizationId, table.level),
  ],
)

/** A way into an organization. Lives three days; the id is the secret. */
export const organizationInvites = sqliteTable(
  'organization_invites',
  {
    /** A random UUID, not one that time gives away. */
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    /** Lower-cased. */
    targetEmail: text('target_email').notNull(),
    firstName: text('first_name').notNull().default(''),
    level: integer('level').notNull().default(1),
    message: text('message'),
    /** Whether the invited user does the onboarding for `createdById`. */
    isSetupDelegation: boolean('is_setup_delegation').notNull().default(false),
    createdById: integer('created_by_id').references(() => users.id),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (table) => [
    index('organization_invites_page').on(table.organizationId, table.createdAt, table.id, table.level),
    index('organization_invites_email').on(table.targetEmail, table.createdAt),
  ],
)

export const personalApiKeys = sqliteTable(
  'personal_api_keys',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    label: text('label').notNull(),
    description: text('description'),
    /** `sha256$` and the hex digest of the whole key: the key itself is never stored. */
    secureValue: text('secure_value').notNull(),
    maskValue: text('mask_value').notNull(),
    scopes: json<string[]>('scopes').notNull(),
    /** Empty: every project that the user can reach. */
    scopedTeams: json<number[]>('scoped_teams').notNull(),
    /** Empty: every organization of the user. */
    scopedOrganizations: json<string[]>('scoped_organizations').notNull(),
    createdAt: timestamp('created_at').notNull(),
    lastUsedAt: timestamp('last_used_at'),
    lastRolledAt: timestamp('last_rolled_at'),
  },
  (table) => [
    uniqueIndex('personal_api_keys_secure_value').on(table.secureValue),
    index('personal_api_keys_user').on(table.userId),
  ],
)

/** Which dashboard a user wants to see in a scene, per project. */
export const scenePersonalisations = sqliteTable(
  'scene_personalisations',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    projectId: integer('project_id')
      .notNull()
      .references(() => projects.id),
    scene: text('scene').notNull(),
    dashboardId: integer('dashboard_id').notNull(),
  },
  (table) => [uniqueIndex('scene_personalisations_scene').on(table.userId, table.projectId, table.scene)],
)
