// Statements that count rows or test for them, for batches with other reads.
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './database'

/** Counts rows. `totalIn` reads the result. */
export const countOf = (db: Database, table: SQLiteTable, where: SQL | undefined) =>
  db
    .select({ total: sql<number>`count(*)`.as('total') })
    .from(table)
    .where(where)

export const totalIn = (rows: readonly { total: number }[]): number => rows[0]?.total ?? 0

/** Selects rows without their columns, to test whether they exist. */
export const existsIn = (db: Database, table: SQLiteTable, where: SQL | undefined) =>
  db
    .select({ one: sql<number>`1`.as('one') })
    .from(table)
    .where(where)
