// Conditions that make SQLite look rows up by their ids instead of scanning a project.
import { type Column, type SQL, sql } from 'drizzle-orm'

/** SQL condition for queries by ids. Because of the unary plus, SQLite does not use the index on the project. */
export const belongsTo = (projectId: number, column: Column): SQL => sql`+${column} = ${projectId}`

/** Returns a condition on `ids`. Without ids it is the constant false, and SQLite reads nothing. */
export const falseIfEmpty = (ids: readonly unknown[], condition: SQL): SQL =>
  ids.length > 0 ? condition : sql`0`

/** Rows with these ids, which are one parameter. */
export const isAmong = (ids: readonly unknown[], column: Column): SQL =>
  falseIfEmpty(ids, sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
