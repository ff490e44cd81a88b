// Scopes of personal API keys (docs/reference/accounts.md#personal-api-keys).
import { invalid } from '../../errors'

/** Objects of scopes, as upstream has them. This service does not serve all of them. */
const OBJECTS = new Set(
  `access_control account action activity_log ai_observability_clusters alert annotation approvals batch_export
  batch_import batch_import_support billing business_knowledge canvas cohort comment conversation customer_analytics
  customer_journey customer_profile_config customer_task dashboard dashboard_template data_catalog data_catalog_approval
  dataset early_access_feature element endpoint engineering_analytics error_tracking evaluation event_definition
  event_filter experiment experiment_holdout experiment_saved_metric export external_data_schema external_data_source
  feature_flag field_note file_system file_system_shortcut group health_issue heatmap hog_flow hog_function
  ingestion_warning insight insight_variable integration legal_document link live_debugger llm_analytics llm_gateway
  llm_playground llm_prompt llm_provider_key llm_skill logs loop marketing_analytics mcp_analytics metrics notebook
  organization organization_integration organization_member person plugin product_enablement product_tour project
  property_definition query query_performance replay_scanner revenue_analytics review_hog session_recording
  session_recording_playlist sharing_configuration signal_scout stamphog streamlit_app subscription survey tagger task
  ticket toolbar tracing uploaded_media usage_metric user user_interview vision_action vision_alert visual_review
  warehouse_objects warehouse_table warehouse_view web_analytics webhook wizard_session`.split(/\s+/),
)

const MAX_SCOPE_LENGTH = 64

const isScope = (scope: string): boolean => {
  if (scope.length > MAX_SCOPE_LENGTH) return false
  const [object = '', action = '', ...rest] = scope.split(':')
  return OBJECTS.has(object) && (action === 'read' || action === 'write') && rest.length === 0
}

/** @throws 400 for the first unknown scope. */
export function checkScopes(scopes: readonly string[]): void {
  for (const scope of scopes) {
    if (scope.startsWith('llm_gateway:')) {
      throw invalid('scopes', 'LLM gateway scope is not available. Contact support to enable this feature.')
    }
    if (scope !== '*' && !isScope(scope)) throw invalid('scopes', `Invalid scope: ${scope}`)
  }
}
