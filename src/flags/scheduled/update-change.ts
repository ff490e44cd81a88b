// Updates a scheduled change that waits.
import { type SQL, sql } from 'drizzle-orm'
import { scheduledChanges } from '../../../drizzle'
import { userOf } from '../../auth/actor'
import { invalid } from '../../errors'
import { guard } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import type { FlagContext } from '../context'
import { selectFlag } from '../read/rows'
import { changeEntryOf } from './change-entry'
import { checkPayload } from './check-payload'
import { parsePayload } from './payload'
import { changeById, changeFrom, readWithKey, type ScheduledChangeRow, selectChange } from './read-changes'
import type { ScheduledChangeUpdate } from './schema'
import { timingOf } from './timing'

/** @throws 404; 400 naming the field, and for a change that has ended. */
export async function updateChange(context: FlagContext, id: number, body: ScheduledChangeUpdate) {
  const { deps, project } = context
  const { db } = deps
  const sent = body.payload && parsePayload(body.payload)
  const row = await retryOnConflict(async () => {
    const { before, key } = await readWithKey(context, id)
    if (before.executedAt !== null)
      throw invalid(null, 'Cannot modify a scheduled change that has already executed. Schedule a new one.')
    if (body.record_id !== undefined && body.record_id !== before.flagId)
      throw invalid(
        'record_id',
        `Cannot change the target record of an existing scheduled change. It is ${before.flagId}.`,
      )
    const payload = sent ?? before.payload
    const timing = timingOf(
      {
        scheduledAt: body.scheduled_at ?? before.scheduledAt,
        isRecurring: body.is_recurring ?? before.isRecurring,
        recurrenceInterval:
          body.recurrence_interval === undefined ? before.recurrenceInterval : body.recurrence_interval,
        endDate: body.end_date === undefined ? before.endDate : body.end_date,
      },
      payload,
      deps.clock.now(),
      before,
    )
    if (sent) {
      const [flag] = await selectFlag(db, project.id, before.flagId)
      if (flag) await checkPayload(context, flag, sent)
    }
    const results = await runBatch(db, [
      guard(db, isUnchanged(before)),
      db
        .update(scheduledChanges)
        .set({
          ...timing,
          payload,
          crashes: 0,
          lastModifiedById: userOf(context.actor)?.id ?? null,
          updatedAt: toStoredTimestamp(deps.clock.now()),
        })
        .where(changeById(project.id, id)),
      changeEntryOf(context, { id, key }, 'updated', before, { ...before, ...timing, payload }),
      selectChange(db, project.id, id),
    ])
    const [after] = results.at(-1) as ScheduledChangeRow[]
    return after!
  })
  return changeFrom(row)
}

/** Write guard: the change was not changed, and has not run. */
const isUnchanged = ({ id, updatedAt, dueAt, executedAt }: ScheduledChangeRow): SQL =>
  sql`EXISTS (SELECT 1 FROM scheduled_changes s WHERE s.id = ${id} AND s.updated_at = ${updatedAt}
    AND s.due_at IS ${dueAt} AND s.executed_at IS ${executedAt})`
