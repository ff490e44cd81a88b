// The work of every day: rows that are too old, sizes of databases, and the next backup.
import { firstKeptDay, MAX_PRUNE_BATCHES, pruneEvents } from '../analytics/prune-events'
import { hibernateUnused } from '../endpoints/materialization/hibernate'
import { MAIN_POLICIES, type Policy, SHARD_POLICIES } from '../retention/policies'
import { prune } from '../retention/prune'
import { maxBytesOf, sizeOf, sizeWarning } from '../storage/database-size'
import { createMeter, meteredD1 } from '../storage/metered-d1'
import { seedPlannerStats } from '../storage/planner-stats'
import { FILL_RESERVE } from '../storage/reserve'
import { openShard, STATEMENT_DEADLINE_MS } from '../storage/shards'
import { backUp, type Job, queryOf } from './job'

/** Maximum statements that delete old rows in one run, besides those of events. */
export const MAX_MAIN_STATEMENTS = 80

/** Maximum statements that do so in all shards together. */
export const MAX_SHARD_STATEMENTS = 40

export async function runDaily(job: Job): Promise<void> {
  const { env, db, meter, now, shards, step } = job
  await step('hibernate unused materializations', () => hibernateUnused(db, now))
  const main = meteredD1(env.DB, meter, { deadlineMs: STATEMENT_DEADLINE_MS })
  await pruneTables(job, 'DB', main, { policies: MAIN_POLICIES, maxStatements: MAX_MAIN_STATEMENTS })
  // The reserve uses pages that deleted rows freed.
  await step('fill the reserve', () => main.prepare(FILL_RESERVE).run())
  const before = firstKeptDay(env, 'EVENTS_RETENTION_DAYS', now)
  const movedBefore = firstKeptDay(env, 'MOVED_EVENTS_RETENTION_DAYS', now)
  let projectIds: number[] = []
  if (movedBefore !== null)
    await step('projects on ClickHouse', async () => void (projectIds = await projectsOnClickhouse(main)))
  for (const shard of shards) {
    const { d1 } = openShard(env, shard, createMeter(), STATEMENT_DEADLINE_MS)
    const maxBatches = Math.floor(MAX_PRUNE_BATCHES / shards.length)
    const moved = { projectIds: new Set(projectIds), before: movedBefore }
    await step(`prune events of ${shard}`, () => pruneEvents(d1, { before, moved, maxBatches }))
    const maxStatements = Math.max(SHARD_POLICIES.length, Math.floor(MAX_SHARD_STATEMENTS / shards.length))
    await pruneTables(job, shard, d1, { policies: SHARD_POLICIES, maxStatements })
    await step(`planner statistics of ${shard}`, () => seedPlannerStats(d1))
    await step(`size of ${shard}`, () => checkSize(job, shard, d1))
  }
  await step('size of DB', () => checkSize(job, 'DB', main))
  await step('backup', () => backUp(job, true))
}

function pruneTables(
  { env, now, fail }: Job,
  binding: string,
  d1: D1Database,
  { policies, maxStatements }: { policies: readonly Policy[]; maxStatements: number },
): Promise<void> {
  const onFailure = (table: string, error: unknown) => fail(`prune ${table} of ${binding}`, error)
  return prune(d1, policies, { settings: env, now, maxStatements, onFailure })
}

async function projectsOnClickhouse(main: D1Database): Promise<number[]> {
  const rows = await queryOf(main)(`SELECT id FROM projects WHERE query_engine = 'clickhouse'`)
  return rows.map(({ id }) => Number(id))
}

async function checkSize({ env, log }: Job, binding: string, d1: D1Database): Promise<void> {
  const warning = sizeWarning(binding, await sizeOf(d1), maxBytesOf(env))
  if (warning) log({ level: 'error', message: 'a database is filling up', error: warning.detail })
}
