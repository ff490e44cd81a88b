// Fills static cohorts, chunk by chunk. The task in the outbox has the position, so that the work resumes where it ended.
import { withEngines } from '../../evaluation/regex/load-engines'
import { and, eq, sql } from 'drizzle-orm'
import { cohortMembers, cohorts, featureFlags, outbox } from '../../../drizzle'
import {
  type PersonRow,
  relatedRowsOf,
  selectPersonsAfter,
  subjectFrom,
  UnreadableProperties,
} from '../../analytics/evaluation-subject'
import type { Clock } from '../../clock'
import { within } from '../../deadline'
import type { FillWork } from '../../long-work'
import { deleteTasks, GRACE_MS, readTask, repeatTask } from '../../outbox/outbox'
import type { OutboxTask } from '../../outbox/task'
import { flagSetFrom, selectFlagClosure } from '../../snapshots/definitions'
import { EvaluationBudget, MAX_EVALUATION_STEPS } from '../../evaluation/budget'
import { compile } from '../../evaluation/compile/compile'
import type { CompiledFlagSet } from '../../evaluation/compile/compiled'
import { evaluate } from '../../evaluation/evaluate'
import type { FlagResult } from '../../evaluation/results'
import { selectGeneration } from '../../storage/flags-generation'
import { type Database, guard, isGuardFailure } from '../../storage/database'
import { runBatch } from '../../storage/run-batch'
import { bumpPeopleVersion } from '../../analytics/capture/write'
import { messagesOf } from '../../analytics/ingestion/message'
import { noRows } from '../../outbox/ingestion-rows'
import { sendMessages } from '../../analytics/ingestion/send'
import type { AnalyticsStore } from '../../storage/shards'
import { toStoredTimestamp } from '../../timestamps'

/** People of a chunk, which takes one read and one write. */
const CHUNK = 500
/** Maximum chunks before the task waits in the queue again, behind other work. */
const CHUNKS_AT_ONCE = 20
/** Maximum steps of evaluation before that: a few seconds. One person may take MAX_EVALUATION_STEPS, as in `/flags`. */
const STEPS_AT_ONCE = 4 * MAX_EVALUATION_STEPS

export type CohortFill = Extract<OutboxTask, { kind: 'fill_cohort' }>

const DEADLINE_MS = 5_000

/** Sends the task to the queue of long work, whose consumer continues it. */
export async function sendFill({ BUILDS }: Pick<Env, 'BUILDS'>, taskId: string): Promise<void> {
  await within(BUILDS.send({ kind: 'fill', taskId } satisfies FillWork), DEADLINE_MS)
}

/** The work that one message may still do. */
interface Share {
  chunks: number
  steps: number
}

/**
 * Evaluates the next people of a fill, and sends the rest of it to the queue. The last part deletes the task. When two messages continue
 * a task, the slower one ends. A flag that has another version ends the fill, because members of two definitions answer no question; so does
 * a deleted cohort.
 * @throws when a database or a queue fails; the task then has the position
 */
export async function continueFill(db: Database, env: Env, taskId: string, clock: Clock): Promise<void> {
  const stored = await readTask(db, taskId)
  if (stored?.task.kind !== 'fill_cohort') return
  const { projectId, task } = stored
  const fill: Fill = { ...task, taskId, projectId, after: task.after ?? 0, errors: task.errors ?? 0 }
  const flags = await readFlag(db, fill)
  const share: Share = { chunks: CHUNKS_AT_ONCE, steps: STEPS_AT_ONCE }
  try {
    while (share.chunks > 0 && share.steps > 0) {
      share.chunks -= 1
      const last =
        flags.isCurrent && flags.isWanted ? await fillChunk(db, fill, flags, share, env.INGESTION) : null
      if (last === null) {
        if (!flags.isCurrent) fill.errors += 1
        await runBatch(db, [guardPosition(db, fill), finish(db, fill), deleteTasks(db, [taskId])])
        return
      }
      // The task becomes due again when it makes no progress for a while.
      const dueAt = new Date(clock.now().getTime() + GRACE_MS)
      const moved = repeatTask(db, dueAt, taskId, { ...task, after: last, errors: fill.errors })
      await runBatch(db, [guardPosition(db, fill), moved])
      fill.after = last
    }
  } catch (error) {
    if (isGuardFailure(error)) return
    throw error
  }
  await sendFill(env, taskId)
}

/** Fails the batch of a message that another one has overtaken. */
const guardPosition = (db: Database, { taskId, after }: Fill) =>
  guard(
    db,
    sql`EXISTS (SELECT 1 FROM ${outbox} WHERE id = ${taskId} AND coalesce(task ->> '$.after', 0) = ${after})`,
  )

interface Fill extends CohortFill {
  taskId: string
  projectId: number
  /** The id of the last evaluated person. */
  after: number
  /** Persons so far that could not be evaluated. */
  errors: number
}

