// Wakes project objects with overdue scheduled changes: a failed call or a lost alarm.
import { lte } from 'drizzle-orm'
import { scheduledChanges } from '../../drizzle'
import type { Database } from '../storage/database'
import { toStoredTimestamp } from '../timestamps'
import type { FlagCalls } from '../flags/project-calls'

/** Until then the alarm is expected to run a change. */
const OVERDUE_MS = 30_000
/** Projects that one run of the trigger wakes. */
const MAX_PROJECTS = 100

export async function wakeOverdue(
  db: Database,
  objects: Pick<FlagCalls, 'wakeForChanges'>,
  now: Date,
): Promise<void> {
  const before = toStoredTimestamp(new Date(now.getTime() - OVERDUE_MS))
  const overdue = await db
    .selectDistinct({ projectId: scheduledChanges.projectId })
    .from(scheduledChanges)
    .where(lte(scheduledChanges.dueAt, before))
    .limit(MAX_PROJECTS)
  const results = await Promise.allSettled(
    overdue.map(({ projectId }) => objects.wakeForChanges(projectId, now.getTime())),
  )
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}
