// The tables of the specification about flags.
import * as z from 'zod'
import {
  any,
  boolean,
  filled,
  integer,
  maps,
  number,
  object,
  pageOf,
  record,
  text,
  timestamp,
  uuid,
} from './fields'
import type { SpecOperation } from './operations'

export const userSummary = record('User summary', {
  id: integer,
  uuid,
  distinct_id: text,
  first_name: text,
  last_name: text,
  email: text,
  is_email_verified: boolean,
  hedgehog_config: object,
  role_at_organization: text,
})

const flag = record('Feature flag', {
  id: integer,
  name: text,
  key: text,
  filters: object,
  deleted: boolean,
  active: boolean,
  archived: boolean,
  created_by: userSummary,
  created_at: timestamp,
  updated_at: timestamp,
  version: integer,
  last_modified_by: userSummary,
  ensure_experience_continuity: boolean.nullable(),
  experiment_set: z.array(integer),
  experiment_set_metadata: z.array(z.looseObject({ id: integer, name: text, is_running: boolean })),
  surveys: object,
  features: object,
  rollback_conditions: any,
  performed_rollback: boolean,
  can_edit: boolean,
  tags: z.array(text),
  evaluation_contexts: z.array(text),
  usage_dashboard: integer,
  analytics_dashboards: z.array(integer),
  has_enriched_analytics: boolean,
  user_access_level: text,
  creation_context: text,
  is_remote_configuration: boolean.nullable(),
  has_encrypted_payloads: boolean.nullable(),
  status: text,
  evaluation_runtime: z.enum(['all', 'client', 'server']),
  bucketing_identifier: text,
  last_called_at: timestamp.nullable(),
  _create_in_folder: text,
  _should_create_usage_dashboard: boolean,
  is_used_in_replay_settings: boolean,
  is_eligible_for_experiment: boolean,
})

const version = record('Feature flag version', {
  id: integer,
  key: text,
  name: text,
  filters: object,
  active: boolean,
  deleted: boolean,
  version: integer.max(2 ** 31 - 1),
  rollback_conditions: any,
  performed_rollback: boolean,
  ensure_experience_continuity: boolean,
  has_enriched_analytics: boolean,
  is_remote_configuration: boolean,
  has_encrypted_payloads: boolean,
  evaluation_runtime: text,
  bucketing_identifier: text,
  last_called_at: timestamp,
  created_at: timestamp,
  created_by: integer,
  is_historical: boolean,
  version_timestamp: timestamp,
  modified_by: integer,
})

const detail = record('Activity detail', {
  id: text,
  changes: z.array(
    record('Activity change', { type: text, action: text, field: text, before: any, after: any }),
  ),
  merge: z.looseObject({ type: text, source: any, target: any }),
  trigger: z.looseObject({ job_type: text, job_id: text, payload: any }),
  name: text,
  short_id: text,
  type: text,
})

const activityEntry = record('Activity log entry', {
  id: uuid,
  user: object,
  activity: text,
  scope: text,
  item_id: text,
  detail,
  created_at: timestamp,
})

const activityPage = z.strictObject({
  results: filled(activityEntry),
  next: z.url().nullable(),
  previous: z.url().nullable(),
  total_count: integer,
})

const status = record('Flag status', {
  status: text,
  reason: text,
  rollout: record('Flag rollout', {
    effectively_full_rollout: boolean,
    has_targeting_conditions: boolean,
    max_rollout_percentage: number,
    is_multivariate: boolean,
  }),
})

const testEvaluation = record('Test evaluation', {
  flag_key: text,
  result: any,
  reason: text,
  condition_index: integer,
  payload: any,
  person_properties: object,
  evaluation_distinct_id: text,
  conditions: filled(
    record('Test evaluation condition', {
      index: integer,
      matched: boolean,
      properties_matched: boolean,
      explanation: text,
      rollout_percentage: number,
      rollout_excluded: boolean,
      variant: text,
      properties: filled(
        record('Test evaluation property', {
          key: text,
          operator: text,
          value: any,
          type: text,
          actual_value: any,
          matched: boolean,
          explanation: text,
        }),
      ),
    }),
  ),
})

