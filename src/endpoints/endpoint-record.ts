// Records of endpoints and versions from rows (docs/reference/endpoints.md#records-of-saved-queries).
import { toApiTimestamp, toApiTimestampOrNull } from '../timestamps'
import { hasRows, materializationOf } from './materialization/materialization-record'
import type { Warning } from '../hogql/error'
import type { StoredQuery } from './compile/compile-query'
import type { EndpointRow } from './endpoint-rows'
import type { EndpointRecord, EndpointVersionRecord } from './endpoint-schema'

export const runPathOf = (projectId: number, name: string): string =>
  `/api/projects/${projectId}/endpoints/${name}/run`

export function recordFrom(row: EndpointRow, { origin }: Pick<URL, 'origin'>): EndpointRecord {
  const path = runPathOf(row.projectId, row.name)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    query: row.query,
    is_active: row.isActive,
    data_freshness_seconds: row.dataFreshnessSeconds,
    endpoint_path: path,
    url: `${origin}${path}`,
    ui_url: `${origin}/project/${row.projectId}/endpoints/${row.name}`,
    created_at: toApiTimestamp(row.createdAt),
    updated_at: toApiTimestamp(row.updatedAt),
    created_by: row.createdBy,
    is_materialized: hasRows(row),
    current_version: row.currentVersion,
    current_version_id: row.versionId,
    // The number of the newest version is the number of versions, because numbers are never reused.
    versions_count: row.currentVersion,
    derived_from_insight: row.derivedFromInsight,
    last_executed_at: toApiTimestampOrNull(row.lastExecutedAt),
    materialization: materializationOf(row),
    bucket_overrides: row.bucketOverrides,
    columns: row.columns,
    tags: JSON.parse(row.tags) as string[],
    optional_breakdown_properties: row.optionalBreakdownProperties,
  }
}

/** The warnings about a query that was just stored, if there are any. */
export const warningsOf = (query: Pick<StoredQuery, 'warnings'> | null): { warnings?: Warning[] } =>
  query && query.warnings.length > 0 ? { warnings: [...query.warnings] } : {}

export const versionRecordFrom = (row: EndpointRow, url: Pick<URL, 'origin'>): EndpointVersionRecord => ({
  ...recordFrom(row, url),
  url: null,
  ui_url: null,
  is_active: row.versionIsActive,
  last_executed_at: toApiTimestampOrNull(row.versionLastExecutedAt),
  version: row.version,
  version_id: row.versionId,
  endpoint_is_active: row.isActive,
  version_created_at: toApiTimestamp(row.versionCreatedAt),
  version_updated_at: toApiTimestampOrNull(row.versionUpdatedAt),
  version_created_by: row.versionCreatedBy,
})
