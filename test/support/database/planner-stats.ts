// Changes the statistics of a shard's planner.
import { env } from 'cloudflare:workers'

/**
 * Removes the statistics, as on a deployment's first day, so that SQLite guesses. The tests of the next file start with the seeded
 * statistics.
 */
export const forgetPlannerStats = (): Promise<unknown> =>
  env.EVENTS.batch([
    env.EVENTS.prepare('DELETE FROM sqlite_stat1'),
    env.EVENTS.prepare('ANALYZE sqlite_schema'),
  ])
