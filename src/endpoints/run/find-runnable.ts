// Everything that a run has to know of what is stored: one round trip to each database, at the same time.
import { and, eq, type GetColumnData, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { endpointMaterializations, endpoints, endpointVersions } from '../../../drizzle'
import type { Actor, Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import type { Database } from '../../storage/database'
import { isStaleSql } from '../compile/compiled-version'
import type { EndpointQuery } from '../query/query-types'
import { endpointNamed } from '../endpoint-rows'
import { describeError } from '../../http/request-log'
import { selectResult, type StoredResult } from './result-cache'
import type { SavedDefaults } from '../values/choose-values'
import { type RunWindow, selectRunsOfKey } from './run-throttle'

/** A column by another name: both tables have an `id`, and rows come back by name. */
const as = <Column extends SQLiteColumn>(column: Column, name: string) =>
  sql<GetColumnData<Column> | null>`${column}`.as(name)

/** A JSON column as it is stored. */
const asText = (column: SQLiteColumn, name: string) => sql<string | null>`${column}`.as(name)

const columnsFor = (timezone: string) => ({
  endpointId: sql<string>`${endpoints.id}`.as('endpoint_id'),
  currentVersion: endpoints.currentVersion,
  endpointLastExecutedAt: as(endpoints.lastExecutedAt, 'endpoint_last_executed_at'),
  versionId: as(endpointVersions.id, 'version_id'),
  version: endpointVersions.version,
  isActive: as(endpointVersions.isActive, 'version_is_active'),
  query: asText(endpointVersions.query, 'version_query'),
  compiled: asText(endpointVersions.compiled, 'version_compiled'),
  compilation: endpointVersions.compilation,
  isStale: isStaleSql(timezone).as('is_stale'),
  dataFreshnessSeconds: endpointVersions.dataFreshnessSeconds,
  createdAt: as(endpointVersions.createdAt, 'version_created_at'),
  versionLastExecutedAt: as(endpointVersions.lastExecutedAt, 'version_last_executed_at'),
  optionalBreakdownProperties: asText(endpointVersions.optionalBreakdownProperties, 'version_optional'),
  materializationId: as(endpointMaterializations.id, 'materialization_id'),
  generation: endpointMaterializations.generation,
  readPlan: asText(endpointMaterializations.plan, 'read_plan'),
  lastMaterializedAt: endpointMaterializations.lastMaterializedAt,
  hibernatedAt: endpointMaterializations.hibernatedAt,
  // Of those alone that the query itself has no value for; CROSS keeps the order in which the tables are looked at.
  savedDefaults: sql<string | null>`(SELECT json_group_object(s.id, json(s.default_value))
    FROM json_each(endpoint_versions.query, '$.variables') v
    CROSS JOIN query_variables s ON s.id = lower(v.value ->> 'variableId') AND s.project_id = endpoints.project_id
    WHERE v.type = 'object' AND v.value ->> 'value' IS NULL AND v.value ->> 'isNull' IS NOT 1)`.as(
    'saved_defaults',
  ),
})

/** What is materialized of a version, as a run wants it. */
export interface RunnableMaterialization {
  id: string
  generation: number | null
  /** JSON. */
  plan: string | null
  lastMaterializedAt: string | null
  hibernatedAt: string | null
}

/** A version as a run wants it. */
export interface RunnableVersion {
  id: string
  version: number
  isActive: boolean
  query: EndpointQuery
  /** The compiled query as JSON: an answer that is at hand does not need it read. Null where it has to be compiled (again). */
  compiled: string | null
  compilation: number
  dataFreshnessSeconds: number
  createdAt: string
  lastExecutedAt: string | null
  savedDefaults: SavedDefaults
  optionalBreakdownProperties: readonly string[]
  materialization: RunnableMaterialization | null
}

export interface RunnableEndpoint {
  id: string
  name: string
  currentVersion: number
  lastExecutedAt: string | null
  /** Null when there is none of the wanted number. */
  version: RunnableVersion | null
}

export interface Found {
  /** Null when the project has no such endpoint, or it does not run. */
  endpoint: RunnableEndpoint | null
  /** The answer of an earlier run, whatever its version and age. */
  stored: StoredResult | null
  /** How often the caller's key ran something within the hour, where that is counted. */
  runsOfKey: readonly RunWindow[]
}

export interface Wanted {
  name: string
  /** Null: the current one. */
  version: number | null
  /** Null: no answer of an earlier run will do. */
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

type FindDeps = Pick<Deps, 'db' | 'env' | 'shardOf' | 'log'>

/** Reads the endpoint at the wanted version, the answer that may be given again, and the caller's count. */
export async function findRunnable(
  {
    deps,
    project,
    actor,
  }: { deps: FindDeps; project: Pick<Project, 'id' | 'timezone' | 'store'>; actor: Actor },
  { name, version, resultKey }: Wanted,
): Promise<Found> {
  const { db } = deps
  const [[rows, runs], stored] = await Promise.all([
    db.batch([selectRunnable(db, project, name, version), selectRunsOfKey(deps, actor)]),
    resultKey === null ? null : findResult(deps, project, resultKey),
  ])
  const [row] = rows
  return {
    endpoint: row
      ? {
          id: row.endpointId,
          name,
          currentVersion: row.currentVersion,
          lastExecutedAt: row.endpointLastExecutedAt,
          version: versionFrom(row),
        }
      : null,
    stored,
    runsOfKey: runs,
  }
}

/** An answer under a key. Without the shard there is none at hand, and the query says whether it can run. */
async function findResult(
  { shardOf, log }: FindDeps,
  { id, store }: Pick<Project, 'id' | 'store'>,
  key: string,
): Promise<StoredResult | null> {
  try {
    const [result] = await selectResult(shardOf(store).db, id, key)
    return result ?? null
  } catch (error) {
    log({ level: 'error', message: 'a stored answer could not be read', error: describeError(error) })
    return null
  }
}

type Row = Awaited<ReturnType<typeof selectRunnable>>[number]

/** The version of a row; null where the endpoint has none of the number. */
function versionFrom(row: Row): RunnableVersion | null {
  const { versionId: id, version, dataFreshnessSeconds } = row
  if (id === null || version === null || dataFreshnessSeconds === null) return null
  return {
    id,
    version,
    isActive: Boolean(row.isActive),
    query: JSON.parse(row.query!) as EndpointQuery,
    compiled: row.isStale ? null : row.compiled,
    compilation: row.compilation ?? 0,
    dataFreshnessSeconds,
    createdAt: row.createdAt!,
    lastExecutedAt: row.versionLastExecutedAt,
    savedDefaults: JSON.parse(row.savedDefaults ?? '{}') as SavedDefaults,
    optionalBreakdownProperties: JSON.parse(row.optionalBreakdownProperties ?? '[]') as string[],
    materialization:
      row.materializationId === null
        ? null
        : {
            id: row.materializationId,
            generation: row.generation,
            plan: row.readPlan,
            lastMaterializedAt: row.lastMaterializedAt,
            hibernatedAt: row.hibernatedAt,
          },
  }
}
