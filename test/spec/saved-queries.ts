// The tables of the specification about saved queries. It does not show their responses: these are upstream's
// (docs/reference/endpoints.md#records-of-saved-queries, #response-of-a-run).
import * as z from 'zod'
import { any, boolean, filled, integer, maps, object, pageOf, record, text, timestamp, uuid } from './fields'
import { userSummary } from './flags'
import type { SpecOperation } from './operations'

const materialization = z.looseObject({
  name: text,
  enabled: boolean,
  ready: boolean,
  hibernated: boolean,
  can_materialize: boolean,
})

const fields = {
  id: uuid,
  name: text,
  description: text,
  query: z.looseObject({ kind: text }),
  is_active: boolean,
  data_freshness_seconds: integer,
  endpoint_path: text,
  url: z.url().nullable(),
  ui_url: z.url().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  created_by: userSummary,
  is_materialized: boolean,
  current_version: integer,
  current_version_id: uuid,
  versions_count: integer,
  derived_from_insight: text.nullable(),
  last_executed_at: timestamp.nullable(),
  materialization,
  bucket_overrides: maps(text).nullable(),
  // An insight has its columns when it is run.
  columns: z.array(
    z.strictObject({
      name: text,
      type: z.enum(['integer', 'float', 'string', 'datetime', 'date', 'boolean', 'array', 'json', 'unknown']),
    }),
  ),
  tags: z.array(text),
  optional_breakdown_properties: z.array(text),
}

const endpoint = record('Endpoint', fields)

const version = record('Endpoint version', {
  ...fields,
  url: z.null(),
  ui_url: z.null(),
  version: integer,
  version_id: uuid,
  endpoint_is_active: boolean,
  version_created_at: timestamp,
  version_updated_at: timestamp.nullable(),
  version_created_by: userSummary.nullable(),
})

const run = z.looseObject({
  results: filled(z.array(z.unknown())),
  columns: filled(text),
  types: filled(z.tuple([text, text])),
  hasMore: boolean,
  is_cached: boolean,
  last_refresh: timestamp,
  next_allowed_client_refresh: timestamp,
  cache_target_age: timestamp,
  timezone: text,
  error: any,
  query: any,
  clickhouse: any,
  metadata: any,
  query_status: any,
  name: text,
  execution_id: uuid,
  endpoint_version: integer,
  endpoint_version_created_at: timestamp,
})

const logEntry = z.strictObject({
  log_source_id: uuid,
  instance_id: uuid,
  timestamp,
  level: z.enum(['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR']),
  message: text,
})

const preview = z.strictObject({
  can_materialize: boolean,
  reason: text.nullable(),
  transformed_query: text.nullable(),
  execution_query: text.nullable(),
  display_execution_query: text.nullable(),
  range_pairs: z.array(z.looseObject({ column: text, variables: z.array(text), bucket_fn: text })),
  aggregates: z.array(z.looseObject({ expression: text, reaggregate_fn: text.nullable() })),
  // An addition.
  cost: z.unknown().optional(),
})

const suggestion = z.looseObject({
  suggestion_status: z.enum(['ok', 'cannot_fix', 'invalid', 'model_error']),
  suggested_query: text.nullable(),
  explanation: text.nullable(),
  attempts: integer,
  error: text.nullable(),
  original_reason: text.nullable(),
})

const openApi = z.looseObject({
  openapi: z.string().regex(/^3\.0\.\d$/),
  info: z.looseObject({ title: text, description: text, version: text }),
  paths: object,
})

const executionTimes = z.looseObject({
  query_status: z.looseObject({
    id: text,
    team_id: integer,
    complete: boolean,
    error: boolean,
    results: filled(z.tuple([text, timestamp])),
  }),
})

const forms = (E: string): SpecOperation[] => [
  { method: 'get', path: E, scope: 'endpoint:read', success: [200, pageOf(endpoint)] },
  { method: 'post', path: E, scope: 'endpoint:write', success: [201, endpoint] },
  { method: 'get', path: `${E}:name/`, scope: 'endpoint:read', success: [200, endpoint] },
  { method: 'patch', path: `${E}:name/`, scope: 'endpoint:write', success: [200, endpoint] },
  { method: 'delete', path: `${E}:name/`, scope: 'endpoint:write', success: [204, null] },
  { method: 'get', path: `${E}:name/logs/`, scope: 'endpoint:read', success: [200, pageOf(logEntry)] },
  {
    method: 'post',
    path: `${E}:name/materialization_preview/`,
    scope: 'endpoint:read',
    success: [200, preview],
  },
  {
    method: 'get',
    path: `${E}:name/materialization_status/`,
    scope: 'endpoint:read',
    success: [200, materialization],
  },
  {
    method: 'post',
    path: `${E}:name/materialization_suggestion/`,
    scope: 'endpoint:read',
    success: [200, suggestion],
  },
  { method: 'get', path: `${E}:name/openapi.json/`, scope: 'endpoint:read', success: [200, openApi] },
  { method: 'get', path: `${E}:name/run/`, scope: 'endpoint:read', success: [200, run] },
  { method: 'post', path: `${E}:name/run/`, scope: 'endpoint:read', success: [200, run] },
  { method: 'get', path: `${E}:name/versions/`, scope: 'endpoint:read', success: [200, pageOf(version)] },
  {
    method: 'post',
    path: `${E}last_execution_times/`,
    scope: 'endpoint:read',
    success: [200, executionTimes],
  },
  {
    method: 'get',
    path: `${E}materialization_conditions/`,
    scope: 'endpoint:read',
    success: [200, z.looseObject({ conditions_source: any, rewrite_contract: text })],
  },
]

export const savedQuerySpec: readonly SpecOperation[] = [
  ...forms('/api/environments/:environment_id/endpoints/'),
  ...forms('/api/projects/:project_id/endpoints/'),
]
