// The databases of a runtime: all migrations, and in the shard the planner statistics that the daily trigger seeds.
import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { seedPlannerStats } from '../../src/storage/planner-stats'

/** Files that share a runtime share its databases, until one of them empties the storage. */
const runtime = globalThis as { hasDatabases?: Promise<void> | undefined; databases?: number }
/** More than the projects that a file creates. */
const MAX_PROJECTS = 10_000

export const prepareDatabases = (): Promise<void> => (runtime.hasDatabases ??= prepare())

/**
 * Empties databases, KV, R2 and objects of the runtime. For files that run what serves all projects, because a trigger or a job would do what the
 * files before left, and has a limit.
 */
export async function emptyStorage(): Promise<void> {
  // A database that still executes a statement of the file before may stay.
  for (
    let tries = 1;
    tries === 1 || (await isMigrated(env.DB)) || (await isMigrated(env.EVENTS));
    tries += 1
  ) {
    if (tries > MAX_RESETS) throw new Error('The databases of the files before could not be removed.')
    if (tries > 1) await scheduler.wait(RESET_INTERVAL_MS)
    await reset()
  }
  runtime.hasDatabases = undefined
  await prepareDatabases()
}

const MAX_RESETS = 100
const RESET_INTERVAL_MS = 200

async function isMigrated(db: D1Database): Promise<boolean> {
  const tables = "SELECT count(*) AS n FROM sqlite_master WHERE name = 'd1_migrations'"
  return (await db.prepare(tables).first<number>('n')) !== 0
}

async function prepare(): Promise<void> {
  await applyD1Migrations(env.DB, env.MIGRATIONS.main)
  await applyD1Migrations(env.EVENTS, env.MIGRATIONS.events)
  await seedPlannerStats(env.EVENTS)
  // Snapshots outlive the databases, and are found by the project's id.
  runtime.databases = (runtime.databases ?? -1) + 1
  if (runtime.databases === 0) return
  await env.DB.prepare(`INSERT INTO sqlite_sequence (name, seq) VALUES ('projects', ?)`)
    .bind(runtime.databases * MAX_PROJECTS)
    .run()
}
