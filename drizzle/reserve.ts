// Space that a full database keeps for sign-ins.
import { blob, integer, sqliteTable } from 'drizzle-orm/sqlite-core'

/** Rows that hold nothing: their pages are freed when a sign-in finds the database full (src/storage/reserve.ts). */
export const reserve = sqliteTable('reserve', {
  id: integer('id').primaryKey(),
  filler: blob('filler').notNull(),
})
