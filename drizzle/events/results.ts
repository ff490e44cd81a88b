// Results of saved queries. Materialized rows are in tables of their own, named `mat_<id>_<generation>`.
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { boolean, timestamp } from '../columns'

/** Answers that may be given again until they expire. */
export const endpointResults = sqliteTable(
  'endpoint_results',
  {
    projectId: integer('project_id').notNull(),
    /** A digest of everything in the request that the answer depends on. */
    key: text('result_key').notNull(),
    versionId: text('version_id').notNull(),
    /** `compilation` of the version when it ran: a version that was compiled again does not reuse the answer. */
    compilation: integer('compilation').notNull(),
    /** The members of the answer that do not depend on when it is given, as JSON. */
    body: text('body').notNull(),
    rowCount: integer('row_count').notNull(),
    hasMore: boolean('has_more').notNull(),
    /** The table of materialized rows that it was read from; null for an answer of the query itself. */
    source: text('source'),
    storedAt: timestamp('stored_at').notNull(),
    expiresAt: timestamp('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.key] }),
    index('endpoint_results_expiry').on(table.projectId, table.expiresAt),
  ],
)

/** One line a run. The daily trigger deletes old lines; those past the newest 10,000 of an endpoint go as new ones come. */
export const endpointLogs = sqliteTable(
  'endpoint_logs',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    projectId: integer('project_id').notNull(),
    endpointId: text('endpoint_id').notNull(),
    /** The run's `execution_id`. */
    instanceId: text('instance_id').notNull(),
    timestamp: timestamp('timestamp').notNull(),
    level: text('level').$type<'DEBUG' | 'LOG' | 'INFO' | 'WARN' | 'ERROR'>().notNull(),
    message: text('message').notNull(),
    /**
     * The line's number among those of its endpoint, from 1, which a trigger assigns: any page is an index range, and the newest less the
     * oldest is the total. Lines are therefore only deleted from the oldest on.
     */
    ordinal: integer('ordinal'),
  },
  (table) => [
    index('endpoint_logs_time').on(table.endpointId, table.timestamp, table.id),
    index('endpoint_logs_page').on(table.endpointId, table.ordinal),
  ],
)

/** The tables of materialized rows: a row is written in the batch that creates its table, and deleted in the one that drops it. */
export const materializedTables = sqliteTable(
  'materialized_tables',
  {
    name: text('name').primaryKey(),
    projectId: integer('project_id').notNull(),
    versionId: text('version_id').notNull(),
    /** Bytes of its values so far. */
    bytes: integer('bytes').notNull().default(0),
    /** Bytes of the largest row. */
    largest: integer('largest').notNull().default(0),
    createdAt: timestamp('created_at').notNull(),
  },
  (table) => [index('materialized_tables_project').on(table.projectId, table.bytes)],
)
