// An endpoint with one of its versions and everything that the wire shows of both, as one row of one statement.
import { and, eq, type GetColumnData, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { endpointMaterializations, endpoints, endpointVersions } from '../../drizzle'
import { userSummarySql } from '../auth/user-summary'
import type { Database } from '../storage/database'

/** A column by another name: both tables have an `id`, and rows come back by name. */
const as = <Column extends SQLiteColumn>(column: Column, name: string) =>
  sql<GetColumnData<Column>>`${column}`.mapWith(column).as(name)

/** A column that the row may not have. */
const asOptional = <Column extends SQLiteColumn>(column: Column, name: string) =>
  sql<GetColumnData<Column> | null>`${column}`.mapWith(column).as(name)

/** The names of an endpoint's tags, in order, as JSON. Stands where `endpoints` is selected from. */
export const tagsSql = sql<string>`(SELECT json_group_array(name) FROM (SELECT t.name FROM endpoint_tags t
  WHERE t.endpoint_id = endpoints.id ORDER BY t.name))`

/** What is shown. The compiled query is not among it: it is large, and only a run wants it. */
const shownColumns = {
  id: as(endpoints.id, 'endpoint_id'),
  projectId: as(endpoints.projectId, 'endpoint_project_id'),
  name: endpoints.name,
  isActive: as(endpoints.isActive, 'endpoint_is_active'),
  deleted: endpoints.deleted,
  derivedFromInsight: endpoints.derivedFromInsight,
  currentVersion: endpoints.currentVersion,
  createdById: as(endpoints.createdById, 'endpoint_created_by_id'),
  createdAt: as(endpoints.createdAt, 'endpoint_created_at'),
  updatedAt: as(endpoints.updatedAt, 'endpoint_updated_at'),
  lastExecutedAt: as(endpoints.lastExecutedAt, 'endpoint_last_executed_at'),
  createdBy: userSummarySql('endpoints.created_by_id').as('created_by'),
  tags: tagsSql.as('tags'),
  versionId: as(endpointVersions.id, 'version_id'),
  version: endpointVersions.version,
  query: endpointVersions.query,
  columns: endpointVersions.columns,
  description: endpointVersions.description,
  dataFreshnessSeconds: endpointVersions.dataFreshnessSeconds,
  versionIsActive: as(endpointVersions.isActive, 'version_is_active'),
  optionalBreakdownProperties: endpointVersions.optionalBreakdownProperties,
  bucketOverrides: endpointVersions.bucketOverrides,
  versionCreatedAt: as(endpointVersions.createdAt, 'version_created_at'),
  versionUpdatedAt: as(endpointVersions.updatedAt, 'version_updated_at'),
  versionLastExecutedAt: as(endpointVersions.lastExecutedAt, 'version_last_executed_at'),
  eligibility: endpointVersions.eligibility,
  materializationId: asOptional(endpointMaterializations.id, 'materialization_id'),
  materializationStatus: asOptional(endpointMaterializations.status, 'materialization_status'),
  materializationError: asOptional(endpointMaterializations.error, 'materialization_error'),
  generation: endpointMaterializations.generation,
  lastMaterializedAt: endpointMaterializations.lastMaterializedAt,
  hibernatedAt: endpointMaterializations.hibernatedAt,
  versionCreatedBy: userSummarySql('endpoint_versions.created_by_id').as('version_created_by'),
}

/** The version that an endpoint is at. */
const isCurrent = eq(endpointVersions.version, endpoints.currentVersion)

/** A version by its number; without one the version that the endpoint is at. */
export const versionNumbered = (version: number | undefined): SQL =>
  version === undefined ? isCurrent : eq(endpointVersions.version, version)

/** The endpoint that a project calls by this name. Deleted ones have no name any more. */
export const endpointNamed = (projectId: number, name: string): SQL =>
  and(eq(endpoints.projectId, projectId), eq(endpoints.name, name), eq(endpoints.deleted, false))!

/** The endpoint with this id, deleted or not. */
export const endpointWithId = (projectId: number, id: string): SQL =>
  and(eq(endpoints.projectId, projectId), eq(endpoints.id, id))!

/**
 * Selects endpoints, each with those of its versions that `versions` is true of; the caller adds order and page.
 * @param versions a condition on `endpoint_versions`.
 */
export const selectEndpoints = (db: Database, where: SQL, versions: SQL = isCurrent) =>
  db
    .select(shownColumns)
    .from(endpoints)
    .innerJoin(endpointVersions, and(eq(endpointVersions.endpointId, endpoints.id), versions))
    .leftJoin(endpointMaterializations, eq(endpointMaterializations.versionId, endpointVersions.id))
    .where(where)

/** The statement that tells whether there is such an endpoint, for those who ask for one of its versions. */
export const selectIsThere = (db: Database, where: SQL) =>
  db
    .select({ one: sql`1`.as('one') })
    .from(endpoints)
    .where(where)

export type EndpointRow = Awaited<ReturnType<typeof selectEndpoints>>[number]
