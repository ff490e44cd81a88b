// Creates scheduled changes, and updates and cancels them while they wait.
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { featureFlags, scheduledChanges } from '../../../drizzle'
import { diff } from '../../activity/diff'
import type { ActivityVerb, Change } from '../../activity/entry'
import { recordActivity } from '../../activity/record'
import { userOf } from '../../auth/actor'
import { settings } from '../../settings'
import { apiErrorIn, invalid, notFound } from '../../errors'
import { countOf, totalIn } from '../../storage/count'
import { guard, type Database } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch, runIf } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import type { FlagContext } from '../context'
import { type FlagRow, selectFlag } from '../read/rows'
import { pick } from '../state'
import { readWriteFacts } from '../write/facts'
import { planUpdate } from '../write/plan-update'
import { type ChangePayload, parsePayload } from './payload'
import { changeById, changeFrom, type ScheduledChangeRow, selectChange } from './read-changes'
import { nextOccurrence } from './recurrence'
import type { ScheduledChangeBody, ScheduledChangeUpdate } from './schema'
import { updateOf } from './update-of'

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
  const [[flag], ofFlag, ofProject] = (await runBatch(db, [
    selectFlag(db, { projectId: project.id, id: flagId }),
    countPending(db, project.id, flagId),
    countPending(db, project.id),
  ])) as [FlagRow[], { total: number }[], { total: number }[]]
  if (!flag || flag.deleted)
    throw invalid('record_id', `Feature flag ${flagId} does not exist.`, 'does_not_exist')
  if (totalIn(ofFlag) >= MAX_PENDING_OF_FLAG) throw tooMany('A flag', MAX_PENDING_OF_FLAG)
  if (totalIn(ofProject) >= MAX_PENDING_OF_PROJECT) throw tooMany('A project', MAX_PENDING_OF_PROJECT)
  await checkChange(context, flag, payload)

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
      entryOf(context, { id: newest, key: flag.key }, 'created'),
      selectChange(db, project.id, newest),
    ],
    () => tooMany('A flag', MAX_PENDING_OF_FLAG),
  )
  return changeFrom(rows[0]!)
}

/** @throws 404; 400 naming the field, and for a change that has ended. */
export async function updateChange(context: FlagContext, id: number, body: ScheduledChangeUpdate) {
  const { deps, project } = context
  const { db } = deps
  const sent = body.payload && parsePayload(body.payload)
  const row = await retryOnConflict(async () => {
    const { before, key } = await getWithKey(context, id)
    if (before.executedAt !== null)
      throw invalid(null, 'This change has ended and cannot be updated. Schedule a new one.')
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
      const [flag] = await selectFlag(db, { projectId: project.id, id: before.flagId })
      if (flag) await checkChange(context, flag, sent)
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
      entryOf(
        context,
        { id, key },
        'updated',
        diff('ScheduledChange', LOGGED, loggedOf(before), loggedOf({ ...before, ...timing, payload })),
      ),
      selectChange(db, project.id, id),
    ])
    const [after] = results.at(-1) as ScheduledChangeRow[]
    return after!
  })
  return changeFrom(row)
}

/** Cancels a change that waits, or removes one that has ended. @throws 404 */
export async function deleteChange(context: FlagContext, id: number): Promise<void> {
  const { db } = context.deps
  const isOwn = changeById(context.project.id, id)
  const { key } = await getWithKey(context, id)
  await runIf(
    db,
    sql`EXISTS (SELECT 1 FROM ${scheduledChanges} WHERE ${isOwn})`,
    [db.delete(scheduledChanges).where(isOwn), entryOf(context, { id, key }, 'deleted')],
    notFound,
  )
}

/** Returns a change and the key of its flag. @throws 404 */
async function getWithKey({ deps: { db }, project }: FlagContext, id: number) {
  const [[before], [flag]] = await db.batch([
    selectChange(db, project.id, id),
    db
      .select({ key: featureFlags.key })
      .from(featureFlags)
      .where(
        sql`${featureFlags.id} = (SELECT flag_id FROM ${scheduledChanges} WHERE ${changeById(project.id, id)})`,
      ),
  ])
  if (!before || !flag) throw notFound()
  return { before, key: flag.key }
}

const entryOf = (
  { deps, actor, project }: FlagContext,
  { id, key }: { id: number | SQL; key: string },
  verb: ActivityVerb,
  changes: Change[] = [],
) =>
  recordActivity(deps, deps.clock.now(), {
    projectId: project.id,
    actor,
    scope: 'ScheduledChange',
    itemId: typeof id === 'number' ? String(id) : id,
    verb,
    name: key,
    changes,
  })

