// The statements that end a run, in the batch of the update that carries it out.
import { and, eq, sql } from 'drizzle-orm'
import { scheduledChanges } from '../../../drizzle'
import { conflict } from '../../errors'
import { type Database, guard } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'
import type { ScheduledRun } from '../write/write-types'

type Run = Omit<ScheduledRun, 'version'>

const isStillDue = ({ id, dueAt, updatedAt }: Run) =>
  and(
    eq(scheduledChanges.id, id),
    eq(scheduledChanges.dueAt, dueAt),
    eq(scheduledChanges.updatedAt, updatedAt),
  )!

/** The 409 error after which the change and its flag are read again. */
export const runConflict = () => conflict('The flag or the scheduled change has changed.')

/** Fails the batch unless the change is still due as it was read. */
export const guardStillDue = (db: Database, run: Run) =>
  guard(db, sql`EXISTS (SELECT 1 FROM ${scheduledChanges} WHERE ${isStillDue(run)})`)

const nextTimes = ({ nextAt }: Run, now: Date) => ({
  crashes: 0,
  dueAt: nextAt,
  ...(nextAt === null ? { executedAt: toStoredTimestamp(now) } : { scheduledAt: nextAt }),
})

/** Ends a run that succeeds. */
export const endRun = (db: Database, run: Run, now: Date) => [
  guardStillDue(db, run),
  db
    .update(scheduledChanges)
    .set({ ...nextTimes(run, now), lastExecutedAt: toStoredTimestamp(now), failureReason: null })
    .where(eq(scheduledChanges.id, run.id)),
]

/** Maximum characters of `failure_reason`. */
const MAX_REASON = 400

/** The statement that ends a run that fails. */
export const failRun = (db: Database, run: Run, now: Date, reason: string) =>
  db
    .update(scheduledChanges)
    .set({ ...nextTimes(run, now), failureReason: reason.slice(0, MAX_REASON) })
    .where(isStillDue(run))

/** The statement that counts a crash. */
export const countCrash = (db: Database, run: Run) =>
  db
    .update(scheduledChanges)
    .set({ crashes: sql`${scheduledChanges.crashes} + 1` })
    .where(isStillDue(run))
