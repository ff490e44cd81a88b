// Saved queries: endpoints, their versions, and the variables that they read. What their runs produce is in drizzle/events/results.ts.
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { CompiledVersion } from '../src/endpoints/compile/compiled-version'
import type { Eligibility, CompiledRead } from '../src/endpoints/materialization/compiled-read'
import type { EndpointQuery, VariableType } from '../src/endpoints/query/query-types'
import type { ActionStep } from '../src/hogql/resolve/filters/action-steps'
import type { ColumnType } from '../src/hogql/types'
import { boolean, json, timestamp } from './columns'

export const endpoints = sqliteTable(
  'endpoints',
  {
    id: text('id').primaryKey(),
    projectId: integer('project_id').notNull(),
    name: text('name').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    deleted: boolean('deleted').notNull().default(false),
    derivedFromInsight: text('derived_from_insight'),
    currentVersion: integer('current_version').notNull(),
    createdById: integer('created_by_id'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
    /** When a key last ran it; written at most every 30 minutes. */
    lastExecutedAt: timestamp('last_executed_at'),
  },
  (table) => [
    uniqueIndex('endpoints_name')
      .on(table.projectId, table.name)
      .where(sql`deleted = 0`),
    // Carries what a list filters on: a filtered count walks this index and no rows.
    index('endpoints_page').on(
      table.projectId,
      table.deleted,
      table.createdAt,
      table.id,
      table.isActive,
      table.createdById,
    ),
  ],
)

/** The query of a row never changes; its other fields may. Retention deletes old rows. */
export const endpointVersions = sqliteTable(
  'endpoint_versions',
  {
    id: text('id').primaryKey(),
    endpointId: text('endpoint_id')
      .notNull()
      .references(() => endpoints.id, { onDelete: 'cascade' }),
    projectId: integer('project_id').notNull(),
    version: integer('version').notNull(),
    /** As it is shown: with every key of its kind. */
    query: json<EndpointQuery>('query').notNull(),
    /** The compiled query; stale when its inputs have changed (`isStaleSql`), and then compiled again with the columns. */
    compiled: json<CompiledVersion | null>('compiled'),
    /** Counts how often it was compiled again: stored answers of an earlier compilation no longer count. */
    compilation: integer('compilation').notNull().default(0),
    columns: json<{ name: string; type: ColumnType }[]>('columns').notNull(),
    description: text('description').notNull().default(''),
    dataFreshnessSeconds: integer('data_freshness_seconds').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    optionalBreakdownProperties: json<string[]>('optional_breakdown_properties').notNull(),
    bucketOverrides: json<Record<string, string> | null>('bucket_overrides'),
    /** Whether its rows could be materialized, as far as that was looked into. */
    eligibility: json<Eligibility | null>('eligibility'),
    createdById: integer('created_by_id'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at'),
    lastExecutedAt: timestamp('last_executed_at'),
  },
  (table) => [uniqueIndex('endpoint_versions_number').on(table.endpointId, table.version)],
)

/** Versions whose rows are kept ready in tables of their own: a row from when that is asked for until it is given up. */
export const endpointMaterializations = sqliteTable(
  'endpoint_materializations',
  {
    versionId: text('version_id')
      .primaryKey()
      .references(() => endpointVersions.id, { onDelete: 'cascade' }),
    endpointId: text('endpoint_id').notNull(),
    projectId: integer('project_id').notNull(),
    /** Its tables are named by it. */
    id: text('id').notNull(),
    enabledAt: timestamp('enabled_at').notNull(),
    status: text('status').$type<'Running' | 'Completed' | 'Failed' | 'Cancelled' | 'Modified'>(),
    /** What went wrong last; empty when nothing did. */
    error: text('error').notNull().default(''),
    /** Goes up whenever something else is to be built: a build of an earlier one is followed by another. */
    revision: integer('revision').notNull().default(1),
    /** When to build (again); null while it sleeps. */
    nextBuildAt: timestamp('next_build_at'),
    /** Builds that failed since one went well. */
    failures: integer('failures').notNull().default(0),
    /** When a build last ended, well or badly. */
    lastRunAt: timestamp('last_run_at'),
    /** When it was paused because the version was not run. */
    hibernatedAt: timestamp('hibernated_at'),
    /** Numbers that tables were given: each has its own. */
    generations: integer('generations').notNull().default(0),
    /** The table that runs read; null when there is none. */
    generation: integer('generation'),
    plan: json<CompiledRead | null>('plan'),
    /** The moment that its rows are of. */
    lastMaterializedAt: timestamp('last_materialized_at'),
    rowCount: integer('row_count'),
    /** The table that is being written; null when none is. */
    building: integer('building'),
    /** The release before this one continues the build of a plan. Null, and dropped with the next release. */
    buildPlan: json<null>('build_plan'),
    /** Token and expiry of the build's lease. */
    buildToken: text('build_token'),
    buildUntil: timestamp('build_until'),
  },
  (table) => [
    index('endpoint_materializations_endpoint').on(table.endpointId),
    index('endpoint_materializations_due').on(table.nextBuildAt),
  ],
)

export const endpointTags = sqliteTable(
  'endpoint_tags',
  {
    endpointId: text('endpoint_id')
      .notNull()
      .references(() => endpoints.id, { onDelete: 'cascade' }),
    projectId: integer('project_id').notNull(),
    name: text('name').notNull(),
  },
  (table) => [primaryKey({ columns: [table.endpointId, table.name] })],
)

/** Variables that a project's queries share, by the code name that stands in their text. */
export const queryVariables = sqliteTable(
  'query_variables',
  {
    id: text('id').primaryKey(),
    projectId: integer('project_id').notNull(),
    name: text('name').notNull(),
    codeName: text('code_name').notNull(),
    type: text('type').$type<VariableType>().notNull(),
    defaultValue: json<unknown>('default_value'),
    /** The choices of a List. */
    values: json<unknown[] | null>('allowed_values'),
    createdById: integer('created_by_id'),
    createdAt: timestamp('created_at').notNull(),
  },
  (table) => [uniqueIndex('query_variables_code_name').on(table.projectId, table.codeName)],
)

/** Named conditions on events. Compiled queries have the steps written out. */
export const actions = sqliteTable(
  'actions',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    projectId: integer('project_id').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    tags: json<string[]>('tags').notNull().default([]),
    steps: json<ActionStep[]>('steps').notNull().default([]),
    deleted: boolean('deleted').notNull().default(false),
    /** Counts its changes: queries that were compiled with another one are stale. */
    revision: integer('revision').notNull().default(1),
    pinnedAt: timestamp('pinned_at'),
    createdById: integer('created_by_id'),
    createdAt: timestamp('created_at').notNull(),
  },
  (table) => [index('actions_name').on(table.projectId, table.name)],
)

/**
 * Properties and names of events that were captured. The first value of a property decides its type: queries turn its text into
 * that.
 */
export const propertyDefinitions = sqliteTable(
  'property_definitions',
  {
    projectId: integer('project_id').notNull(),
    /** Whose property: `event`, `person`, or `group_<n>`. The name of an event: `event_name`. */
    owner: text('owner').notNull(),
    name: text('name').notNull(),
    /** `String` for names of events. */
    type: text('type').$type<'Numeric' | 'Boolean' | 'DateTime' | 'String'>().notNull(),
    description: text('description').notNull().default(''),
    tags: json<string[]>('tags').notNull().default([]),
    verified: boolean('verified').notNull().default(false),
    hidden: boolean('hidden').notNull().default(false),
    /** When it was first captured; null for one from before this was stored. */
    createdAt: timestamp('created_at'),
    /** When a user last changed it. */
    updatedAt: timestamp('updated_at'),
    /**
     * A random UUID; a trigger gives one to rows that an earlier release adds. SQLite has no digests, and a lookup by a digest of the name
     * would read all names.
     */
    id: text('id'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.owner, table.name] }),
    uniqueIndex('property_definitions_id').on(table.projectId, table.id),
  ],
)

/** How many definitions an owner has. Kept by triggers. */
export const propertyDefinitionCounts = sqliteTable(
  'property_definition_counts',
  {
    projectId: integer('project_id').notNull(),
    owner: text('owner').notNull(),
    total: integer('total').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.owner] })],
)
