// Tracked fields of an endpoint and a version, by their names in the API. Updates and the activity log use them.
import type { EndpointRow } from './endpoint-rows'
import { eq, sql } from 'drizzle-orm'
import { endpointTags } from '../../drizzle'
import type { Database } from '../storage/database'

export const endpointStateOf = (row: EndpointRow) => ({
  is_active: row.isActive,
  tags: JSON.parse(row.tags) as string[],
})

export const versionStateOf = (row: EndpointRow) => ({
  description: row.description,
  data_freshness_seconds: row.dataFreshnessSeconds,
  is_active: row.versionIsActive,
  optional_breakdown_properties: row.optionalBreakdownProperties,
  bucket_overrides: row.bucketOverrides,
})

export type EndpointState = ReturnType<typeof endpointStateOf>
export type VersionState = ReturnType<typeof versionStateOf>

/** The fields in the order of the activity log. */
export const ENDPOINT_FIELDS = ['is_active', 'tags'] as const satisfies readonly (keyof EndpointState)[]

export const VERSION_FIELDS = [
  'description',
  'data_freshness_seconds',
  'is_active',
  'optional_breakdown_properties',
  'bucket_overrides',
] as const satisfies readonly (keyof VersionState)[]

export const versionColumnsOf = (state: VersionState) => ({
  description: state.description,
  dataFreshnessSeconds: state.data_freshness_seconds,
  isActive: state.is_active,
  optionalBreakdownProperties: state.optional_breakdown_properties,
  bucketOverrides: state.bucket_overrides,
})

export const replaceTags = (
  db: Database,
  projectId: number,
  endpointId: string,
  names: readonly string[],
) => [
  db.delete(endpointTags).where(eq(endpointTags.endpointId, endpointId)),
  ...(names.length > 0
    ? [
        db
          .insert(endpointTags)
          .select(sql`SELECT ${endpointId}, ${projectId}, value FROM json_each(${JSON.stringify(names)})`),
      ]
    : []),
]
