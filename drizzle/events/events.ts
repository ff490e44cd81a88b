// Events, and how many there are: what the cost of a query is estimated from before it runs.
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { jsonb, timestamp } from '../columns'

/**
 * A row is added once for each uuid and never changed; retention deletes old ones, but for those that set properties: from those without
 * history the properties of a person at a past moment are rebuilt.
 */
export const events = sqliteTable(
  'events',
  {
    /** In order of arrival. */
    id: integer('id').primaryKey(),
    projectId: integer('project_id').notNull(),
    uuid: text('uuid').notNull(),
    event: text('event').notNull(),
    distinctId: text('distinct_id').notNull(),
    timestamp: timestamp('timestamp').notNull(),
    createdAt: timestamp('created_at').notNull(),
    /**
     * Whether it carries `$set`, `$set_once` or `$unset`, or properties of it were copied to its person: 0 no; 1 yes; 2 yes, and the changes
     * are in `person_property_history`.
     */
    setsProperties: integer('sets_properties').$type<0 | 1 | 2>().notNull().default(0),
    /** For `$feature_flag_called`: the flag, and its result as text. */
    flagKey: text('flag_key'),
    flagResponse: text('flag_response'),
    /** The last column: SQLite reads a row from its start, and only as far as a query needs. */
    properties: jsonb('properties').notNull(),
  },
  (table) => [
    uniqueIndex('events_uuid').on(table.projectId, table.uuid),
    // Covers queries that count people or filter by name, so that they read no rows.
    index('events_name').on(table.projectId, table.event, table.timestamp, table.distinctId),
    index('events_person').on(table.projectId, table.distinctId, table.setsProperties, table.timestamp),
    index('events_flag')
      .on(table.projectId, table.flagKey, table.timestamp)
      .where(sql`flag_key IS NOT NULL`),
    index('events_time').on(table.projectId, table.timestamp, table.event),
    // Events as they arrived, whatever their clock.
    index('events_arrival').on(table.projectId, table.createdAt, table.uuid),
  ],
)

/** Events by name and day (`YYYY-MM-DD`, UTC), counted in the batch that inserts them. The name `''`, which no event has, stands for all. */
export const eventVolumes = sqliteTable(
  'event_volumes',
  {
    projectId: integer('project_id').notNull(),
    event: text('event').notNull(),
    day: text('day').notNull(),
    events: integer('events').notNull(),
    /** Sum over the properties as JSON text. */
    bytes: integer('bytes').notNull(),
    /** Bytes of the largest that there ever was. */
    largest: integer('largest').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.event, table.day] })],
)
