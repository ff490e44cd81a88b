// The transactional outbox: work in other systems that follows from a committed change. The batch of the change inserts a task; it is performed
// after the response and then deleted. A trigger that runs every minute retries the others, after delays that double up to an hour.
import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import { outbox } from '../../drizzle'
import type { EventRow } from './ingestion-rows'
import type { Ids } from '../clock'
import type { Database } from '../storage/database'
import { isAmong } from '../storage/id-predicates'
import { turnOf } from '../storage/turns'
import { toStoredTimestamp } from '../timestamps'
import type { OutboxTask } from './task'

/** The time in which the request that added a task performs it, before the first retry. */
export const GRACE_MS = 5_000

/** Maximum tasks of one run of the trigger. Each takes up to seven statements, besides the batches of deletions. */
export const MAX_TASKS_PER_RUN = 50

/** The maximum delay of a retry. The delay doubles with each retry. */
const MAX_RETRY_MS = 3_600_000

export type StoredTask = Pick<typeof outbox.$inferSelect, 'id' | 'projectId' | 'task' | 'attempts'>

/**
 * Returns the statement that inserts a task, for the batch of the change, with the id of the task.
 * @param task may be SQL that uses ids of the batch
 */
export function insertTask(
  { db, ids }: { db: Database; ids: Ids },
  now: Date,
  projectId: number,
  task: OutboxTask | SQL<OutboxTask>,
) {
  const id = ids.uuid(now)
  const dueAt = toStoredTimestamp(new Date(now.getTime() + GRACE_MS))
  return {
    id,
    statement: db.insert(outbox).values({ id, projectId, task, createdAt: toStoredTimestamp(now), dueAt }),
  }
}

/** The statement that deletes tasks. It may be in the batch that ends their work. */
export const deleteTasks = (db: Database, taskIds: readonly string[]) =>
  db.delete(outbox).where(isAmong(taskIds, outbox.id))

/** The statement that makes an unfinished task due again, without counting an attempt. @param task with its progress, if it has some */
export const repeatTask = (db: Database, at: Date, taskId: string, task?: OutboxTask) =>
  db
    .update(outbox)
    .set({ attempts: 0, dueAt: toStoredTimestamp(at), ...(task ? { task } : {}) })
    .where(eq(outbox.id, taskId))

/** Returns null when it is done. */
export async function readTask(db: Database, taskId: string): Promise<StoredTask | null> {
  const { id, projectId, task, attempts } = outbox
  const [stored] = await db.select({ id, projectId, task, attempts }).from(outbox).where(eq(id, taskId))
  return stored ?? null
}

/** Claims due tasks of all organizations in turns, oldest first. A task that is not deleted becomes due again. */
export const claimDueTasks = (db: Database, now: Date): Promise<StoredTask[]> =>
  db
    .update(outbox)
    .set({
      attempts: sql`${outbox.attempts} + 1`,
      dueAt: sql`strftime('%Y-%m-%dT%H:%M:%f', ${toStoredTimestamp(now)}, '+' || min(${MAX_RETRY_MS / 1000}, ${GRACE_MS / 1000} << min(attempts, 10)) || ' seconds') || '000Z'`,
    })
    .where(
      sql`${outbox.id} IN (${db
        .select({ id: outbox.id })
        .from(outbox)
        .where(lte(outbox.dueAt, toStoredTimestamp(now)))
        .orderBy(turnOf(outbox.projectId, outbox.dueAt), asc(outbox.dueAt))
        .limit(MAX_TASKS_PER_RUN)})`,
    )
    .returning({
      id: outbox.id,
      projectId: outbox.projectId,
      // Large events stay in the outbox: an event has up to 800 KB, and messages refer to it by the id of its task.
      task: sql<OutboxTask>`iif(${outbox.task} ->> '$.kind' = 'store_event', json_remove(${outbox.task}, '$.event'), ${outbox.task})`
        .mapWith(outbox.task)
        .as('claimed_task'),
      attempts: outbox.attempts,
    })

/** Reads events of tasks. Those of deleted tasks are stored already. */
export async function readLargeEvents(
  db: Database,
  projectId: number,
  taskIds: readonly string[],
): Promise<EventRow[]> {
  const rows = await db
    .select({ task: outbox.task })
    .from(outbox)
    .where(and(eq(outbox.projectId, projectId), isAmong(taskIds, outbox.id)))
  return rows.flatMap(({ task }) => (task.kind === 'store_event' ? task.event : []))
}
