// The activity log: what changed, by whom, when. Rows are only ever added, in the batch that makes the change.
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ActivityDetail } from '../src/activity/entry'
import { json, timestamp } from './columns'

export const activityLog = sqliteTable(
  'activity_log',
  {
    /** UUID v7: entries of one instant keep their order. */
    id: text('id').primaryKey(),
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
  },
  (table) => [
    index('activity_log_item').on(table.projectId, table.scope, table.itemId, table.createdAt, table.id),
    index('activity_log_scope').on(table.projectId, table.scope, table.createdAt, table.id),
    index('activity_log_organization')
      .on(table.organizationId, table.createdAt, table.id)
      .where(sql`organization_id IS NOT NULL`),
  ],
)