const F = '/api/projects/:project_id/feature_flags/'

export const flagSpec: readonly SpecOperation[] = [
  { method: 'get', path: F, scope: 'feature_flag:read', success: [200, pageOf(flag)] },
  { method: 'post', path: F, scope: 'feature_flag:write', success: [201, flag] },
  { method: 'get', path: `${F}:id/`, scope: 'feature_flag:read', success: [200, flag] },
  { method: 'patch', path: `${F}:id/`, scope: 'feature_flag:write', success: [200, flag] },
  { method: 'delete', path: `${F}:id/`, scope: 'feature_flag:write', success: [405, null] },
  {
    method: 'get',
    path: `${F}:id/activity/`,
    scope: 'activity_log:read',
    success: [200, activityPage],
    missing: null,
  },
  { method: 'get', path: `${F}activity/`, scope: 'activity_log:read', success: [200, activityPage] },
  {
    method: 'post',
    path: `${F}:id/create_static_cohort_for_flag/`,
    scope: 'feature_flag:write',
    success: [200, z.strictObject({ cohort: z.looseObject({ id: integer, name: text }) })],
  },
  {
    method: 'post',
    path: `${F}:id/dashboard/`,
    scope: 'feature_flag:write',
    success: [200, z.strictObject({ success: z.literal(true) })],
  },
  {
    method: 'post',
    path: `${F}:id/enrich_usage_dashboard/`,
    scope: 'feature_flag:write',
    success: [200, z.strictObject({ success: z.literal(true) })],
  },
  {
    method: 'get',
    path: `${F}:id/dependent_flags/`,
    scope: 'feature_flag:read',
    success: [200, filled(z.strictObject({ id: integer, key: text, name: text }))],
  },
  {
    method: 'get',
    path: `${F}:id/remote_config/`,
    scope: 'feature_flag:read',
    // The payload, as a JSON string.
    success: [200, text],
    missing: null,
  },
  { method: 'get', path: `${F}:id/status/`, scope: 'feature_flag:read', success: [200, status] },
  {
    method: 'post',
    path: `${F}:id/test_evaluation/`,
    scope: 'feature_flag:read',
    success: [200, testEvaluation],
  },
  {
    method: 'get',
    path: `${F}:id/versions/:version_number/`,
    scope: 'feature_flag:read',
    success: [200, version],
    missing: null,
  },
  {
    method: 'post',
    path: `${F}bulk_delete/`,
    scope: 'feature_flag:write',
    success: [
      200,
      z.strictObject({
        deleted: filled(
          record('Bulk delete', { id: integer, key: text, rollout_state: text, active_variant: text }),
        ),
        errors: filled(record('Bulk delete error', { id: integer.nullable(), key: text, reason: text })),
      }),
    ],
  },
  {
    method: 'post',
    path: `${F}bulk_keys/`,
    scope: 'feature_flag:read',
    success: [200, z.strictObject({ keys: maps(text), warning: text })],
  },
  {
    method: 'post',
    path: `${F}bulk_update_tags/`,
    scope: 'feature_flag:write',
    success: [
      200,
      z.strictObject({
        updated: filled(z.strictObject({ id: integer, tags: z.array(text) })),
        skipped: filled(z.strictObject({ id: integer, reason: text })),
      }),
    ],
  },
  {
    method: 'get',
    path: `${F}evaluation_reasons/`,
    scope: 'feature_flag:read',
    // By flag key.
    success: [
      200,
      maps(
        z.looseObject({
          value: any,
          evaluation: z.looseObject({ reason: text, condition_index: integer.nullable() }),
        }),
      ).refine((flags) => Object.keys(flags).length > 0),
    ],
  },
]
