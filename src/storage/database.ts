// The one place where a database handle is made, and the guard that lets a batch refuse itself.
import { type SQL, sql } from 'drizzle-orm'
import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1'
import { type Deadline, type Meter, meteredD1 } from './metered-d1'

export type Database = DrizzleD1Database

/**
 * A handle whose cost is added to `meter`. Reads and writes both come through here, so a D1 session can be turned on in one place.
 * It is made for every request, so it does without Drizzle's relational queries: their schema is worked out anew each time.
 */
export const openDatabase = (d1: D1Database, meter: Meter, deadline?: Deadline): Database =>
  drizzle(meteredD1(d1, meter, deadline))

/**
 * A statement for the start of a batch: when `condition` is false, the whole batch is rolled back and rejects with an error for
 * which `isGuardFailure` is true. (SQLite has no "raise" outside triggers; text that is not JSON is the error it does have.)
 */
export const guard = (db: Database, condition: SQL) =>
  db
    .select({ guarded: sql`json(CASE WHEN ${condition} THEN '1' ELSE 'guard failed' END)`.as('guarded') })
    .from(sql`(SELECT 1)`)

/** The text of a guard, for batches of D1's own statements. */
export const guardText = (condition: string): string =>
  `SELECT json(CASE WHEN ${condition} THEN '1' ELSE 'guard failed' END) AS guarded`

const causes = function* (error: unknown) {
  for (let at: unknown = error; at instanceof Error; at = at.cause) yield at.message
}

/** Whether a batch was rolled back by its `guard`: the state it was decided on is gone. */
export const isGuardFailure = (error: unknown): boolean =>
  causes(error).some((message) => message.includes('malformed JSON'))

/** Whether a write was refused for a value that another row has, such as a flag's key. */
export const isUniqueViolation = (error: unknown): boolean =>
  causes(error).some((message) => message.includes('UNIQUE constraint failed'))
