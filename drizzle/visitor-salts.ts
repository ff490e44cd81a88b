// Keys of the ids of visitors who let no identity be stored.
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * One row a day, which the daily trigger deletes: without its key, ids of that day can no longer be computed from an address. It is stored
 * in the clear, because it protects nothing that lasts longer than itself.
 */
export const visitorSalts = sqliteTable('visitor_salts', {
  /** In UTC: `2026-04-02`. */
  day: text('day').primaryKey(),
  /** 32 random bytes in hex. */
  salt: text('salt').notNull(),
})
