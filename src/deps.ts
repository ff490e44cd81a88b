// What a request works with. Built once per request from the platform's bindings; tests replace the clock, the ids or the log.
import type { AnalyticsStore, Shard } from './analytics/store'
import type { QueryGates } from './analytics/query-gate/gateway'
import type { KnownProperties } from './analytics/capture/known-properties'
import type { KeyCache } from './auth/key-cache'
import type { Clock, Ids } from './clock'
import type { RunGate } from './endpoints/run/gate'
import type { MemoryLease } from './http/request-memory'
import type { Log } from './http/request-log'
import type { Database } from './storage/database'
import type { Projects } from './project/gateway'
import type { Snapshots } from './snapshots/reader'
import type { Meter } from './storage/metered-d1'

export interface Deps {
  env: Env
  /** The main database. */
  db: Database
  /** What the request cost the main database. */
  meter: Meter
  /** The same for analytics shards. */
  eventsMeter: Meter
  /** A handle on a project's shard: results, run logs, materialized rows. */
  shardOf(store: Pick<AnalyticsStore, 'shard'>): Shard
  clock: Clock
  ids: Ids
  keyCache: KeyCache
  /** Property definitions that need not be stored again. */
  knownProperties: KnownProperties
  /** The objects that order a project's bulk work and publishing. */
  projects: Projects
  /** Flag definitions as readers at the edge see them. */
  snapshots: Snapshots
  /** Where heavy queries wait for their turn. */
  queryGates: QueryGates
  /** Bounds how many queries a project has under way. */
  runGate: RunGate
  /** Counts the memory that the request takes. */
  memory: MemoryLease
  /** Writes a line to the log, besides the one that every request has. */
  log: Log
  /** Runs work once the response is on its way. A failure is logged and changes nothing for the caller. */
  afterResponse(work: () => Promise<unknown>): void
}

/** What a deployment may set otherwise, with its default. Everything else in `Env` is a binding, a secret or a switch, read where it counts. */
export const settings = (env: Env) => ({
  maxFlagsPerProject: Number(env.MAX_FLAGS_PER_PROJECT ?? 2000),
})
