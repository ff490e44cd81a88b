// Cancels a scheduled change.
import { sql } from 'drizzle-orm'
import { scheduledChanges } from '../../../drizzle'
import { notFound } from '../../errors'
import { runIf } from '../../storage/run-batch'
import type { FlagContext } from '../context'
import { changeEntryOf } from './change-entry'
import { changeById, readWithKey } from './read-changes'

/** Cancels a change that waits, or removes one that has ended. @throws 404 */
export async function cancelChange(context: FlagContext, id: number): Promise<void> {
  const { db } = context.deps
  const isOwn = changeById(context.project.id, id)
  const { before, key } = await readWithKey(context, id)
  await runIf(
    db,
    sql`EXISTS (SELECT 1 FROM ${scheduledChanges} WHERE ${isOwn})`,
    [db.delete(scheduledChanges).where(isOwn), changeEntryOf(context, { id, key }, 'deleted', before, null)],
    notFound,
  )
}
