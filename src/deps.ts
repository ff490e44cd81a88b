// The services that a request works with, built once a request from the platform's bindings. Tests replace the clock, the ids or the log.
// An area that provides a service adds it to this interface beside the service's type, by `declare module`; `request-scope.ts` builds it.
import type { Clock, Ids } from './clock'
import type { Database } from './storage/database'
import type { Meter } from './storage/metered-d1'
import type { AnalyticsStore, Shard } from './storage/shards'

/** Calls of the objects that serialize the work of a project. An area adds those that it needs; `src/project` answers them. */
export interface ProjectObjects {}

/** The name of a project's object in `PROJECTS`. */
export const projectObjectName = (projectId: number): string => `project:${projectId}`

export interface Deps {
  env: Env
  /** The main database. */
  db: Database
  /** Its nearest replica, for what a caller sends along when it has just changed it. */
  nearestDb: Database
  /** Cost of the request in the main database. */
  meter: Meter
  /** Cost of the request in analytics shards. */
  eventsMeter: Meter
  projectObjects: ProjectObjects
  /** Opens a project's shard, which has results, run logs and materialized rows. */
  shardOf(store: Pick<AnalyticsStore, 'shard'>): Shard
  clock: Clock
  ids: Ids
  /** Runs work once the response is on its way. A failure is logged and changes nothing for the caller. */
  afterResponse(work: () => Promise<unknown>): void
}

/** Settings with their defaults. */
export const settings = (env: Env) => ({
  maxFlagsPerProject: Number(env.MAX_FLAGS_PER_PROJECT ?? 2000),
  freshnessMs: 1_000 * Number(env.FRESHNESS_SECONDS ?? 5),
})
