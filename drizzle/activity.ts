// The activity log: what changed, by whom, when. Rows are added in the batch that makes the change, and never change; the daily trigger deletes
// the oldest.
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ActivityDetail } from '../src/activity/entry'
import { boolean, json, timestamp } from './columns'

export const activityLog = sqliteTable(
  'activity_log',
  {
    /** In the order of the commits. Clocks of isolates differ, and may step back. */
    sequence: integer('sequence').primaryKey(),
    id: text('id').notNull().unique(),
    /** 0, which no project has, for an entry about an organization. */
    projectId: integer('project_id').notNull(),
    /** Null: the service itself. */
    userId: integer('user_id'),
    activity: text('activity').notNull(),
    scope: text('scope').notNull(),
    itemId: text('item_id').notNull(),
    detail: json<ActivityDetail>('detail').notNull(),
    createdAt: timestamp('created_at').notNull(),
    /** Null for an entry about a project. */
    organizationId: text('organization_id'),
    /**
     * The entry's number among those of its project and scope, and of its item, from 1. A trigger assigns both, so that any page is an index
     * range, and the newest less the oldest is the total. Entries are therefore only deleted from the oldest on.
     */
    scopeOrdinal: integer('scope_ordinal'),
    itemOrdinal: integer('item_ordinal'),
    /** Whether staff made the change as the user. */
    wasImpersonated: boolean('was_impersonated').notNull().default(false),
  },
  (table) => [
    index('activity_log_item_page').on(table.projectId, table.scope, table.itemId, table.itemOrdinal),
    index('activity_log_scope_page').on(table.projectId, table.scope, table.scopeOrdinal),
    // Lists of a user, and of a range of time.
    index('activity_log_user_time').on(table.projectId, table.scope, table.userId, table.createdAt),
    index('activity_log_time').on(table.projectId, table.scope, table.createdAt),
    index('activity_log_organization')
      .on(table.organizationId)
      .where(sql`organization_id IS NOT NULL`),
  ],
)
