// What samples need that the operations do not tell: something to be about, and bodies that can be sent twice.
import { aFlag } from '../../http/docs/sample-setup'
import type { SampleDocs } from '../../http/docs/sample-steps'

/** By operation, what it needs besides. What is said of one inside projects holds inside environments. */
export const NEEDS: Readonly<Record<string, SampleDocs>> = {
  feature_flags_create: { into: { key: 'new-checkout-$N' } },
  feature_flags_remote_config_retrieve: {
    before: [
      aFlag({ is_remote_configuration: true, filters: { groups: [{}], payloads: { true: '"12 months"' } } }),
    ],
  },
  feature_flags_evaluation_reasons_retrieve: { query: { distinct_id: 'user-1' } },
  feature_flags_enrich_usage_dashboard_create: {
    before: [aFlag({ has_enriched_analytics: true, _should_create_usage_dashboard: true })],
  },
  feature_flags_bulk_delete_create: { before: [aFlag()], body: { ids: ['#$FLAG'] } },
  feature_flags_bulk_keys_create: { before: [aFlag()], body: { ids: ['#$FLAG'] } },
  feature_flags_bulk_update_tags_create: {
    before: [aFlag()],
    body: { ids: ['#$FLAG'], action: 'add', tags: ['checkout'] },
  },
  capture: { into: { api_key: '$TOKEN' } },
  flags_evaluate: { into: { token: '$TOKEN' } },
}
