// What has to reach another system after a commit, and which events were applied to persons and groups already.
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { OutboxTask } from '../src/outbox/task'
import { json, timestamp } from './columns'

/**
 * Work that a committed change still owes another system. The batch that makes the change adds the row; whoever does the work deletes it.
 * The minute's trigger repeats what nobody finished. Every task can be repeated.
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
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.uuid] }),
    index('applied_events_time').on(table.appliedAt),
  ],
)
