// Prepares the databases of every test file: all migrations, and in the shard the planner statistics that the daily trigger seeds.
import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { seedPlannerStats } from '../../../src/storage/planner-stats'

/** Files that share a runtime share its databases. */
const runtime = globalThis as { hasDatabases?: Promise<void> }

async function prepare(): Promise<void> {
  await applyD1Migrations(env.DB, env.MIGRATIONS.main)
  await applyD1Migrations(env.EVENTS, env.MIGRATIONS.events)
  await seedPlannerStats(env.EVENTS)
}

await (runtime.hasDatabases ??= prepare())
