// What a build works on and with.
import { and, eq, sql } from 'drizzle-orm'
import { endpointMaterializations, endpoints, endpointVersions, projects } from '../../../../drizzle'
import type { Clock, Ids } from '../../../clock'
import type { Log } from '../../../http/request-log'
import type { Projects } from '../../../project/gateway'
import { type Database, prepared } from '../../../storage/database'
import type { Meter } from '../../../storage/metered-d1'
import type { EndpointQuery } from '../../query/shape'

export interface BuildDeps {
  env: Env
  /** The database, with time for statements that write many rows. */
  d1: D1Database
  /** The same, as Drizzle has it. */
  db: Database
  meter: Meter
  clock: Clock
  ids: Ids
  projects: Projects
  log: Log
  /** Rows that one statement writes at most. */
  chunk: number
  /** Rows that a materialization has at most: one query must not fill the database that everybody uses. */
  mostRows: number
  /** How often a build says that it goes on. */
  renewMs: number
}

/** Why a version cannot be built, in words for its author. */
export class NotBuildable extends Error {
  override readonly name = 'NotBuildable'
}

/** @throws NotBuildable for more rows than a materialization may have. */
export function requireRoom({ deps: { mostRows } }: Build, rows: number): void {
  if (rows <= mostRows) return
  throw new NotBuildable(
    `The result has more than ${mostRows.toLocaleString('en')} rows. Aggregate more, or add a LIMIT.`,
  )
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
}

export interface Work {
  materialization: StoredMaterialization
  version: BuildVersion
}

/** A build that has the version to itself. */
export interface Build extends Work {
  deps: BuildDeps
  token: string
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
      })
      .from(endpointVersions)
      .innerJoin(endpoints, and(eq(endpoints.id, endpointVersions.endpointId), eq(endpoints.deleted, false)))
      .innerJoin(projects, eq(projects.id, endpoints.projectId))
      .where(eq(endpointVersions.id, versionId)),
  ])
  const [materialization] = materializations
  const [version] = versions
  return materialization && version ? { materialization, version } : null
}

/** Runs statements of Drizzle and of D1 itself as one transaction. */
export const runMixed = (
  { d1 }: Pick<BuildDeps, 'd1'>,
  statements: readonly (D1PreparedStatement | Parameters<typeof prepared>[1])[],
): Promise<D1Result[]> => d1.batch(statements.map((each) => ('toSQL' in each ? prepared(d1, each) : each)))
