// Database handles, and write guards.
import { type SQL, sql } from 'drizzle-orm'
import { writeGuards } from '../../drizzle'
import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1'
import { type Deadline, type Meter, meteredD1, type QueriedD1 } from './metered-d1'

export type Database = DrizzleD1Database

/**
 * A handle whose cost is added to `meter`. Every request opens one, so it has no schema for Drizzle's relational queries, which would be
 * analysed each time.
 */
export const openDatabase = (d1: QueriedD1, meter: Meter, deadline?: Deadline): Database =>
  drizzle(meteredD1(d1, meter, deadline))

/**
 * Returns the replica of the main database that is nearest to the caller. It is the primary where replication is off, or where the
 * setting `PERSON_READS` is `primary`. A replica may lack what was just written.
 */
export const nearestReplica = ({ DB, PERSON_READS }: Pick<Env, 'DB' | 'PERSON_READS'>): QueriedD1 =>
  PERSON_READS === 'primary' ? DB : DB.withSession('first-unconstrained')

/**
 * A statement for the start of a batch. When `condition` is not true, the batch is rolled back with an error for which `isGuardFailure` is
 * true: a row of `write_guards` breaks the table's constraint.
 */
export const guard = (db: Database, condition: SQL) =>
  db.insert(writeGuards).select(sql`SELECT 0 AS holds WHERE (${condition}) IS NOT TRUE`)

/** A guard for batches of D1's own statements. */
export const guardText = (condition: string): string =>
  `INSERT INTO write_guards (holds) SELECT 0 WHERE (${condition}) IS NOT TRUE`

const messages = function* (error: unknown) {
  for (let at: unknown = error; at instanceof Error; at = at.cause) yield at.message
}

/** Whether a guard rolled the batch back: the rows read before the write have changed. */
export const isGuardFailure = (error: unknown): boolean =>
  messages(error).some((message) => message.includes('CHECK constraint failed: write_guard'))

/** Whether another row has a value that has to be unique, such as a flag's key. */
export const isUniqueViolation = (error: unknown): boolean =>
  messages(error).some((message) => message.includes('UNIQUE constraint failed'))
