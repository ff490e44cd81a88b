// Members of static cohorts. The main database has them for flags, and analytics stores get copies for queries.
import { eq, sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { cohortMembers, cohorts } from '../../../drizzle'
import { recordActivity } from '../../activity/record'
import { bumpPeopleVersion } from '../../analytics/capture/write'
import { cohortById, getCohort } from './read-cohorts'
import { readMemberCopies } from '../../analytics/ingestion/people-copies'
import { messagesOf } from '../../analytics/ingestion/message'
import { sendMessages } from '../../analytics/ingestion/send'
import { invalid, notFound } from '../../errors'
import { deleteTasks, insertTask } from '../../outbox/outbox'
import type { OutboxTask } from '../../outbox/task'
import type { Database } from '../../storage/database'
import { runBatch } from '../../storage/run-batch'
import { toStoredTimestamp } from '../../timestamps'
import type { FlagContext } from '../context'
import type { MemberIds } from './csv'

/** Maximum persons that one request adds. */
const MAX_ADDED = 10_000

/** Maximum persons of one task. */
const CHUNK = 1_000

export interface Members {
  /** Uuids of the persons, each once. */
  uuids: readonly string[]
  /** Ids that no person has. */
  unknown: readonly string[]
}

export interface Addition {
  statements: BatchItem<'sqlite'>[]
  taskIds: string[]
}

/** Finds the persons with these ids. @throws 400 for more persons than a request may add */
export async function findMembers(
  db: Database,
  projectId: number,
  { field, kind, ids }: MemberIds,
): Promise<Members> {
  if (ids.length > MAX_ADDED)
    throw invalid(
      field,
      `At most ${MAX_ADDED} persons can be added in one request: add the others in further requests.`,
    )
  const wanted = sql`json_each(${JSON.stringify(kind === 'person_id' ? ids.map((id) => id.toLowerCase()) : ids)}) wanted`
  const rows = await db
    .select({ place: sql<number>`wanted.key`.as('place'), uuid: sql<string>`p.uuid`.as('uuid') })
    .from(
      kind === 'person_id'
        ? sql`${wanted} CROSS JOIN persons p ON p.project_id = ${projectId} AND p.uuid = wanted.value`
        : sql`${wanted} CROSS JOIN person_distinct_ids d ON d.project_id = ${projectId} AND d.distinct_id = wanted.value
            CROSS JOIN persons p ON p.id = d.person_id`,
    )
  const known = new Set(rows.map(({ place }) => place))
  return {
    uuids: [...new Set(rows.map(({ uuid }) => uuid))],
    unknown: ids.filter((_, place) => !known.has(place)),
  }
}

/** SQL that counts the current members. */
const countMembers = (db: Database, cohortId: number | SQL<number>, now: Date) =>
  db
    .update(cohorts)
    .set({
      lastCalculation: toStoredTimestamp(now),
      count: sql`(SELECT count(*) FROM cohort_members m WHERE m.cohort_id = cohorts.id)`,
    })
    .where(cohortById(cohortId))

/** @param cohortId may be SQL of a cohort that the same batch creates */
export function prepareAddition(
  { deps, project }: FlagContext,
  cohortId: number | SQL<number>,
  { uuids }: Pick<Members, 'uuids'>,
  now: Date,
): Addition {
  const { db } = deps
  if (uuids.length === 0) return { statements: [countMembers(db, cohortId, now)], taskIds: [] }
  const tasks = copyTasks({ deps, project }, cohortId, uuids, now)
  return {
    taskIds: tasks.map(({ id }) => id),
    statements: [
      bumpPeopleVersion(db, project.id),
      db
        .insert(cohortMembers)
        .select(
          sql`SELECT ${cohortId}, p.id, (SELECT people_version FROM projects WHERE id = ${project.id})
            FROM json_each(${JSON.stringify(uuids)}) wanted
            CROSS JOIN persons p ON p.project_id = ${project.id} AND p.uuid = wanted.value WHERE true`,
        )
        .onConflictDoNothing(),
      countMembers(db, cohortId, now),
      ...tasks.map(({ statement }) => statement),
    ],
  }
}

function copyTasks(
  { deps, project }: Pick<FlagContext, 'deps' | 'project'>,
  cohortId: number | SQL<number>,
  uuids: readonly string[],
  now: Date,
) {
  return Array.from({ length: Math.ceil(uuids.length / CHUNK) }, (_, index) => {
    const persons = uuids.slice(index * CHUNK, (index + 1) * CHUNK)
    const task = JSON.stringify({ kind: 'copy_members', cohortId: 0, persons })
    return insertTask(deps, now, project.id, sql<OutboxTask>`json_set(${task}, '$.cohortId', ${cohortId})`)
  })
}

/** Sends copies of the members after the response. The outbox retries failures. */
export function copyMembers(
  { deps, project }: FlagContext,
  cohortId: number,
  { taskIds }: Pick<Addition, 'taskIds'>,
  { uuids }: Pick<Members, 'uuids'>,
): void {
  if (uuids.length === 0) return
  deps.afterResponse(async () => {
    const copies = await readMemberCopies(deps.db, project.id, cohortId, uuids)
    await sendMessages(
      deps.env.INGESTION,
      messagesOf({ projectId: project.id, store: project.store }, copies),
    )
    await deleteTasks(deps.db, taskIds)
  })
}

/**
 * Adds persons to a static cohort.
 * @param personIds uuids
 * @returns those that no person has
 * @throws 404; 400 for a dynamic cohort
 */
export async function addMembers(
  context: FlagContext,
  id: number,
  personIds: readonly string[],
): Promise<readonly string[]> {
  const { deps, project } = context
  const cohort = await getStatic(context, id, 'Can only add users to static cohorts')
  const members = await findMembers(deps.db, project.id, {
    field: 'person_ids',
    kind: 'person_id',
    ids: [...new Set(personIds)],
  })
  const now = deps.clock.now()
  const addition = prepareAddition(context, id, members, now)
  await runBatch(deps.db, [
    ...addition.statements,
    memberActivity(context, cohort, 'persons_added_manually', now),
  ])
  copyMembers(context, id, addition, members)
  return members.unknown
}

/**
 * @param personId uuid
 * @throws 404 without such a cohort or person; 400 for a dynamic cohort
 */
export async function removeMember(context: FlagContext, id: number, personId: string): Promise<void> {
  const { deps, project } = context
  const { db } = deps
  const cohort = await getStatic(context, id, 'Can only remove users from static cohorts')
  const members = await findMembers(db, project.id, {
    field: 'person_id',
    kind: 'person_id',
    ids: [personId],
  })
  const [uuid] = members.uuids
  if (uuid === undefined) throw notFound("Person with this UUID does not exist in the cohort's team")
  const now = deps.clock.now()
  const [task] = copyTasks(context, id, [uuid], now)
  await runBatch(db, [
    bumpPeopleVersion(db, project.id),
    db.delete(cohortMembers).where(
      sql`${eq(cohortMembers.cohortId, id)} AND ${cohortMembers.personId} = (SELECT p.id FROM persons p
          WHERE p.project_id = ${project.id} AND p.uuid = ${uuid})`,
    ),
    countMembers(db, id, now),
    task!.statement,
    memberActivity(context, cohort, 'person_removed_manually', now),
  ])
  copyMembers(context, id, { taskIds: [task!.id] }, members)
}

/** @throws 404; 400 with the text `problem`. */
async function getStatic({ deps, project }: FlagContext, id: number, problem: string) {
  const cohort = await getCohort(deps.db, project.id, id)
  if (!cohort.is_static) throw invalid(null, problem)
  return cohort
}

const memberActivity = (
  { deps, actor, project }: FlagContext,
  { id, name }: { id: number; name: string },
  verb: 'persons_added_manually' | 'person_removed_manually',
  now: Date,
) =>
  recordActivity(deps, now, {
    projectId: project.id,
    actor,
    scope: 'Cohort',
    itemId: String(id),
    verb,
    name,
    changes: [],
  })
