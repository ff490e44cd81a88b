// Feature flags, attached objects, and the objects that depend on them.
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { FlagFilters } from '../src/flags/filters/flag-filters'
import { boolean, json, timestamp } from './columns'

export const featureFlags = sqliteTable(
  'feature_flags',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    projectId: integer('project_id').notNull(),
    key: text('key').notNull(),
    name: text('name').notNull().default(''),
    filters: json<FlagFilters>('filters').notNull(),
    active: boolean('active').notNull().default(true),
    archived: boolean('archived').notNull().default(false),
    deleted: boolean('deleted').notNull().default(false),
    version: integer('version').notNull().default(1),
    ensureExperienceContinuity: boolean('ensure_experience_continuity').default(false),
    rollbackConditions: json<unknown>('rollback_conditions'),
    performedRollback: boolean('performed_rollback'),
    hasEnrichedAnalytics: boolean('has_enriched_analytics').default(false),
    isRemoteConfiguration: boolean('is_remote_configuration').default(false),
    hasEncryptedPayloads: boolean('has_encrypted_payloads').default(false),
    evaluationRuntime: text('evaluation_runtime').default('all'),
    bucketingIdentifier: text('bucketing_identifier').default('distinct_id'),
    usageDashboardId: integer('usage_dashboard_id'),
    creationContext: text('creation_context').notNull().default('feature_flags'),
    folder: text('folder').notNull().default('Unfiled/Feature Flags'),
    /** As it was sent with the new flag. */
    shouldCreateUsageDashboard: boolean('should_create_usage_dashboard').notNull().default(true),
    createdById: integer('created_by_id'),
    lastModifiedById: integer('last_modified_by_id'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
    lastCalledAt: timestamp('last_called_at'),
    /** Key and name, lower-cased and with white space collapsed, U+001F between them: what `search` matches. */
    searchText: text('search_text').notNull(),
    /** Derived from `filters` at each write, so that lists filter on an index instead of parsing JSON. */
    variantCount: integer('variant_count').notNull().default(0),
    fullyRolledOut: boolean('fully_rolled_out').notNull().default(false),
    /** How far the flag is rolled out, and the variant at 100 %, for the report of a bulk delete. */
    rolloutState: text('rollout_state').notNull().default('partial'),
    decidedVariant: text('decided_variant'),
  },
  (table) => [
    uniqueIndex('feature_flags_key').on(table.projectId, table.key),
    // Carries every scalar that a list filters on: a filtered count walks this index and no rows.
    index('feature_flags_list').on(
      table.projectId,
      table.deleted,
      table.archived,
      table.createdAt,
      table.id,
      table.active,
      table.evaluationRuntime,
      table.createdById,
      table.variantCount,
      table.isRemoteConfiguration,
      table.lastCalledAt,
      table.fullyRolledOut,
    ),
    index('feature_flags_updated').on(table.projectId, table.deleted, table.updatedAt),
    // Deleted flags keep a key of their own, which feature_flags_key has too.
    index('feature_flags_live_key').on(table.projectId, table.deleted, table.key),
    index('feature_flags_name').on(table.projectId, table.deleted, table.name),
  ],
)

const flagId = () =>
  integer('flag_id')
    .notNull()
    .references(() => featureFlags.id, { onDelete: 'cascade' })

export const flagTags = sqliteTable(
  'flag_tags',
  { flagId: flagId(), projectId: integer('project_id').notNull(), name: text('name').notNull() },
  (table) => [
    primaryKey({ columns: [table.flagId, table.name] }),
    index('flag_tags_name').on(table.projectId, table.name, table.flagId),
  ],
)

/** Where a flag may evaluate: a namespace of its own, not tags. */
export const flagEvaluationContexts = sqliteTable(
  'flag_evaluation_contexts',
  { flagId: flagId(), projectId: integer('project_id').notNull(), name: text('name').notNull() },
  (table) => [primaryKey({ columns: [table.flagId, table.name] })],
)

/** The flags that a flag's conditions look at. Derived from `filters` at each write. */
export const flagDependencies = sqliteTable(
  'flag_dependencies',
  { flagId: flagId(), dependsOnId: integer('depends_on_id').notNull() },
  (table) => [
    primaryKey({ columns: [table.flagId, table.dependsOnId] }),
    index('flag_dependencies_target').on(table.dependsOnId),
  ],
)

/** The cohorts that a flag's conditions look at. Derived from `filters` at each write. */
export const flagCohorts = sqliteTable(
  'flag_cohorts',
  { flagId: flagId(), cohortId: integer('cohort_id').notNull() },
  (table) => [
    primaryKey({ columns: [table.flagId, table.cohortId] }),
    index('flag_cohorts_cohort').on(table.cohortId),
  ],
)

export const flagDashboards = sqliteTable(
  'flag_dashboards',
  { flagId: flagId(), dashboardId: integer('dashboard_id').notNull() },
  (table) => [primaryKey({ columns: [table.flagId, table.dashboardId] })],
)

export const experiments = sqliteTable(
  'experiments',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    projectId: integer('project_id').notNull(),
    name: text('name').notNull(),
    /** The lower-cased name, for `search`. */
    searchName: text('search_name').notNull(),
    flagId: integer('flag_id').notNull(),
    deleted: boolean('deleted').notNull().default(false),
    startDate: timestamp('start_date'),
    endDate: timestamp('end_date'),
  },
  (table) => [
    index('experiments_flag').on(table.flagId),
    index('experiments_project').on(table.projectId, table.deleted),
  ],
)

export const earlyAccessFeatures = sqliteTable(
  'early_access_features',
  {
    id: text('id').primaryKey(),
    projectId: integer('project_id').notNull(),
    name: text('name').notNull(),
    stage: text('stage').notNull(),
    flagId: integer('flag_id').notNull(),
  },
  (table) => [index('early_access_features_flag').on(table.flagId)],
)

export const surveys = sqliteTable(
  'surveys',
  {
    id: text('id').primaryKey(),
    projectId: integer('project_id').notNull(),
    name: text('name').notNull(),
    linkedFlagId: integer('linked_flag_id').notNull(),
  },
  (table) => [index('surveys_flag').on(table.linkedFlagId)],
)
