// The outbox: what a committed change still owes another system. A task is added in the batch that makes the change, done after the response,
// and deleted once it is done; the minute's trigger repeats what is left.
import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import { outbox } from '../../drizzle'
import type { EventRow } from './ingestion-rows'
import type { Ids } from '../clock'
import type { Database } from '../storage/database'
import { isAmong } from '../storage/look-up'
import { stored } from '../timestamps'
import type { OutboxTask } from './task'

/** How long a task is left to the request that added it. */
const GRACE_MS = 60_000

/** Tasks that one run of the trigger takes. Each takes up to seven statements, and a Worker may send 1,000 to D1 in one invocation. */
export const MAX_TASKS_PER_RUN = 100

/** A retry waits twice as long as the one before, up to this. */
const MAX_RETRY_MS = 3_600_000

export interface StoredTask {
  id: string
  projectId: number
  task: OutboxTask
  attempts: number
}

/** A task with its id, and the statement that adds it: for the batch that makes the change. */
export function addTask(deps: { db: Database; ids: Ids }, now: Date, projectId: number, task: OutboxTask) {
  const { id, statement } = insertTask(deps, now, projectId, task)
  return { task: { id, projectId, task, attempts: 0 } satisfies StoredTask, statement }
}

/** The same for a task that SQL makes, from ids that the batch gives. */
export function insertTask(
  { db, ids }: { db: Database; ids: Ids },
  now: Date,
  projectId: number,
  task: OutboxTask | SQL<OutboxTask>,
) {
  const id = ids.uuid(now)
  const dueAt = stored(new Date(now.getTime() + GRACE_MS))
  return { id, statement: db.insert(outbox).values({ id, projectId, task, createdAt: stored(now), dueAt }) }
}

/** Deletes tasks that are done. */
export async function deleteTasks(db: Database, taskIds: readonly string[]): Promise<void> {
  if (taskIds.length > 0) await db.delete(outbox).where(isAmong(taskIds, outbox.id))
}

/** Claims tasks that are due, the oldest first: each is due again later, unless it is deleted before. */
export const claimDueTasks = (db: Database, now: Date): Promise<StoredTask[]> =>
  db
    .update(outbox)
    .set({
      attempts: sql`${outbox.attempts} + 1`,
      dueAt: sql`strftime('%Y-%m-%dT%H:%M:%f', ${stored(now)}, '+' || min(${MAX_RETRY_MS / 1000}, ${GRACE_MS / 1000} << min(attempts, 10)) || ' seconds') || '000Z'`,
    })
    .where(
      sql`${outbox.id} IN (${db
        .select({ id: outbox.id })
        .from(outbox)
        .where(lte(outbox.dueAt, stored(now)))
        .orderBy(asc(outbox.dueAt))
        .limit(MAX_TASKS_PER_RUN)})`,
    )
    .returning({
      id: outbox.id,
      projectId: outbox.projectId,
      // A task may hold an event of 800 KB, and the message names it by the id of its task.
      task: sql<OutboxTask>`iif(${outbox.task} ->> '$.kind' = 'store_event', json_remove(${outbox.task}, '$.event'), ${outbox.task})`
        .mapWith(outbox.task)
        .as('claimed_task'),
      attempts: outbox.attempts,
    })

/** The events that tasks hold; those of deleted tasks are stored already. */
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
