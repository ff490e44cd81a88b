// Endpoints joined with one of their versions and its materialization.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { endpointMaterializations, endpoints, endpointVersions } from '../../drizzle'
import { userSummarySql } from '../http/user-summary'
import { aliased, optional } from '../storage/columns'
import type { Database } from '../storage/database'

/** JSON array of an endpoint's tags, in order; for selects from `endpoints`. */
export const tagsSql = sql<string>`(SELECT json_group_array(name) FROM (SELECT t.name FROM endpoint_tags t
  WHERE t.endpoint_id = endpoints.id ORDER BY t.name))`

/** SQL of a version's query. Where a node for a user interface wraps it, that is the query inside. */
export const sourceSql = sql`coalesce(endpoint_versions.query -> '$.source', endpoint_versions.query)`

/** The columns of a record. The compiled query is not among them: it is large, and only runs need it. */
const recordColumns = {
  id: aliased(endpoints.id, 'endpoint_id'),
  projectId: aliased(endpoints.projectId, 'endpoint_project_id'),
  name: endpoints.name,
  isActive: aliased(endpoints.isActive, 'endpoint_is_active'),
  derivedFromInsight: endpoints.derivedFromInsight,
  currentVersion: endpoints.currentVersion,
  createdAt: aliased(endpoints.createdAt, 'endpoint_created_at'),
  updatedAt: aliased(endpoints.updatedAt, 'endpoint_updated_at'),
  lastExecutedAt: aliased(endpoints.lastExecutedAt, 'endpoint_last_executed_at'),
  createdBy: userSummarySql('endpoints.created_by_id').as('created_by'),
  tags: tagsSql.as('tags'),
  versionId: aliased(endpointVersions.id, 'version_id'),
  version: endpointVersions.version,
  query: endpointVersions.query,
  columns: endpointVersions.columns,
  description: endpointVersions.description,
  dataFreshnessSeconds: endpointVersions.dataFreshnessSeconds,
  versionIsActive: aliased(endpointVersions.isActive, 'version_is_active'),
  optionalBreakdownProperties: endpointVersions.optionalBreakdownProperties,
  bucketOverrides: endpointVersions.bucketOverrides,
  versionCreatedAt: aliased(endpointVersions.createdAt, 'version_created_at'),
  versionUpdatedAt: aliased(endpointVersions.updatedAt, 'version_updated_at'),
  versionLastExecutedAt: aliased(endpointVersions.lastExecutedAt, 'version_last_executed_at'),
  eligibility: endpointVersions.eligibility,
  materializationId: optional(endpointMaterializations.id, 'materialization_id'),
  materializationStatus: optional(endpointMaterializations.status, 'materialization_status'),
  materializationError: optional(endpointMaterializations.error, 'materialization_error'),
  generation: endpointMaterializations.generation,
  lastMaterializedAt: endpointMaterializations.lastMaterializedAt,
  hibernatedAt: endpointMaterializations.hibernatedAt,
  versionCreatedBy: userSummarySql('endpoint_versions.created_by_id').as('version_created_by'),
}

const isCurrent = eq(endpointVersions.version, endpoints.currentVersion)

export const versionNumbered = (version: number | undefined): SQL =>
  version === undefined ? isCurrent : eq(endpointVersions.version, version)

/** SQL condition on an endpoint's name. It never matches a deleted endpoint. */
export const endpointNamed = (projectId: number, name: string): SQL =>
  and(eq(endpoints.projectId, projectId), eq(endpoints.name, name), eq(endpoints.deleted, false))!

/** SQL condition on an endpoint's id. It also matches a deleted endpoint. */
export const endpointWithId = (projectId: number, id: string): SQL =>
  and(eq(endpoints.projectId, projectId), eq(endpoints.id, id))!

/** @param versions condition on `endpoint_versions`; the default is the current one */
export const selectEndpoints = (db: Database, where: SQL, versions: SQL = isCurrent) =>
  db
    .select(recordColumns)
    .from(endpoints)
    .innerJoin(endpointVersions, and(eq(endpointVersions.endpointId, endpoints.id), versions))
    .leftJoin(endpointMaterializations, eq(endpointMaterializations.versionId, endpointVersions.id))
    .where(where)

export type EndpointRow = Awaited<ReturnType<typeof selectEndpoints>>[number]
