// Copies of persons, distinct ids, groups and cohort members, for the joins of saved queries. The main database owns them: a row carries
// the project's `people_version` of its last change, and an older one never replaces a newer one. Deleted rows stay here as a
// tombstone, so that a late copy cannot bring it back.
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { boolean, jsonb, timestamp } from '../columns'

export const persons = sqliteTable(
  'persons',
  {
    projectId: integer('project_id').notNull(),
    uuid: text('uuid').notNull(),
    isIdentified: boolean('is_identified').notNull(),
    createdAt: timestamp('created_at').notNull(),
    version: integer('version').notNull(),
    isDeleted: boolean('is_deleted').notNull(),
    properties: jsonb('properties').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.uuid] })],
)

export const personDistinctIds = sqliteTable(
  'person_distinct_ids',
  {
    projectId: integer('project_id').notNull(),
    distinctId: text('distinct_id').notNull(),
    personUuid: text('person_uuid').notNull(),
    version: integer('version').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.distinctId] }),
    index('person_distinct_ids_person').on(table.projectId, table.personUuid, table.distinctId),
  ],
)

export const groups = sqliteTable(
  'groups',
  {
    projectId: integer('project_id').notNull(),
    typeIndex: integer('type_index').notNull(),
    key: text('group_key').notNull(),
    createdAt: timestamp('created_at').notNull(),
    version: integer('version').notNull(),
    properties: jsonb('properties').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.typeIndex, table.key] })],
)

/**
 * Changes of a person's properties by the time of the event: the newest row up to a moment, over all distinct ids of the
 * person, is the value at that moment, unless it is a first value and an older row has one. Written in the batch that stores the event.
 */
export const personPropertyHistory = sqliteTable(
  'person_property_history',
  {
    projectId: integer('project_id').notNull(),
    distinctId: text('distinct_id').notNull(),
    name: text('name').notNull(),
    timestamp: timestamp('timestamp').notNull(),
    /** JSON text; null: it was unset. */
    value: text('value'),
    /** Whether it is a value of `$set_once`, which counts only where nothing is. */
    isFirst: boolean('is_first').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.distinctId, table.name, table.timestamp] })],
)

/** Members of static cohorts. */
export const cohortPeople = sqliteTable(
  'cohort_people',
  {
    projectId: integer('project_id').notNull(),
    cohortId: integer('cohort_id').notNull(),
    personUuid: text('person_uuid').notNull(),
    version: integer('version').notNull(),
    isDeleted: boolean('is_deleted').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.cohortId, table.personUuid] })],
)

/** Rows of the tables above and of sessions. Triggers keep them up to date, whichever statement writes. */
export const peopleVolumes = sqliteTable(
  'people_volumes',
  {
    projectId: integer('project_id').notNull(),
    /** Name of the table. */
    name: text('name')
      .$type<'persons' | 'person_distinct_ids' | 'groups' | 'cohort_people' | 'event_sessions'>()
      .notNull(),
    rows: integer('rows').notNull(),
    /** Sum over the properties as JSON text. */
    bytes: integer('bytes').notNull(),
    /** Bytes of the largest that there ever was. */
    largest: integer('largest').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.name] })],
)
