// How much of a throttled thing somebody has done lately.
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { timestamp } from './columns'

/** How often somebody did a thing in a window of time. A window that is over is overwritten by the next; the daily trigger deletes it. */
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
