// The work of the cron triggers.
import { firstKeptDay, MAX_PRUNE_BATCHES, pruneEvents } from '../analytics/prune-events'
import { openShard, shardsOf, STATEMENT_DEADLINE_MS } from '../storage/shards'
import { systemClock } from '../clock'
import { DAILY } from './crons'
import { hibernateUnused, wakeUsed } from '../endpoints/materialization/hibernate'
import { makeStaleDue, sendDue } from '../endpoints/materialization/send-due-builds'
import { dropUnusedTables, MAX_DROPS } from '../endpoints/materialization/unused-tables'
import { consoleLog, describeError, type Log } from '../http/log/request-log'
import { sendDueDeliveries } from '../webhooks/delivery-queue'
import { performDueTasks } from './outbox-tasks'
import { createProjectObjects } from '../project/project-client'
import { MAIN_POLICIES, type Policy, SHARD_POLICIES } from '../retention/policies'
import { prune } from '../retention/prune'
import { openDatabase } from '../storage/database'
import { maxBytesOf, sizeOf, sizeWarning } from '../storage/database-size'
import { createMeter, meteredD1 } from '../storage/metered-d1'
import { KEYRING_SECRETS } from '../storage/encrypted-columns'
import { FILL_RESERVE } from '../storage/reserve'
import { seedPlannerStats } from '../storage/planner-stats'

/** Maximum statements that delete old rows in one run of the daily trigger, besides those of events. */
export const MAX_MAIN_STATEMENTS = 80

/** Maximum statements that do so in all shards together. */
export const MAX_SHARD_STATEMENTS = 40

const queryOf =
  (d1: D1Database) =>
  async (sql: string, params: readonly (string | number)[] = []): Promise<Record<string, unknown>[]> =>
    (
      await d1
        .prepare(sql)
        .bind(...params)
        .all()
    ).results

/** Runs the steps of a trigger. A step that fails does not stop the others. */
export async function onTrigger(cron: string, env: Env, log: Log = consoleLog): Promise<void> {
  const meter = createMeter()
  const db = openDatabase(env.DB, meter)
  const now = systemClock.now()
  const shards = shardsOf(env)
  if (cron !== DAILY) {
    // An object that does not respond must not delay the work of others.
    const changes = step('scheduled changes', runChanges)
    await step('wake materializations', () => wakeUsed(db, now))
    await step('rebuild outdated materializations', () => makeStaleDue(db, now))
    await step('send due builds', () => sendDue({ db, env }, now))
    await step('send due webhooks', () => sendDueDeliveries({ db, env }, now))
    await step('outbox', () => performDueTasks({ db, env, meter }, now, log))
    await Promise.all(
      shards.map((shard) =>
        step(`drop tables of ${shard}`, () => {
          const { d1 } = openShard(env, shard, createMeter(), STATEMENT_DEADLINE_MS)
          return dropUnusedTables(db, d1, Math.ceil(MAX_DROPS / shards.length))
        }),
      ),
    )
    // Rings take turns, because one may use up the statements.
    const rotating = KEYRING_SECRETS.filter((secret) => env[`${secret}_NEXT`])
    const secret = rotating[now.getUTCMinutes() % rotating.length]
    if (secret) {
      const { continueRotation } = await import('../storage/reencrypt')
      await step(`re-encrypt for ${secret}`, () => continueRotation(env, queryOf(env.DB), secret))
    }
    await step('backup', () => backUp(false))
    await changes
    return
  }
  await step('hibernate unused materializations', () => hibernateUnused(db, now))
  const main = meteredD1(env.DB, meter, { deadlineMs: STATEMENT_DEADLINE_MS })
  await pruneTables('DB', main, { policies: MAIN_POLICIES, maxStatements: MAX_MAIN_STATEMENTS })
  // The reserve uses pages that deleted rows freed.
  await step('fill the reserve', () => main.prepare(FILL_RESERVE).run())
  const before = firstKeptDay(env, 'EVENTS_RETENTION_DAYS', now)
  const movedBefore = firstKeptDay(env, 'MOVED_EVENTS_RETENTION_DAYS', now)
  let projectIds: number[] = []
  if (movedBefore !== null)
    await step('projects on ClickHouse', async () => void (projectIds = await projectsOnClickhouse()))
  for (const shard of shards) {
    const { d1 } = openShard(env, shard, createMeter(), STATEMENT_DEADLINE_MS)
    const maxBatches = Math.floor(MAX_PRUNE_BATCHES / shards.length)
    const moved = { projectIds: new Set(projectIds), before: movedBefore }
    await step(`prune events of ${shard}`, () => pruneEvents(d1, { before, moved, maxBatches }))
    const maxStatements = Math.max(SHARD_POLICIES.length, Math.floor(MAX_SHARD_STATEMENTS / shards.length))
    await pruneTables(shard, d1, { policies: SHARD_POLICIES, maxStatements })
    await step(`planner statistics of ${shard}`, () => seedPlannerStats(d1))
    await step(`size of ${shard}`, () => checkSize(shard, d1))
  }

  await step('size of DB', () => checkSize('DB', main))
  await step('backup', () => backUp(true))

  async function runChanges(): Promise<void> {
    const { runAllDue } = await import('../flags/scheduled/run-changes')
    return runAllDue(db, createProjectObjects(env.PROJECTS, meter), now)
  }

  async function projectsOnClickhouse(): Promise<number[]> {
    const rows = await queryOf(main)(`SELECT id FROM projects WHERE query_engine = 'clickhouse'`)
    return rows.map(({ id }) => Number(id))
  }

  async function backUp(begins: boolean): Promise<void> {
    const { BACKUPS: bucket, BACKUP_GENERATIONS: keep } = env
    if (!bucket) return
    const { runScheduledBackup } = await import('../storage/backup/scheduled-backup')
    const databases = [
      { binding: 'DB', query: queryOf(meteredD1(env.DB, meter, { deadlineMs: STATEMENT_DEADLINE_MS })) },
      ...shards.map((binding) => ({
        binding,
        query: queryOf(openShard(env, binding, meter, STATEMENT_DEADLINE_MS).d1),
      })),
    ]
    await runScheduledBackup({ bucket, databases, keep, now, begins })
  }

  function pruneTables(
    binding: string,
    d1: D1Database,
    { policies, maxStatements }: { policies: readonly Policy[]; maxStatements: number },
  ): Promise<void> {
    const onFailure = (table: string, error: unknown) => fail(`prune ${table} of ${binding}`, error)
    return prune(d1, policies, { settings: env, now, maxStatements, onFailure })
  }

  async function checkSize(binding: string, d1: D1Database): Promise<void> {
    const warning = sizeWarning(binding, await sizeOf(d1), maxBytesOf(env))
    if (warning) log({ level: 'error', message: 'a database is filling up', error: warning.detail })
  }

  async function step(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      fail(name, error)
    }
  }

  function fail(name: string, error: unknown): void {
    log({ level: 'error', message: `trigger failed: ${name}`, error: describeError(error) })
  }
}
