// Fills static cohorts, chunk by chunk. The task of the outbox has the position, so that the work resumes where it ended.
import { withEngines } from '../../evaluation/regex/load-backtracking'
import { eq, sql } from 'drizzle-orm'
import { cohortMembers, cohorts } from '../../../drizzle'
import {
  type PersonRow,
  selectPersonsAfter,
  subjectFrom,
  UnreadableProperties,
} from '../../analytics/evaluation-subject'
import { within } from '../../deadline'
import { deleteTask, moveTask, readTask } from '../../outbox/outbox'
import type { OutboxTask } from '../../outbox/task'
import { flagSetFrom, selectFlagClosure } from '../../snapshots/definitions'
import { EvaluationBudget } from '../../evaluation/budget'
import { compile } from '../../evaluation/compile/compile'
import type { CompiledFlagSet } from '../../evaluation/compile/compiled'
import { evaluate } from '../../evaluation/evaluate'
import { selectGeneration } from '../../storage/flags-generation'
import type { Database } from '../../storage/database'
import { bumpPeopleVersion } from '../../analytics/capture/write'
import { messagesOf } from '../../analytics/ingestion/message'
import { noRows } from '../../outbox/ingestion-rows'
import { sendMessages } from '../../analytics/ingestion/send'
import type { AnalyticsStore } from '../../storage/shards'
import { toStoredTimestamp } from '../../timestamps'

/** People a chunk: one read and one write. */
const CHUNK = 500
/** Chunks before the task waits in the queue again, behind other work. */
const CHUNKS_AT_ONCE = 20

export type CohortFill = Extract<OutboxTask, { kind: 'fill_cohort' }>

const DEADLINE_MS = 5_000

/** Has the queue of builds continue a task. The minute's trigger sends a lost message again. */
export async function sendFill({ BUILDS }: Pick<Env, 'BUILDS'>, taskId: string): Promise<void> {
  await within(BUILDS.send({ taskId }), DEADLINE_MS)
}

/**
 * Evaluates the next people of a fill, and sends the rest of it to the queue. The last part deletes the task.
 * @throws when a database or a queue fails: the task has the position then.
 */
export async function continueFill(db: Database, env: Env, taskId: string, now: Date): Promise<void> {
  const stored = await readTask(db, taskId)
  if (stored?.task.kind !== 'fill_cohort') return
  const { projectId, task } = stored
  const fill = { ...task, projectId, after: task.after ?? 0 }
  const flags = await readFlag(db, fill)
  for (let chunk = 0; chunk < CHUNKS_AT_ONCE; chunk += 1) {
    const last = await fillChunk(db, fill, flags, env.INGESTION)
    if (last === null) {
      await db.batch([finish(db, fill), deleteTask(db, taskId)])
      return
    }
    fill.after = last
    // After the members: repeating a chunk is idempotent.
    await moveTask(db, now, taskId, { ...task, after: last })
  }
  await sendFill(env, taskId)
}

interface Fill extends CohortFill {
  projectId: number
  /** Id of the last evaluated person. */
  after: number
}

interface Flags {
  compiled: CompiledFlagSet
  /** Null: the flag does not exist. */
  key: string | null
  timezone: string
  store: AnalyticsStore
}

async function readFlag(db: Database, { projectId, flagId }: Fill): Promise<Flags> {
  const [[project], flags, cohortRows, groupTypes] = await db.batch([
    selectGeneration(db, projectId),
    ...selectFlagClosure(db, projectId, { flagIds: [flagId] }),
  ])
  return {
    compiled: await withEngines(
      compile(flagSetFrom(project?.matchingVersion ?? 1, flags, cohortRows, groupTypes)),
    ),
    key: flags.find(({ id }) => id === flagId)?.key ?? null,
    timezone: project?.timezone ?? 'UTC',
    store: { shard: project?.shard ?? 'EVENTS', queryEngine: project?.queryEngine ?? 'd1' },
  }
}

/**
 * Adds the next people for whom the flag is on.
 * @returns the id of the last one evaluated; null when there are no more, or no cohort
 */
async function fillChunk(
  db: Database,
  fill: Fill,
  flags: Flags,
  queue: Env['INGESTION'],
): Promise<number | null> {
  const people = flags.key === null ? [] : await selectPersonsAfter(db, fill.projectId, fill.after, CHUNK)
  // A flag that exceeds the budget fails and is off, as for `/flags`.
  const budget = new EvaluationBudget()
  const members = people.filter((person) => isOn(flags, person, Date.parse(fill.now), budget))
  if (members.length > 0) {
    const { projectId, cohortId } = fill
    const ids = JSON.stringify(members.map(({ id }) => id))
    const [[project], [cohort]] = await db.batch([
      bumpPeopleVersion(db, projectId),
      db.select({ id: cohorts.id }).from(cohorts).where(eq(cohorts.id, cohortId)),
      db
        .insert(cohortMembers)
        .select(
          sql`SELECT c.id, value, (SELECT people_version FROM projects WHERE id = ${projectId})
            FROM json_each(${ids}) CROSS JOIN cohorts c WHERE c.id = ${cohortId}`,
        )
        .onConflictDoNothing(),
    ])
    if (!cohort) return null
    const version = project?.version ?? 0
    const copies = members.map(({ uuid }) => ({ cohortId, personUuid: uuid, version, isDeleted: false }))
    // Before the position is stored: a crash in between repeats the chunk.
    await sendMessages(
      queue,
      messagesOf({ projectId, store: flags.store }, { ...noRows(), cohortPeople: copies }),
    )
  }
  return people.at(-1)?.id ?? null
}

function isOn(
  { compiled, key, timezone }: Flags,
  person: PersonRow,
  now: number,
  budget: EvaluationBudget,
): boolean {
  try {
    const subject = subjectFrom(person, [], { distinctId: person.firstDistinctId ?? '' })
    const { flags } = evaluate(compiled, subject, {
      now,
      timezone,
      flagKeys: [key!],
      includeEncrypted: true,
      budget,
    })
    return flags.get(key!)?.enabled ?? false
  } catch (error) {
    // A malformed row must not stop the others.
    if (error instanceof UnreadableProperties) return false
    throw error
  }
}

const finish = (db: Database, { cohortId, now }: Fill) =>
  db
    .update(cohorts)
    .set({
      isCalculating: false,
      lastCalculation: toStoredTimestamp(new Date(now)),
      count: sql`(SELECT count(*) FROM cohort_members m WHERE m.cohort_id = cohorts.id)`,
    })
    .where(eq(cohorts.id, cohortId))
