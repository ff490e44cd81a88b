// What a shard's planner knows of its tables.
import { env } from 'cloudflare:workers'

/** As on a deployment's first day: SQLite guesses. The next file's tests start with the seeded statistics. */
export const forgetPlannerStats = (): Promise<unknown> =>
  env.EVENTS.batch([
    env.EVENTS.prepare('DELETE FROM sqlite_stat1'),
    env.EVENTS.prepare('ANALYZE sqlite_schema'),
  ])
