// One valid request for every operation: what the security suite sends where only the caller, or the envelope, is wrong.
import { cohort } from '../support/rows'
import type { Tenant } from '../support/tenant'

export interface Sample {
  /** The path's parameters besides the project, for something that `tenant` has. */
  params?(tenant: Tenant): Promise<Record<string, string | number>>
  query?: Record<string, string>
  body?: Record<string, unknown>
}

const aFlag = async (tenant: Tenant) => ({ id: (await tenant.flag()).id })

/** By operation id. An operation that is missing here fails the suite. */
export const samples: Record<string, Sample> = {
  feature_flags_list: {},
  feature_flags_create: { body: { key: 'sample' } },
  feature_flags_retrieve: { params: aFlag },
  feature_flags_partial_update: { params: aFlag, body: { name: 'sample' } },
  feature_flags_destroy: { params: aFlag },
  feature_flags_activity_retrieve: { params: aFlag },
  feature_flags_all_activity_retrieve: {},
  feature_flags_versions_retrieve: {
    params: async (tenant) => ({ ...(await aFlag(tenant)), version_number: 1 }),
  },
  feature_flags_status_retrieve: { params: aFlag },
  feature_flags_dependent_flags_retrieve: { params: aFlag },
  feature_flags_remote_config_retrieve: {
    params: async (tenant) => ({ id: (await tenant.flag({ is_remote_configuration: true })).id }),
  },
  feature_flags_test_evaluation_create: { params: aFlag, body: { distinct_id: 'sample' } },
  feature_flags_evaluation_reasons_retrieve: { query: { distinct_id: 'sample' } },
  feature_flags_dashboard_create: { params: aFlag, body: {} },
  feature_flags_enrich_usage_dashboard_create: {
    params: async (tenant) => ({
      id: (await tenant.flag({ has_enriched_analytics: true, _should_create_usage_dashboard: true })).id,
    }),
    body: {},
  },
  feature_flags_create_static_cohort_for_flag_create: { params: aFlag, body: {} },
  feature_flags_my_flags_retrieve: {},
  feature_flags_matching_ids_retrieve: {},
  feature_flags_user_blast_radius_create: { body: { condition: { properties: [] } } },
  feature_flags_bulk_delete_create: { body: { ids: [1] } },
  feature_flags_bulk_keys_create: { body: { ids: [1] } },
  feature_flags_bulk_update_tags_create: { body: { ids: [1], action: 'add', tags: ['sample'] } },
  cohorts_retrieve: { params: async (tenant) => ({ id: await cohort(tenant) }) },
  dashboards_retrieve: {
    params: async (tenant) => ({
      id: (await tenant.flag({ _should_create_usage_dashboard: true })).usage_dashboard,
    }),
  },
}
