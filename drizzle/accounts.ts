// Who exists: organizations, their projects, the users in them, and the keys that users call with.
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { boolean, json, timestamp } from './columns'

export const organizations = sqliteTable('organizations', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  slug: text('slug').notNull().unique(),
  membersCanUsePersonalApiKeys: boolean('members_can_use_personal_api_keys').notNull().default(true),
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
    /** Counts up with every change that evaluation can see, in the batch that makes it. */
    flagsGeneration: integer('flags_generation').notNull().default(0),
    /** How `exact` reads boolean-like filters: 1 legacy, 2 explicit. */
    propertyMatchingVersion: integer('property_matching_version').notNull().default(1),
    /** What the operator has stopped serving for the project: `feature_flags` answers SDKs without any flag. */
    quotaLimited: json<string[]>('quota_limited').notNull().default([]),
    createdAt: timestamp('created_at').notNull(),
  },
  (table) => [index('projects_organization').on(table.organizationId)],
)

export const users = sqliteTable('users', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  uuid: text('uuid').notNull().unique(),
  distinctId: text('distinct_id').notNull().unique(),
  /** Lower-cased. */
  email: text('email').notNull().unique(),
  firstName: text('first_name').notNull().default(''),
  lastName: text('last_name').notNull().default(''),
  passwordHash: text('password_hash'),
  /** Null: never asked (treated as verified). */
  isEmailVerified: boolean('is_email_verified'),
  isActive: boolean('is_active').notNull().default(true),
  isStaff: boolean('is_staff').notNull().default(false),
  roleAtOrganization: text('role_at_organization'),
  hedgehogConfig: json<Record<string, unknown> | null>('hedgehog_config'),
  currentProjectId: integer('current_project_id'),
  dateJoined: timestamp('date_joined').notNull(),
})

/** Membership levels are 1 (member), 8 (admin) and 15 (owner). */
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
    joinedAt: timestamp('joined_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.organizationId] }),
    index('memberships_organization').on(table.organizationId),
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
  },
  (table) => [
    uniqueIndex('personal_api_keys_secure_value').on(table.secureValue),
    index('personal_api_keys_user').on(table.userId),
  ],
)
