// Deletes a person from the main database at once. Tasks of the outbox delete its history, copies and events.
import { Buffer } from 'node:buffer'
import { asc, eq, inArray, sql } from 'drizzle-orm'
import { cohortMembers, cohorts, personDistinctIds, persons, projects } from '../../drizzle'
import { recordActivity } from '../activity/record'
import type { Actor, Project } from '../auth/actor'
import type { Deps } from '../deps'
import { notFound } from '../errors'
import { insertTask, deleteTasks } from '../outbox/outbox'
import { guard } from '../storage/database'
import { isAmong } from '../storage/id-predicates'
import { chunksOf } from '../storage/json-parameters'
import { retryOnConflict } from '../storage/retry-on-conflict'
import { runBatch } from '../storage/run-batch'
import { toStoredTimestamp } from '../timestamps'
import { bumpPeopleVersion } from './capture/write'
import { messagesOf } from './ingestion/message'
import { readPeopleCopies } from './ingestion/people-copies'
import { sendMessages } from './ingestion/send'
import { personById } from './person-records'

/** Maximum distinct ids and bytes of one task. ClickHouse gets the ids in the text of a statement. */
const MAX_TASK_IDS = 1_000
const MAX_TASK_BYTES = 100_000

interface DeletionContext {
  deps: Deps
  actor: Actor
  project: Project
}

/**
 * Deletes a person with distinct ids, memberships and property history. An event that arrives later under one of the ids makes a new person.
 * @param id numeric or a uuid
 * @param deleteEvents also deletes the events that arrived so far
 * @throws 404; 503 when events of the person keep arriving
 */
export async function deletePerson(
  context: DeletionContext,
  id: string,
  { deleteEvents }: { deleteEvents: boolean },
): Promise<void> {
  const { deps, project } = context
  const { uuid, copyTask } = await retryOnConflict(() => tryDeletion(context, id, deleteEvents))
  // The copies are sent at once, so that queries need not wait for the trigger.
  deps.afterResponse(async () => {
    for await (const copies of readPeopleCopies(deps.db, project.id, { persons: [uuid], groups: [] }))
      await sendMessages(
        deps.env.INGESTION,
        messagesOf({ projectId: project.id, store: project.store }, copies),
      )
    await deleteTasks(deps.db, [copyTask])
  })
}

async function tryDeletion({ deps, actor, project }: DeletionContext, id: string, deleteEvents: boolean) {
  const { db } = deps
  const which = personById(project.id, id)
  if (!which) throw notFound()
  const thePerson = db.select({ id: persons.id }).from(persons).where(which)
  const [[person], distinctIds, members, [state]] = await db.batch([
    db.select({ id: persons.id, uuid: persons.uuid, version: persons.version }).from(persons).where(which),
    db
      .select({ distinctId: personDistinctIds.distinctId })
      .from(personDistinctIds)
      .where(inArray(personDistinctIds.personId, thePerson))
      .orderBy(asc(personDistinctIds.distinctId)),
    db
      .select({ cohortId: cohortMembers.cohortId })
      .from(cohortMembers)
      .where(inArray(cohortMembers.personId, thePerson)),
    db.select({ peopleVersion: projects.peopleVersion }).from(projects).where(eq(projects.id, project.id)),
  ])
  if (!person) throw notFound()
  const now = deps.clock.now()
  const cohortIds = members.map(({ cohortId }) => cohortId)
  const copy = insertTask(deps, now, project.id, { kind: 'copy_people', persons: [person.uuid], groups: [] })
  const ids = chunksOf(
    distinctIds.map(({ distinctId }) => distinctId),
    (text) => Buffer.byteLength(text) + 3,
    MAX_TASK_BYTES,
    MAX_TASK_IDS,
  )
  const deletions = (ids.length > 0 ? ids : [[]]).map((chunk) =>
    insertTask(deps, now, project.id, {
      kind: 'delete_person_data',
      person: person.uuid,
      distinctIds: chunk,
      cohortIds,
      deleteEvents,
      version: state?.peopleVersion ?? 0,
      before: toStoredTimestamp(now),
    }),
  )
  await runBatch(db, [
    guard(
      db,
      sql`(SELECT version FROM persons WHERE id = ${person.id}) = ${person.version}
        AND (SELECT count(*) FROM person_distinct_ids WHERE person_id = ${person.id}) = ${distinctIds.length}
        AND (SELECT count(*) FROM cohort_members WHERE person_id = ${person.id}) = ${cohortIds.length}`,
    ),
    bumpPeopleVersion(db, project.id),
    db
      .update(cohorts)
      .set({ count: sql`${cohorts.count} - 1` })
      .where(isAmong(cohortIds, cohorts.id)),
    db.delete(persons).where(eq(persons.id, person.id)),
    recordActivity(deps, now, {
      projectId: project.id,
      actor,
      scope: 'Person',
      itemId: person.uuid,
      verb: 'deleted',
      // The activity log keeps no personal data.
      name: person.uuid,
      changes: [],
    }),
    copy.statement,
    ...deletions.map(({ statement }) => statement),
  ])
  return { uuid: person.uuid, copyTask: copy.id }
}
