// The people that flags are evaluated for: persons, groups and cohorts, and the dashboards of flags. Analytics shards hold copies for joins
// (drizzle/events/people.ts).
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { boolean, json, timestamp } from './columns'

type Properties = Record<string, unknown>

export const persons = sqliteTable(
  'persons',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    projectId: integer('project_id').notNull(),
    uuid: text('uuid').notNull(),
    properties: json<Properties>('properties').notNull(),
    /** Whether `$identify` ever named the person: identified persons are merged only on request. */
    isIdentified: boolean('is_identified').notNull().default(false),
    createdAt: timestamp('created_at').notNull(),
    /** The project's `people_version` of the last write: detects concurrent writes, and orders copies. */
    version: integer('version').notNull().default(0),
    /** How many distinct ids the person has, so that a merge need not count them. */
    distinctIdCount: integer('distinct_id_count').notNull().default(1),
  },
  (table) => [
    uniqueIndex('persons_uuid').on(table.projectId, table.uuid),
    index('persons_project').on(table.projectId, table.id),
    // In the order of the random end of their uuids: the first of it are a sample.
    index('persons_sample').on(table.projectId, sql`substr(uuid, 25)`),
  ],
)

/** Ids that clients use for a person. Each belongs to exactly one person of a project. */
export const personDistinctIds = sqliteTable(
  'person_distinct_ids',
  {
    projectId: integer('project_id').notNull(),
    distinctId: text('distinct_id').notNull(),
    personId: integer('person_id')
      .notNull()
      .references(() => persons.id, { onDelete: 'cascade' }),
    /** The project's `people_version` of the last write. */
    version: integer('version').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.distinctId] }),
    index('person_distinct_ids_person').on(table.personId, table.distinctId),
  ],
)

/** Up to five kinds of group a project, numbered in the order in which they were first seen. */
export const groupTypes = sqliteTable(
  'group_types',
  {
    projectId: integer('project_id').notNull(),
    index: integer('type_index').notNull(),
    name: text('name').notNull(),
    /** How many groups there are. Kept by triggers. */
    groupCount: integer('group_count').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.index] }),
    uniqueIndex('group_types_name').on(table.projectId, table.name),
  ],
)

export const groups = sqliteTable(
  'groups',
  {
    projectId: integer('project_id').notNull(),
    typeIndex: integer('type_index').notNull(),
    key: text('group_key').notNull(),
    properties: json<Properties>('properties').notNull(),
    createdAt: timestamp('created_at').notNull(),
    /** The project's `people_version` of the last write. */
    version: integer('version').notNull().default(0),
    /** A random number of 53 bits, which a trigger assigns: the first groups in its order are a sample. */
    sampleKey: integer('sample_key'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.typeIndex, table.key] }),
    index('groups_sample').on(table.projectId, table.typeIndex, table.sampleKey),
  ],
)

/** A set of people: a list (static) or a rule over their properties (dynamic). */
export const cohorts = sqliteTable(
  'cohorts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    projectId: integer('project_id').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    isStatic: boolean('is_static').notNull().default(false),
    deleted: boolean('deleted').notNull().default(false),
    /** `{properties: {type: AND | OR, values: […]}}` for a dynamic cohort. */
    filters: json<Record<string, unknown> | null>('filters'),
    /** True while background work is still filling a static cohort, which counts for `MAX_FILLS`. */
    isCalculating: boolean('is_calculating').notNull().default(false),
    count: integer('count'),
    errorsCalculating: integer('errors_calculating').notNull().default(0),
    lastCalculation: timestamp('last_calculation'),
    createdById: integer('created_by_id'),
    createdAt: timestamp('created_at').notNull(),
  },
  (table) => [
    index('cohorts_project').on(table.projectId),
    index('cohorts_calculating')
      .on(table.projectId)
      .where(sql`is_calculating = 1`),
  ],
)

/** Who is in a static cohort. */
export const cohortMembers = sqliteTable(
  'cohort_members',
  {
    cohortId: integer('cohort_id')
      .notNull()
      .references(() => cohorts.id, { onDelete: 'cascade' }),
    personId: integer('person_id')
      .notNull()
      .references(() => persons.id, { onDelete: 'cascade' }),
    /** The project's `people_version` when the person was added. */
    version: integer('version').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.cohortId, table.personId] }),
    index('cohort_members_person').on(table.personId),
  ],
)

/** What a person was bucketed by before signing in, for flags that keep their answer (experience continuity). */
export const flagHashKeyOverrides = sqliteTable(
  'flag_hash_key_overrides',
  {
    personId: integer('person_id')
      .notNull()
      .references(() => persons.id, { onDelete: 'cascade' }),
    projectId: integer('project_id').notNull(),
    flagKey: text('flag_key').notNull(),
    hashKey: text('hash_key').notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.flagKey] })],
)

// Without AUTOINCREMENT, whose bookkeeping costs reads at every insert: the newest row is deleted only with its project, so that no project
// has an id twice.
export const dashboards = sqliteTable(
  'dashboards',
  {
    id: integer('id').primaryKey(),
    projectId: integer('project_id').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    deleted: boolean('deleted').notNull().default(false),
    createdById: integer('created_by_id'),
    createdAt: timestamp('created_at').notNull(),
    /** `template`: the usage of a flag. */
    creationMode: text('creation_mode').$type<'default' | 'template'>().notNull().default('template'),
    /** The date range; null for that of each tile. */
    filters: json<{ date_from: string | null; date_to: string | null } | null>('filters'),
  },
  (table) => [index('dashboards_project').on(table.projectId)],
)

/** A tile of a dashboard: a name and the query behind it, or a saved query. */
export const dashboardTiles = sqliteTable(
  'dashboard_tiles',
  {
    id: integer('id').primaryKey(),
    dashboardId: integer('dashboard_id')
      .notNull()
      .references(() => dashboards.id, { onDelete: 'cascade' }),
    projectId: integer('project_id').notNull(),
    name: text('name').notNull(),
    query: json<Record<string, unknown>>('query').notNull(),
    /** The saved query that is pinned; `name` and `query` are empty then. */
    endpointId: text('endpoint_id'),
    layouts: json<Record<string, unknown> | null>('layouts'),
  },
  (table) => [index('dashboard_tiles_dashboard').on(table.dashboardId)],
)
