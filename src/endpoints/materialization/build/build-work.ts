// What a build works on and with.
import { and, eq, sql } from 'drizzle-orm'
import { endpointMaterializations, endpoints, endpointVersions, projects } from '../../../../drizzle'
import type { AnalyticsStore } from '../../../storage/shards'
import type { QueryGates } from '../../../analytics/query-gate/gateway'
import type { Clock, Ids } from '../../../clock'
import type { Log } from '../../../http/request-log'
import type { Projects } from '../../../project/gateway'
import type { Database } from '../../../storage/database'
import type { Meter } from '../../../storage/metered-d1'
import type { EndpointQuery } from '../../query/query-types'
import type { MaterializationQuota } from './quota'

export interface BuildDeps {
  env: Env
  /** The main database, which says whose build it is and how it ended. */
  db: Database
  meter: Meter
  eventsMeter: Meter
  queryGates: QueryGates
  clock: Clock
  ids: Ids
  projects: Projects
  log: Log
  /** Rows that one statement writes at most. */
  chunk: number
  /** What a materialization may take of its shard. */
  quota: MaterializationQuota
  /** How often a build says that it goes on. */
  renewMs: number
}

/** A materialization as it is stored. */
export type StoredMaterialization = typeof endpointMaterializations.$inferSelect

/** The version that it is of. */
export interface BuildVersion {
  endpointId: string
  name: string
  version: number
  query: EndpointQuery
  bucketOverrides: Record<string, string> | null
  optionalBreakdownProperties: string[]
  dataFreshnessSeconds: number
  /** IANA name of the project's time zone. */
  timezone: string
  store: AnalyticsStore
}

export interface Work {
  materialization: StoredMaterialization
  version: BuildVersion
}

/** A build that has the version to itself. */
export interface Build extends Work {
  deps: BuildDeps
  token: string
  /** The project's shard, with time for statements that write many rows. */
  shard: D1Database
}

/** Reads what is to be built; null when nobody wants it any more. */
export async function readWork({ db }: Pick<BuildDeps, 'db'>, versionId: string): Promise<Work | null> {
  const [materializations, versions] = await db.batch([
    db.select().from(endpointMaterializations).where(eq(endpointMaterializations.versionId, versionId)),
    db
      .select({
        endpointId: sql<string>`${endpoints.id}`.as('the_endpoint_id'),
        name: sql<string>`${endpoints.name}`.as('endpoint_name'),
        version: endpointVersions.version,
        query: endpointVersions.query,
        bucketOverrides: endpointVersions.bucketOverrides,
        optionalBreakdownProperties: endpointVersions.optionalBreakdownProperties,
        dataFreshnessSeconds: endpointVersions.dataFreshnessSeconds,
        timezone: projects.timezone,
        shard: projects.shard,
        queryEngine: projects.queryEngine,
      })
      .from(endpointVersions)
      .innerJoin(endpoints, and(eq(endpoints.id, endpointVersions.endpointId), eq(endpoints.deleted, false)))
      .innerJoin(projects, eq(projects.id, endpoints.projectId))
      .where(eq(endpointVersions.id, versionId)),
  ])
  const [materialization] = materializations
  const [row] = versions
  if (!materialization || !row) return null
  const { shard, queryEngine, ...version } = row
  return { materialization, version: { ...version, store: { shard, queryEngine } } }
}
