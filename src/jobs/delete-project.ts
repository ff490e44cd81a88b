// Deletes the data of a project whose row is deleted already, so that no token, key or page finds it. Each part is one statement or call.
// The task stores the step, so that the next run continues there.
import { deleteProjectFromClickhouse, lastPassOf, type DeletionBudget } from '../analytics/delete-person-data'
import { clickhouseOf } from '../analytics/clickhouse/server'
import { dropTables } from '../outbox/shard-cleanup'
import type { OutboxTask } from '../outbox/task'
import { createProjectObjects } from '../project/project-client'
import { deleteRowsSql, MAIN_ROWS, type ProjectRows, SHARD_ROWS } from '../retention/project-rows'
import { STATEMENT_DEADLINE_MS } from '../storage/shards'
import { meteredD1, type Meter } from '../storage/metered-d1'

type ProjectDeletion = Extract<OutboxTask, { kind: 'delete_project' }>

export interface DeletionContext {
  env: Env
  meter: Meter
  shard: D1Database
  projectId: number
  task: ProjectDeletion
}

/** Other isolates keep tokens for 60 s and keys for 30 s, and may write in that time. */
const cachesExpiredAt = ({ before }: ProjectDeletion): Date => new Date(Date.parse(before) + 120_000)

/** Maximum tables of materialized rows that one batch drops. */
const TABLES = 20

/** Does one part of a step. @returns whether the step is done */
type Step = (context: DeletionContext) => Promise<boolean>

async function deleteRows(database: D1Database, rows: ProjectRows, projectId: number): Promise<boolean> {
  const { meta } = await database.prepare(deleteRowsSql(rows)).bind(projectId, rows.chunk).run()
  // Cascades and triggers count, too: a full chunk is never missed, and at worst one more statement finds nothing.
  return meta.changes < rows.chunk
}

const inMain =
  (rows: ProjectRows): Step =>
  ({ env, meter, projectId }) =>
    deleteRows(meteredD1(env.DB, meter, { deadlineMs: STATEMENT_DEADLINE_MS }), rows, projectId)

const inShard =
  (rows: ProjectRows): Step =>
  ({ shard, projectId }) =>
    deleteRows(shard, rows, projectId)

/** Deletes the storage of the project object, and what it has published: during an outage of D1, KV would still have the token. */
const published: Step = async ({ env, meter, projectId, task }) => {
  await createProjectObjects(env.PROJECTS, meter).forget(projectId, task.token)
  return true
}

const materializedRows: Step = async ({ shard, projectId }) => {
  const { results } = await shard
    .prepare(`SELECT name FROM materialized_tables WHERE project_id = ?1 LIMIT ${TABLES}`)
    .bind(projectId)
    .all<{ name: string }>()
  await dropTables(
    shard,
    projectId,
    results.map(({ name }) => name),
  )
  return results.length < TABLES
}

const inClickhouse: Step = async ({ env, projectId }) => {
  const server = clickhouseOf(env)
  if (server) await deleteProjectFromClickhouse(server, projectId)
  return true
}

const STEPS: readonly Step[] = [
  ...MAIN_ROWS.map(inMain),
  published,
  materializedRows,
  ...SHARD_ROWS.map(inShard),
  inClickhouse,
]

/**
 * Continues a deletion.
 * @returns the task that is left, and when it is due; null when nothing can come any more.
 */
export async function continueProjectDeletion(
  context: DeletionContext,
  now: Date,
  budget: DeletionBudget,
): Promise<{ task: ProjectDeletion; at: Date } | null> {
  const { task } = context
  let { step } = task
  while (step < STEPS.length) {
    if (budget.batches <= 0) return { task: { ...task, step }, at: now }
    budget.batches -= 1
    if (await STEPS[step]!(context)) step += 1
  }
  const at = [cachesExpiredAt(task), lastPassOf(task)].find((pass) => now < pass)
  return at ? { task: { ...task, step: 0 }, at } : null
}
