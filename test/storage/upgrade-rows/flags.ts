// Two flags, all that hangs on them, and what was noted of a change.
import { AT, id, LATER, type Rows } from './row'

export function flagRows(projectId: number): Rows {
  const project = { project_id: projectId }
  const flag = {
    ...project,
    archived: 0,
    deleted: 0,
    ensure_experience_continuity: 0,
    rollback_conditions: null,
    performed_rollback: 0,
    has_enriched_analytics: 0,
    is_remote_configuration: 0,
    has_encrypted_payloads: 0,
    evaluation_runtime: 'all',
    bucketing_identifier: 'distinct_id',
    creation_context: 'feature_flags',
    folder: 'Unfiled/Feature Flags',
    created_by_id: 1,
    last_modified_by_id: 1,
    created_at: AT,
    updated_at: LATER,
    last_called_at: LATER,
    fully_rolled_out: 0,
    rollout_state: 'partial',
    decided_variant: null,
  }
  return {
    feature_flags: [
      {
        ...flag,
        id: 1,
        key: 'checkout',
        name: 'The new checkout',
        filters:
          '{"groups":[{"properties":[{"key":"email","type":"person","operator":"icontains","value":"@example.com"}],' +
          '"rollout_percentage":100}]}',
        active: 1,
        version: 4,
        usage_dashboard_id: 1,
        search_text: 'checkout\u001fthe new checkout',
        variant_count: 0,
      },
      {
        ...flag,
        id: 2,
        key: 'beta',
        name: 'Those who try things',
        filters:
          '{"groups":[{"properties":[{"key":"id","type":"cohort","value":1}],"rollout_percentage":100}],' +
          '"multivariate":{"variants":[{"key":"one","rollout_percentage":50},{"key":"two","rollout_percentage":50}]}}',
        active: 1,
        version: 1,
        usage_dashboard_id: null,
        search_text: 'beta\u001fthose who try things',
        variant_count: 2,
      },
    ],
    flag_tags: [{ flag_id: 1, ...project, name: 'shop' }],
    flag_evaluation_contexts: [{ flag_id: 1, ...project, name: 'web' }],
    flag_cohorts: [{ flag_id: 2, cohort_id: 1 }],
    flag_dashboards: [{ flag_id: 1, dashboard_id: 1 }],
    flag_dependencies: [{ flag_id: 2, depends_on_id: 1 }],
    scheduled_changes: [
      {
        id: 1,
        ...project,
        flag_id: 1,
        payload: '{"operation":"update_status","value":true}',
        scheduled_at: LATER,
        first_at: LATER,
        due_at: LATER,
        executed_at: null,
        last_executed_at: null,
        failure_reason: null,
        crashes: 0,
        is_recurring: 0,
        recurrence_interval: null,
        end_date: null,
        created_by_id: 1,
        last_modified_by_id: 1,
        created_at: AT,
        updated_at: AT,
      },
    ],
    flag_hash_key_overrides: [{ person_id: 1, ...project, flag_key: 'beta', hash_key: 'anonymous' }],
    early_access_features: [{ id: id(12), ...project, name: 'Beta', stage: 'beta', flag_id: 2 }],
    experiments: [
      {
        id: 1,
        ...project,
        name: 'Trial',
        search_name: 'trial',
        flag_id: 2,
        deleted: 0,
        start_date: AT,
        end_date: LATER,
      },
    ],
    surveys: [{ id: id(13), ...project, name: 'How was it', linked_flag_id: 1 }],
    activity_log: [
      {
        sequence: 1,
        id: id(11),
        ...project,
        user_id: 1,
        activity: 'created',
        scope: 'FeatureFlag',
        item_id: '1',
        detail: '{"changes":[],"trigger":null,"type":null,"name":"checkout","short_id":null}',
        created_at: AT,
        organization_id: null,
        scope_ordinal: 1,
        item_ordinal: 1,
      },
    ],
  }
}
