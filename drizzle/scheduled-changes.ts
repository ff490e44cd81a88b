// Changes of flags that the project object makes at a scheduled time.
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ChangePayload } from '../src/flags/scheduled/payload'
import { boolean, json, timestamp } from './columns'
import { featureFlags } from './flags'

export const scheduledChanges = sqliteTable(
  'scheduled_changes',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    projectId: integer('project_id').notNull(),
    flagId: integer('flag_id')
      .notNull()
      .references(() => featureFlags.id, { onDelete: 'cascade' }),
    payload: json<ChangePayload>('payload').notNull(),
    scheduledAt: timestamp('scheduled_at').notNull(),
    /** The first time of a recurring change: the others are whole intervals after it. */
    firstAt: timestamp('first_at').notNull(),
    /** When it runs; null when it has ended, and while it is paused. */
    dueAt: timestamp('due_at'),
    /** When it ended, whether it failed or not. */
    executedAt: timestamp('executed_at'),
    lastExecutedAt: timestamp('last_executed_at'),
    failureReason: text('failure_reason'),
    /** Runs since the last one that ended, each of them crashed. */
    crashes: integer('crashes').notNull().default(0),
    isRecurring: boolean('is_recurring').notNull().default(false),
    recurrenceInterval: text('recurrence_interval', { enum: ['daily', 'weekly', 'monthly', 'yearly'] }),
    endDate: timestamp('end_date'),
    createdById: integer('created_by_id'),
    /** The last editor: author in the activity log. */
    lastModifiedById: integer('last_modified_by_id'),
    createdAt: timestamp('created_at').notNull(),
    updatedAt: timestamp('updated_at').notNull(),
  },
  (table) => [
    index('scheduled_changes_project').on(table.projectId, table.id),
    index('scheduled_changes_flag').on(table.flagId, table.id),
    index('scheduled_changes_pending')
      .on(table.projectId, table.dueAt, table.flagId)
      .where(sql`executed_at IS NULL`),
    index('scheduled_changes_due')
      .on(table.dueAt, table.projectId)
      .where(sql`due_at IS NOT NULL`),
    index('scheduled_changes_executed')
      .on(table.executedAt)
      .where(sql`executed_at IS NOT NULL`),
  ],
)
