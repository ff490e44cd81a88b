// Names and hints of tools, by operation id.

export const NAMED_BY_SPEC: Readonly<Record<string, string>> = {
  feature_flags_list: 'feature-flag-get-all',
  feature_flags_create: 'create-feature-flag',
  feature_flags_retrieve: 'feature-flag-get-definition',
  feature_flags_partial_update: 'update-feature-flag',
  feature_flags_destroy: 'delete-feature-flag',
  feature_flags_activity_retrieve: 'feature-flags-activity-retrieve',
  feature_flags_status_retrieve: 'feature-flags-status-retrieve',
  feature_flags_test_evaluation_create: 'feature-flags-test-evaluation-create',
  feature_flags_evaluation_reasons_retrieve: 'feature-flags-evaluation-reasons-retrieve',
}

export const NAMED_UPSTREAM: Readonly<Record<string, string>> = {
  endpoints_list: 'endpoints-get-all',
  endpoints_create: 'endpoint-create',
  endpoints_retrieve: 'endpoint-get',
  endpoints_partial_update: 'endpoint-update',
  endpoints_destroy: 'endpoint-delete',
  endpoints_run_create: 'endpoint-run',
  endpoints_versions_list: 'endpoint-versions',
  endpoints_logs_retrieve: 'endpoint-logs',
  endpoints_openapi_retrieve: 'endpoint-openapi',
  endpoints_materialization_status_retrieve: 'endpoint-materialization-status',
  endpoints_materialization_preview_create: 'endpoints-materialization-preview',
  endpoints_last_execution_times_create: 'endpoints-last-execution-times',
}

export const ROW_FIELDS: Readonly<Record<string, readonly string[]>> = {
  feature_flags_list: ['id', 'key', 'name', 'updated_at', 'status', 'tags'],
}

export const ADDITIVE = new Set([
  'feature_flags_create_static_cohort_for_flag_create',
  'feature_flags_dashboard_create',
  'feature_flags_enrich_usage_dashboard_create',
])

export const ASKS_OTHERS = new Set(['endpoints_materialization_suggestion_create'])
