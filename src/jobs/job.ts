// What the programs of both cron triggers share.
import { systemClock } from '../clock'
import { describeError, type Log } from '../http/log/request-log'
import { type Database, openDatabase } from '../storage/database'
import { createMeter, type Meter, meteredD1 } from '../storage/metered-d1'
import { openShard, shardsOf, STATEMENT_DEADLINE_MS } from '../storage/shards'

/** One run of a trigger. */
export interface Job {
  env: Env
  db: Database
  meter: Meter
  now: Date
  /** Bindings of the shards. */
  shards: readonly string[]
  log: Log
  /** Runs a step. One that fails does not stop the others. */
  step(name: string, work: () => Promise<unknown>): Promise<void>
  fail(name: string, error: unknown): void
}

export function createJob(env: Env, log: Log): Job {
  const meter = createMeter()
  const fail = (name: string, error: unknown) =>
    log({ level: 'error', message: `trigger failed: ${name}`, error: describeError(error) })
  return {
    env,
    db: openDatabase(env.DB, meter),
    meter,
    now: systemClock.now(),
    shards: shardsOf(env),
    log,
    fail,
    async step(name, work) {
      try {
        await work()
      } catch (error) {
        fail(name, error)
      }
    },
  }
}

export const queryOf =
  (d1: D1Database) =>
  async (sql: string, params: readonly (string | number)[] = []): Promise<Record<string, unknown>[]> =>
    (
      await d1
        .prepare(sql)
        .bind(...params)
        .all()
    ).results

/** Begins a scheduled backup, or continues the one that is begun. */
export async function backUp({ env, meter, now, shards }: Job, begins: boolean): Promise<void> {
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
