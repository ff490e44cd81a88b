// Conditions that make SQLite look rows up by their ids instead of scanning a project.
import { type Column, type SQL, sql } from 'drizzle-orm'

/** For queries by ids: the unary plus keeps SQLite from using the index on the project. */
export const belongsTo = (projectId: number, column: Column): SQL => sql`+${column} = ${projectId}`

/** A condition on `ids`. Without ids it is the constant false, and SQLite reads nothing. */
export const falseIfEmpty = (ids: readonly unknown[], condition: SQL): SQL =>
  ids.length > 0 ? condition : sql`0`

/** Rows with these ids, which are one parameter. */
export const isAmong = (ids: readonly unknown[], column: Column): SQL =>
  falseIfEmpty(ids, sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
