// In both databases: the table whose constraint rolls a batch back (src/storage/database.ts).
import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable } from 'drizzle-orm/sqlite-core'

/** Always empty: a guard that holds inserts nothing. */
export const writeGuards = sqliteTable('write_guards', { holds: integer('holds').notNull() }, () => [
  check('write_guard', sql`holds`),
])
