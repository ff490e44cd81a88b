// Names and hints of tools, by operation id.

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

export const ADDITIVE = new Set(['users_integrations_chat_start_create', 'users_push_tokens_create'])

export const ASKS_OTHERS = new Set(['endpoints_materialization_suggestion_create'])

export const REPLACING = new Set(['integrations_create'])
