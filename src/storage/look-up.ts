// Conditions that keep SQLite on the way that is short: rows are looked up by their ids, not found on a walk through a project.
import { type Column, type SQL, sql } from 'drizzle-orm'

/** The rows of a project, where ids are the way in: the unary plus keeps SQLite from walking all of the project's. */
export const belongsTo = (projectId: number, column: Column): SQL => sql`+${column} = ${projectId}`

/** A condition about `ids`. Without any SQLite must not even begin: a constant tells it so. */
export const unlessNone = (ids: readonly unknown[], condition: SQL): SQL =>
  ids.length > 0 ? condition : sql`0`

/** The rows with these ids, which travel as one parameter. */
export const isAmong = (ids: readonly unknown[], column: Column): SQL =>
  unlessNone(ids, sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
