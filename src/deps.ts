// The services that a request works with. `request-scope.ts` builds them once per request from the platform's bindings. Tests replace the
// clock, the ids or the log.
import type { KnownProperties } from './analytics/capture/learn-properties'
import type { WarningReporter, WarningStore } from './analytics/capture/report-warnings'
import type { QueryGates } from './analytics/query-gate/query-gate-client'
import type { KeyCache } from './auth/key-cache'
import type { Clock, Ids } from './clock'
import type { ConcurrencyLimit } from './endpoints/run/concurrency-limit'
import type { FlagCalls } from './flags/project-calls'
import type { KeyQuota } from './http/limits/key-quota'
import type { MemoryLease } from './http/limits/request-memory'
import type { Log } from './http/log/request-log'
import type { Traffic } from './http/log/request-points'
import type { DailySalt } from './sdk/daily-salt'
import type { TokenCache } from './sdk/token-cache'
import type { SnapshotPublisher } from './snapshots/document'
import type { Snapshots } from './snapshots/reader'
import type { Database } from './storage/database'
import type { Meter } from './storage/metered-d1'
import type { AnalyticsStore, Shard } from './storage/shards'

/** Calls of the project objects, which serialize the work of a project. `src/project` implements them. */
export interface ProjectObjects extends FlagCalls, SnapshotPublisher, WarningStore {
  /**
   * Deletes what the object of a deleted project stores and has published.
   * @param token of the project
   */
  forget(projectId: number, token: string): Promise<void>
}

export interface Deps {
  env: Env
  /** The main database. */
  db: Database
  /** The main database's nearest replica, for data that a caller sends along when it has just changed it. */
  nearestDb: Database
  /** The cost of the request in the main database. */
  meter: Meter
  /** The cost of the request in analytics shards. */
  eventsMeter: Meter
  projectObjects: ProjectObjects
  /** Flag definitions as readers at the edge see them. */
  snapshots: Snapshots
  queryGates: QueryGates
  /** Limits the concurrent queries of a project. */
  queryConcurrency: ConcurrencyLimit
  /** Opens a project's shard, which has results, run logs and materialized rows. */
  shardOf(store: Pick<AnalyticsStore, 'shard'>): Shard
  /** API keys that this isolate authenticated recently. */
  keyCache: KeyCache
  /** Projects by the tokens that SDKs sent lately. */
  tokenCache: TokenCache
  dailySalt: DailySalt
  knownProperties: KnownProperties
  warnings: WarningReporter
  keyQuota: KeyQuota
  /** Counts the memory that the request uses. */
  memory: MemoryLease
  traffic: Readonly<Traffic>
  clock: Clock
  ids: Ids
  /** Writes a log entry, besides the one of every request. */
  log: Log
  /** Runs work after the response is sent. A failure is logged, and does not affect the caller. */
  afterResponse(work: () => Promise<unknown>): void
}
