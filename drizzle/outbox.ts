// Tasks for other systems after a commit, and the events already applied to persons and groups.
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { OutboxTask } from '../src/outbox/task'
import { boolean, json, timestamp } from './columns'

/**
 * Pending work for another system. The batch of the change adds the row; the consumer deletes it when the work is done.
 * The trigger that runs every minute retries pending tasks, which are idempotent.
 */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text('id').primaryKey(),
    projectId: integer('project_id').notNull(),
    task: json<OutboxTask>('task').notNull(),
    createdAt: timestamp('created_at').notNull(),
    /** When the trigger may repeat it. */
    dueAt: timestamp('due_at').notNull(),
    /** How often the trigger did. */
    attempts: integer('attempts').notNull().default(0),
  },
  (table) => [index('outbox_due').on(table.dueAt)],
)

/** Events whose changes to persons and groups were applied, so that a repeated request does not apply them again. Pruned after a week. */
export const appliedEvents = sqliteTable(
  'applied_events',
  {
    projectId: integer('project_id').notNull(),
    uuid: text('uuid').notNull(),
    appliedAt: timestamp('applied_at').notNull(),
    /** Whether properties of the event were copied to its person. A repeated event is then stored with them, too. */
    isCopied: boolean('is_copied').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.uuid] }),
    index('applied_events_time').on(table.appliedAt),
  ],
)
