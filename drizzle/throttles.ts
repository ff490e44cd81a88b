// Counters of rate limits.
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { timestamp } from './columns'

/** Calls in a window of time. The next window overwrites an expired one; the daily trigger deletes it. */
export const throttleWindows = sqliteTable(
  'throttle_windows',
  {
    /** The throttle's name. */
    name: text('name').notNull(),
    /** Whom it counts for: a user's id, or a key's. */
    subject: text('subject').notNull(),
    /** When the window began. */
    startedAt: timestamp('started_at').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.name, table.subject] })],
)