interface Flags {
  compiled: CompiledFlagSet
  /** The key of the flag. It is null when the flag is deleted. */
  key: string | null
  /** Whether the flag has the version from which the cohort is made. */
  isCurrent: boolean
  /** Whether the cohort exists. */
  isWanted: boolean
  timezone: string
  store: AnalyticsStore
}

async function readFlag(db: Database, { projectId, flagId, cohortId, version }: Fill): Promise<Flags> {
  const [[project], [stored], [cohort], flags, cohortRows, groupTypes] = await db.batch([
    selectGeneration(db, projectId),
    db
      .select({ version: featureFlags.version })
      .from(featureFlags)
      .where(and(eq(featureFlags.projectId, projectId), eq(featureFlags.id, flagId))),
    db
      .select({ id: cohorts.id })
      .from(cohorts)
      .where(and(eq(cohorts.projectId, projectId), eq(cohorts.id, cohortId), eq(cohorts.deleted, false))),
    ...selectFlagClosure(db, projectId, { flagIds: [flagId] }),
  ])
  return {
    compiled: await withEngines(
      compile(flagSetFrom(project?.matchingVersion ?? 1, flags, cohortRows, groupTypes)),
    ),
    key: flags.find(({ id }) => id === flagId)?.key ?? null,
    isCurrent: stored?.version === version,
    isWanted: cohort !== undefined,
    timezone: project?.timezone ?? 'UTC',
    store: { shard: project?.shard ?? 'EVENTS', queryEngine: project?.queryEngine ?? 'd1' },
  }
}

/**
 * Adds the next people for whom the flag is on. They are copied to the store before the position moves, so that a chunk is repeated after
 * a failure.
 * @param fill counts in `errors` those who cannot be evaluated
 * @param share is lowered by the steps that this takes
 * @returns the id of the last evaluated person; null when there are no more people, or no flag
 */
async function fillChunk(
  db: Database,
  fill: Fill,
  flags: Flags,
  share: Share,
  queue: Env['INGESTION'],
): Promise<number | null> {
  const people =
    flags.key === null
      ? []
      : await selectPersonsAfter(db, fill.projectId, relatedRowsOf(flags.compiled), fill.after, CHUNK)
  const members: PersonRow[] = []
  let last: number | null = null
  for (const person of people) {
    if (share.steps <= 0) break
    const budget = new EvaluationBudget()
    const result = resultFor(flags, person, Date.parse(fill.now), budget)
    if (!result || result.failed) fill.errors += 1
    else if (result.enabled) members.push(person)
    share.steps -= MAX_EVALUATION_STEPS - budget.left
    last = person.id
  }
  if (members.length > 0) {
    const { projectId, cohortId } = fill
    const ids = JSON.stringify(members.map(({ id }) => id))
    const [, [project]] = (await runBatch(db, [
      guardPosition(db, fill),
      bumpPeopleVersion(db, projectId),
      db
        .insert(cohortMembers)
        .select(
          sql`SELECT c.id, value, (SELECT people_version FROM projects WHERE id = ${projectId})
            FROM json_each(${ids}) CROSS JOIN cohorts c WHERE c.id = ${cohortId}`,
        )
        .onConflictDoNothing(),
    ])) as [unknown, { version: number }[]]
    const version = project?.version ?? 0
    const copies = members.map(({ uuid }) => ({ cohortId, personUuid: uuid, version, isDeleted: false }))
    await sendMessages(
      queue,
      messagesOf({ projectId, store: flags.store }, { ...noRows(), cohortPeople: copies }),
    )
  }
  return last
}

/** Returns the result of the flag; undefined when there is none: the person cannot be read, or the flag depends on itself. */
function resultFor(
  { compiled, key, timezone }: Flags,
  person: PersonRow,
  now: number,
  budget: EvaluationBudget,
): FlagResult | undefined {
  try {
    const subject = subjectFrom(person, [], { distinctId: person.firstDistinctId ?? '' })
    const { flags } = evaluate(compiled, subject, {
      now,
      timezone,
      flagKeys: [key!],
      includeEncrypted: true,
      includeDisabled: true,
      budget,
    })
    return flags.get(key!)
  } catch (error) {
    // A malformed row must not stop the others.
    if (error instanceof UnreadableProperties) return undefined
    throw error
  }
}

const finish = (db: Database, { cohortId, now, errors }: Fill) =>
  db
    .update(cohorts)
    .set({
      isCalculating: false,
      errorsCalculating: errors,
      lastCalculation: toStoredTimestamp(new Date(now)),
      count: sql`(SELECT count(*) FROM cohort_members m WHERE m.cohort_id = cohorts.id)`,
    })
    .where(eq(cohorts.id, cohortId))
