// Performs tasks of the outbox.
import { eq } from 'drizzle-orm'
import { projects } from '../../drizzle'
import { clickhouseOf } from '../analytics/clickhouse/server'
import {
  type DeletionBudget,
  deleteFromClickhouse,
  deleteFromShard,
  lastPassOf,
  MAX_DELETION_BATCHES,
} from '../analytics/delete-person-data'
import { continueProjectDeletion } from './delete-project'
import { makeProjectDue } from '../endpoints/materialization/send-due-builds'
import { messagesOf } from '../analytics/ingestion/message'
import { readMemberCopies, readPeopleCopies } from '../analytics/ingestion/people-copies'
import { noRows } from '../outbox/ingestion-rows'
import { sendMessages } from '../analytics/ingestion/send'
import { type AnalyticsStore, openShard, STATEMENT_DEADLINE_MS } from '../storage/shards'
import { apiErrorIn } from '../errors'
import { sendFill } from '../flags/cohorts/fill-cohort'
import { describeError, type Log } from '../http/log/request-log'
import type { Database } from '../storage/database'
import type { Meter } from '../storage/metered-d1'
import { claimDueTasks, deleteTasks, repeatTask, type StoredTask } from '../outbox/outbox'
import type { OutboxTask } from '../outbox/task'
import { deleteCachedResults } from '../outbox/shard-cleanup'

export interface PerformDeps {
  db: Database
  env: Env
  meter: Meter
}

/** The delay of a task that was not tried, because another one has found its shard unavailable. */
const UNTRIED_MS = 60_000

/** The context of one run of the trigger. */
interface Run {
  now: Date
  deletions: DeletionBudget
  /** Bindings of the shards that failed. */
  unavailable: Set<string>
}

/** Performs a task and deletes it. @throws when the other system fails; then the task stays. */
async function performTask(
  deps: PerformDeps,
  store: AnalyticsStore,
  stored: StoredTask,
  { now: at, deletions }: Run,
): Promise<void> {
  const { db, env, meter } = deps
  const { id, projectId, task } = stored
  const shard = () => openShard(env, store.shard, meter, STATEMENT_DEADLINE_MS).d1
  switch (task.kind) {
    case 'copy_people': {
      for await (const copies of readPeopleCopies(db, projectId, task))
        await sendMessages(env.INGESTION, messagesOf({ projectId, store }, copies))
      break
    }
    case 'copy_members': {
      const copies = await readMemberCopies(db, projectId, task.cohortId, task.persons)
      await sendMessages(env.INGESTION, messagesOf({ projectId, store }, copies))
      break
    }
    case 'fill_cohort':
      // The consumer deletes the task when the cohort is filled.
      return sendFill(env, id)
    case 'store_event':
      // The consumer deletes the task when it has stored the event.
      return sendMessages(env.INGESTION, messagesOf({ projectId, store }, noRows(), [id]))
    case 'delete_person_data': {
      if (!(await deleteFromShard(shard(), projectId, task, deletions))) {
        await repeatTask(db, at, id)
        return
      }
      const server = clickhouseOf(env)
      if (server) await deleteFromClickhouse(server, projectId, task)
      // Stored results from before the deletion may show the person.
      await deleteCachedResults(shard(), projectId)
      await makeProjectDue(db, projectId, at)
      const lastPass = lastPassOf(task)
      if (at >= lastPass) break
      await repeatTask(db, lastPass, id)
      return
    }
    case 'delete_project': {
      const context = { env, meter, shard: shard(), projectId, task }
      const left = await continueProjectDeletion(context, at, deletions)
      if (!left) break
      await repeatTask(db, left.at, id, left.task)
      return
    }
  }
  await deleteTasks(db, [id])
}

const writesToShard = ({ kind }: OutboxTask): boolean =>
  kind === 'delete_person_data' || kind === 'delete_project'

async function storeOf(db: Database, { projectId, task }: StoredTask): Promise<AnalyticsStore | undefined> {
  if (task.kind === 'delete_project') return { shard: task.shard, queryEngine: 'd1' }
  const [store] = await db
    .select({ shard: projects.shard, queryEngine: projects.queryEngine })
    .from(projects)
    .where(eq(projects.id, projectId))
  return store
}

/** Performs a task, unless its shard is unavailable: then the task stays. */
async function performUnlessUnavailable(deps: PerformDeps, task: StoredTask, run: Run): Promise<void> {
  const store = await storeOf(deps.db, task)
  // The project is deleted, and so is what the task is about.
  if (!store) {
    await deleteTasks(deps.db, [task.id])
    return
  }
  if (!writesToShard(task.task)) return performTask(deps, store, task, run)
  const { now, unavailable } = run
  // What is not tried keeps its place: after an outage it does not wait for the delay of a failure.
  if (unavailable.has(store.shard)) {
    await repeatTask(deps.db, new Date(now.getTime() + UNTRIED_MS), task.id)
    return
  }
  try {
    await performTask(deps, store, task, run)
  } catch (error) {
    if (apiErrorIn(error)?.status === 503) unavailable.add(store.shard)
    throw error
  }
}

/** Retries due tasks. A failing task does not stop the others; an unavailable shard is tried once. */
export async function performDueTasks(deps: PerformDeps, now: Date, log: Log): Promise<void> {
  const tasks = await claimDueTasks(deps.db, now)
  const run: Run = { now, deletions: { batches: MAX_DELETION_BATCHES }, unavailable: new Set() }
  for (const task of tasks) {
    try {
      await performUnlessUnavailable(deps, task, run)
    } catch (error) {
      log({ level: 'error', message: `outbox task ${task.task.kind} failed`, error: describeError(error) })
    }
  }
}
