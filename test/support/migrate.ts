// Every test file starts from databases with all migrations applied, and a shard with the planner statistics that the daily trigger seeds.
import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { seedPlannerStats } from '../../src/storage/planner-stats'

await applyD1Migrations(env.DB, env.MIGRATIONS.main)
await applyD1Migrations(env.EVENTS, env.MIGRATIONS.events)
await seedPlannerStats(env.EVENTS)
