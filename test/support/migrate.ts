// Every test file starts from a database with all migrations applied, and with what the daily trigger tells it of its tables: as a
// deployment has it from its second day on.
import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { tellSizes } from '../../src/storage/statistics'

await applyD1Migrations(env.DB, env.MIGRATIONS)
await tellSizes(env.DB)
