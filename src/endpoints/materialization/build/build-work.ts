// Input and state of a build.
import { and, eq, sql } from 'drizzle-orm'
import { endpointMaterializations, endpoints, endpointVersions, projects } from '../../../../drizzle'
import type { Deps } from '../../../deps'
import type { AnalyticsStore } from '../../../storage/shards'
import type { Materializable } from '../compile-rows'
import type { MaterializationQuota } from './quota'

export interface BuildDeps extends Pick<
  Deps,
  'env' | 'db' | 'meter' | 'eventsMeter' | 'queryGates' | 'clock' | 'ids' | 'log'
> {
  /** Maximum rows of a statement. */
  chunk: number
  quota: MaterializationQuota
  /** The interval of lease renewals. */
  renewMs: number
}

export type StoredMaterialization = typeof endpointMaterializations.$inferSelect

/** The version that a build is for. */
export interface BuildVersion extends Materializable {
  endpointId: string
  dataFreshnessSeconds: number
  timezone: string
  organizationId: string
  store: AnalyticsStore
}

export interface Work {
  materialization: StoredMaterialization
  version: BuildVersion
}

export interface Build extends Work {
  deps: BuildDeps
  token: string
  /** The shard, with a longer deadline for statements that write many rows. */
  shard: D1Database
}

/** Returns null when the version has no materialization any more. */
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
        organizationId: projects.organizationId,
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