const LOGGED = ['payload', 'scheduled_at', 'is_recurring', 'recurrence_interval', 'end_date'] as const

/** Returns the fields of a change that the activity log shows, in the form of the API. */
const loggedOf = (row: ScheduledChangeRow) => pick(changeFrom(row), LOGGED)

type Timing = Pick<ScheduledChangeRow, 'scheduledAt' | 'isRecurring' | 'recurrenceInterval' | 'endDate'>

/**
 * Returns the columns of a schedule.
 * @param stored the change before an update
 * @throws 400 naming the field
 */
function timingOf(timing: Timing, { operation }: ChangePayload, now: Date, stored?: ScheduledChangeRow) {
  const { scheduledAt, isRecurring, recurrenceInterval, endDate } = timing
  const isMoved = scheduledAt !== stored?.scheduledAt
  const isPaused = !isRecurring && recurrenceInterval !== null
  const isPast = scheduledAt <= toStoredTimestamp(now)
  // A change that is due now stays due.
  if (isPast && !isPaused && (isMoved || (stored.dueAt === null && !isRecurring)))
    throw invalid('scheduled_at', 'This time has passed. It must be in the future.')
  if (isRecurring && recurrenceInterval === null)
    throw invalid('recurrence_interval', 'This field is required when is_recurring is true.', 'required')
  if (recurrenceInterval !== null && operation !== 'update_status')
    throw invalid('recurrence_interval', 'Only update_status can be repeated.')
  if (endDate !== null && endDate < scheduledAt)
    throw invalid('end_date', 'This must not be before scheduled_at.')
  const firstAt = isMoved ? scheduledAt : stored.firstAt
  if (isPaused) return { ...timing, firstAt, dueAt: null }
  const isResumed = recurrenceInterval !== null && stored?.dueAt === null
  const dueAt =
    isPast && isResumed
      ? nextOccurrence({ firstAt, interval: recurrenceInterval, endDate }, now)
      : scheduledAt
  if (dueAt === null) throw invalid('end_date', 'No time is left before it.')
  return { ...timing, scheduledAt: dueAt, firstAt, dueAt }
}

/**
 * Plans the change for the flag in its current state, so that a mistake is reported at once. Whether a flag may be enabled or disabled is
 * decided by the run, because it depends on other flags.
 * @throws 400, attr `payload`
 */
async function checkChange({ deps, actor, project }: FlagContext, flag: FlagRow, payload: ChangePayload) {
  const body = updateOf(payload, flag)
  if (payload.operation === 'update_status') return
  const write = { kind: 'update' as const, id: flag.id, body, actor, project }
  const limits = { now: deps.clock.now().getTime(), maxFlags: settings(deps.env).maxFlagsPerProject }
  const group = await readWriteFacts(deps.db, [{ ...write, ...limits }])
  if (!group) throw notFound()
  try {
    planUpdate(flag, group.facts[0]!, body, project)
  } catch (error) {
    const rejection = apiErrorIn(error)
    if (!rejection) throw error
    throw invalid('payload', rejection.detail, rejection.code)
  }
}

const isPending = (projectId: number, flagId?: number) =>
  and(
    eq(scheduledChanges.projectId, projectId),
    isNull(scheduledChanges.executedAt),
    flagId === undefined ? undefined : eq(scheduledChanges.flagId, flagId),
  )

const countPending = (db: Database, projectId: number, flagId?: number) =>
  countOf(db, scheduledChanges, isPending(projectId, flagId))

const isBelowLimits = (projectId: number, flagId: number): SQL =>
  sql`(SELECT count(*) FROM ${scheduledChanges} WHERE ${isPending(projectId, flagId)}) < ${MAX_PENDING_OF_FLAG}
    AND (SELECT count(*) FROM ${scheduledChanges} WHERE ${isPending(projectId)}) < ${MAX_PENDING_OF_PROJECT}`

const tooMany = (owner: string, max: number) =>
  invalid('record_id', `${owner} can have at most ${max} scheduled changes that wait.`, 'limit_reached')

/** Write guard: the change was not changed, and has not run. */
const isUnchanged = ({ id, updatedAt, dueAt, executedAt }: ScheduledChangeRow): SQL =>
  sql`EXISTS (SELECT 1 FROM scheduled_changes s WHERE s.id = ${id} AND s.updated_at = ${updatedAt}
    AND s.due_at IS ${dueAt} AND s.executed_at IS ${executedAt})`
