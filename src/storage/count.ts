// Questions about a table whose answer is a number, or yes: statements for a batch with whatever else is read.
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './database'

/** The statement that counts rows. `totalIn` reads what it gave. */
export const countOf = (db: Database, table: SQLiteTable, where: SQL | undefined) =>
  db
    .select({ total: sql<number>`count(*)`.as('total') })
    .from(table)
    .where(where)

export const totalIn = (rows: readonly { total: number }[]): number => rows[0]?.total ?? 0

/** The statement that gives a row for each that is there, and nothing of what is in it. */
export const existsIn = (db: Database, table: SQLiteTable, where: SQL | undefined) =>
  db
    .select({ one: sql<number>`1`.as('one') })
    .from(table)
    .where(where)
