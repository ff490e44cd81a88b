// Reads what a run needs, in one round trip to each database, concurrently.
import { and, eq, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { endpointMaterializations, endpoints, endpointVersions } from '../../../drizzle'
import type { Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { optional } from '../../storage/columns'
import type { Database } from '../../storage/database'
import { isStaleSql } from '../compile/compiled-version'
import type { EndpointQuery } from '../query/query-types'
import { sourceOf } from '../query/source-query'
import { endpointNamed, sourceSql } from '../endpoint-rows'
import { describeError } from '../../http/log/request-log'
import { selectResult, type StoredResult } from './result-cache'
import type { SavedVariables } from '../values/choose-values'

/** JSON that is not parsed here. */
const asText = (column: SQLiteColumn, name: string) => sql<string | null>`${column}`.as(name)

const columnsFor = (timezone: string) => ({
  endpointId: sql<string>`${endpoints.id}`.as('endpoint_id'),
  currentVersion: endpoints.currentVersion,
  versionId: optional(endpointVersions.id, 'version_id'),
  version: endpointVersions.version,
  isActive: optional(endpointVersions.isActive, 'version_is_active'),
  query: asText(endpointVersions.query, 'version_query'),
  compiled: asText(endpointVersions.compiled, 'version_compiled'),
  compilation: endpointVersions.compilation,
  warnings: sql<string | null>`endpoint_versions.compiled -> '$.warnings'`.as('warnings'),
  isStale: isStaleSql(timezone).as('is_stale'),
  dataFreshnessSeconds: endpointVersions.dataFreshnessSeconds,
  createdAt: optional(endpointVersions.createdAt, 'version_created_at'),
  optionalBreakdownProperties: asText(endpointVersions.optionalBreakdownProperties, 'version_optional'),
  materializationId: optional(endpointMaterializations.id, 'materialization_id'),
  generation: endpointMaterializations.generation,
  readPlan: asText(endpointMaterializations.plan, 'read_plan'),
  lastMaterializedAt: endpointMaterializations.lastMaterializedAt,
  hibernatedAt: endpointMaterializations.hibernatedAt,
  // The defaults are those of variables without a stored value. CROSS JOIN fixes the join order.
  savedVariables: sql<
    string | null
  >`(SELECT json_group_object(s.id, json_object('type', s.type, 'defaultValue',
      json(iif(v.value ->> 'value' IS NULL AND v.value ->> 'isNull' IS NOT 1, s.default_value, NULL))))
    FROM json_each(${sourceSql}, '$.variables') v
    CROSS JOIN query_variables s ON s.id = lower(v.value ->> 'variableId') AND s.project_id = endpoints.project_id
    WHERE v.type = 'object')`.as('saved_variables'),
})

export interface RunTarget {
  name: string
  /** Null means the current version. */
  version: number | null
  /** Null means that the cache is not read. */
  resultKey: string | null
}

const selectRunnable = (
  db: Database,
  project: Pick<Project, 'id' | 'timezone'>,
  name: string,
  version: number | null,
) =>
  db
    .select(columnsFor(project.timezone))
    .from(endpoints)
    .leftJoin(
      endpointVersions,
      and(
        eq(endpointVersions.endpointId, endpoints.id),
        eq(endpointVersions.version, version === null ? endpoints.currentVersion : version),
      ),
    )
    .leftJoin(endpointMaterializations, eq(endpointMaterializations.versionId, endpointVersions.id))
    .where(and(endpointNamed(project.id, name), eq(endpoints.isActive, true)))

type FindDeps = Pick<Deps, 'db' | 'shardOf' | 'log'>

export async function findRunnable(
  { deps, project }: { deps: FindDeps; project: Pick<Project, 'id' | 'timezone' | 'store'> },
  { name, version, resultKey }: RunTarget,
) {
  const { db } = deps
  const [[row], stored] = await Promise.all([
    selectRunnable(db, project, name, version),
    resultKey === null ? null : findResult(deps, project, resultKey),
  ])
  return {
    /** The endpoint is null when it is unknown or inactive. */
    endpoint: row ? endpointFrom(name, row) : null,
    /** The stored result, of any version and age. */
    stored,
  }
}

/** Returns null when the shard fails, because the query itself may still run. */
async function findResult(
  { shardOf, log }: FindDeps,
  { id, store }: Pick<Project, 'id' | 'store'>,
  key: string,
): Promise<StoredResult | null> {
  try {
    const [result] = await selectResult(shardOf(store).db, id, key)
    return result ?? null
  } catch (error) {
    log({ level: 'error', message: 'a stored result could not be read', error: describeError(error) })
    return null
  }
}

type Row = Awaited<ReturnType<typeof selectRunnable>>[number]

const endpointFrom = (name: string, row: Row) => ({
  id: row.endpointId,
  name,
  currentVersion: row.currentVersion,
  version: versionFrom(row),
})
export type RunnableEndpoint = ReturnType<typeof endpointFrom>

/** Returns null for an unknown version number. */
function versionFrom(row: Row) {
  const { versionId: id, version, dataFreshnessSeconds, materializationId } = row
  if (id === null || version === null || dataFreshnessSeconds === null) return null
  return {
    id,
    version,
    isActive: row.isActive === true,
    query: sourceOf(JSON.parse(row.query!) as EndpointQuery),
    /** JSON, which is parsed only on a cache miss. It is null when the version is stale. */
    compiled: row.isStale ? null : row.compiled,
    compilation: row.compilation ?? 0,
    /** The warnings of the last compilation. A run that compiles again replaces them after its response. */
    warnings: JSON.parse(row.warnings ?? '[]') as string[],
    dataFreshnessSeconds,
    createdAt: row.createdAt!,
    savedVariables: JSON.parse(row.savedVariables ?? '{}') as SavedVariables,
    optionalBreakdownProperties: JSON.parse(row.optionalBreakdownProperties ?? '[]') as string[],
    materialization:
      materializationId === null
        ? null
        : {
            id: materializationId,
            /** JSON. */
            plan: row.readPlan,
            generation: row.generation,
            lastMaterializedAt: row.lastMaterializedAt,
            hibernatedAt: row.hibernatedAt,
          },
  }
}
export type RunnableVersion = NonNullable<ReturnType<typeof versionFrom>>

/** Whether the query has to be compiled again. */
export const isStale = ({ compiled }: Pick<RunnableVersion, 'compiled'>): boolean => compiled === null
