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

export const ROW_FIELDS: Readonly<Record<string, readonly string[]>> = {
  feature_flags_list: ['id', 'key', 'name', 'updated_at', 'status', 'tags'],
}

export const ADDITIVE = new Set([
  'feature_flags_create_static_cohort_for_flag_create',
  'feature_flags_dashboard_create',
  'feature_flags_enrich_usage_dashboard_create',
])
