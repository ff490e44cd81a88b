// Schedules a change of a flag.
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { scheduledChanges } from '../../../drizzle'
import { userOf } from '../../auth/actor'
import { invalid } from '../../errors'
import { runIf } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import type { FlagContext } from '../context'
import { selectFlag } from '../read/rows'
import { changeEntryOf } from './change-entry'
import { checkPayload } from './check-payload'
import { parsePayload } from './payload'
import { changeFrom, selectChange } from './read-changes'
import type { ScheduledChangeBody } from './schema'
import { timingOf } from './timing'

/** Maximum waiting changes of one flag, and of one project. */
export const MAX_PENDING_OF_FLAG = 20
export const MAX_PENDING_OF_PROJECT = 500

/** @throws 400 naming the field. */
export async function createChange(context: FlagContext, body: ScheduledChangeBody) {
  const { deps, project } = context
  const { db } = deps
  const flagId = body.record_id
  const payload = parsePayload(body.payload)
  const now = deps.clock.now()
  // With `is_recurring: false` the change is created paused.
  if (body.is_recurring === undefined && (body.recurrence_interval ?? null) !== null)
    throw invalid(
      'recurrence_interval',
      'Cannot set recurrence_interval when is_recurring is false for new schedules. Send is_recurring: true, too.',
    )
  const timing = timingOf(
    {
      scheduledAt: body.scheduled_at,
      isRecurring: body.is_recurring ?? false,
      recurrenceInterval: body.recurrence_interval ?? null,
      endDate: body.end_date ?? null,
    },
    payload,
    now,
  )
  const [flag] = await selectFlag(db, project.id, flagId)
  if (!flag || flag.deleted)
    throw invalid('record_id', `Feature flag ${flagId} does not exist.`, 'does_not_exist')
  await checkPayload(context, flag, payload)

  const at = toStoredTimestamp(now)
  const userId = userOf(context.actor)?.id ?? null
  const newest = sql<number>`(SELECT max(s.id) FROM scheduled_changes s WHERE s.project_id = ${project.id})`
  const [, , rows] = await runIf(
    db,
    isBelowLimits(project.id, flagId),
    [
      db.insert(scheduledChanges).values({
        ...timing,
        projectId: project.id,
        flagId,
        payload,
        createdById: userId,
        lastModifiedById: userId,
        createdAt: at,
        updatedAt: at,
      }),
      // Within the batch, the project's newest change is the one that the batch inserts.
      changeEntryOf(context, { id: newest, key: flag.key }, 'created', null, { ...timing, payload }),
      selectChange(db, project.id, newest),
    ],
    tooMany,
  )
  return changeFrom(rows[0]!)
}

const isUnfinished = (projectId: number, flagId?: number) =>
  and(
    eq(scheduledChanges.projectId, projectId),
    isNull(scheduledChanges.executedAt),
    flagId === undefined ? undefined : eq(scheduledChanges.flagId, flagId),
  )

const isBelowLimits = (projectId: number, flagId: number): SQL =>
  sql`(SELECT count(*) FROM ${scheduledChanges} WHERE ${isUnfinished(projectId, flagId)}) < ${MAX_PENDING_OF_FLAG}
    AND (SELECT count(*) FROM ${scheduledChanges} WHERE ${isUnfinished(projectId)}) < ${MAX_PENDING_OF_PROJECT}`

const tooMany = () =>
  invalid(
    'record_id',
    `At most ${MAX_PENDING_OF_FLAG} scheduled changes of a flag and ${MAX_PENDING_OF_PROJECT} of a project can wait.`,
    'limit_reached',
  )
