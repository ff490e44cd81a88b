// What the triggers of wrangler.toml do.
import { firstKeptDay, MAX_PRUNE_BATCHES, pruneEvents } from './analytics/retention'
import { openShard, shardsOf, STATEMENT_DEADLINE_MS } from './analytics/store'
import { createIds, systemClock } from './clock'
import { DAILY } from './crons'
import { hibernateUnused } from './endpoints/materialization/hibernate'
import { makeOutdatedDue, sendDue } from './endpoints/materialization/refresh'
import { dropOrphanedTables } from './endpoints/materialization/orphans'
import { consoleLog, describeError, type Log } from './http/request-log'
import { pruneAppliedEvents } from './outbox/outbox'
import { performDueTasks } from './outbox/perform'
import { openDatabase } from './storage/database'
import { maxBytesOf, sizeOf, sizeWarning } from './storage/database-size'
import { createMeter } from './storage/metered-d1'
import { FILL_RESERVE } from './storage/reserve'
import { seedPlannerStats } from './storage/planner-stats'

/** Does the work of a trigger. A step that fails does not hold back the others. */
export async function onTrigger(cron: string, env: Env, log: Log = consoleLog): Promise<void> {
  const meter = createMeter()
  const db = openDatabase(env.DB, meter)
  const now = systemClock.now()
  if (cron !== DAILY) {
    await step('send due builds', () => sendDue({ db, env }, now))
    await step('outbox', () => performDueTasks({ db, env, meter }, now, log))
    return
  }
  await step('hibernate unused materializations', () => hibernateUnused({ db, ids: createIds(), log }, now))
  await step('rebuild outdated materializations', () => makeOutdatedDue(db, now))
  await step('prune applied events', () => pruneAppliedEvents(db, now))
  await step('fill the reserve', () => env.DB.prepare(FILL_RESERVE).run())
  const shards = shardsOf(env)
  const before = firstKeptDay(env, now)
  for (const shard of shards) {
    const { d1 } = openShard(env, shard, createMeter(), STATEMENT_DEADLINE_MS)
    if (before) {
      const maxBatches = Math.floor(MAX_PRUNE_BATCHES / shards.length)
      await step(`prune events of ${shard}`, () => pruneEvents(d1, { before, maxBatches }))
    }
    await step(`drop orphaned tables of ${shard}`, () => dropOrphanedTables(db, d1, now))
    await step(`planner statistics of ${shard}`, () => seedPlannerStats(d1))
    await step(`size of ${shard}`, () => checkSize(shard, d1))
  }

  await step('size of DB', () => checkSize('DB', env.DB))

  async function checkSize(binding: string, d1: D1Database): Promise<void> {
    const warning = sizeWarning(binding, await sizeOf(d1), maxBytesOf(env))
    if (warning) log({ level: 'error', message: 'a database is filling up', error: warning.detail })
  }

  async function step(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      log({ level: 'error', message: `trigger failed: ${name}`, error: describeError(error) })
    }
  }
}
