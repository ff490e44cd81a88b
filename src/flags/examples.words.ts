// The flags that the reference's examples are about: `new-checkout`, made for everybody at example.com and then rolled back to half of them.
import { ada } from '../http/docs/examples'

export const FLAG_ID = 1
const CREATED_AT = '2026-03-31T08:15:42.118000Z'
export const UPDATED_AT = '2026-04-02T09:00:07.530000Z'

const atExample = { key: 'email', type: 'person', operator: 'icontains', value: '@example.com' }

/** A condition set as a caller writes it. */
export const conditionSet = (percentage: number) => ({
  properties: [atExample],
  rollout_percentage: percentage,
})

/** Filters as a caller writes them. */
const filtersToSend = (percentage: number) => ({ groups: [conditionSet(percentage)] })

/** The same as every read answers them. */
export const filtersShown = (percentage: number) => ({
  groups: [{ ...conditionSet(percentage), aggregation_group_type_index: null }],
  aggregation_group_type_index: null,
})

export const createBody = {
  key: 'new-checkout',
  name: 'New checkout',
  filters: filtersToSend(100),
  tags: ['checkout'],
}
export const updateBody = { filters: filtersToSend(50) }

/** What a flag holds wherever it shows. */
const core = (percentage: number) => ({
  id: FLAG_ID,
  name: createBody.name,
  key: createBody.key,
  filters: filtersShown(percentage),
  deleted: false,
  active: true,
  ensure_experience_continuity: false,
  evaluation_runtime: 'all',
  bucketing_identifier: 'distinct_id',
})

/** As its creation is answered. */
export const flag = {
  ...core(100),
  archived: false,
  created_by: ada,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  version: 1,
  last_modified_by: ada,
  experiment_set: [],
  experiment_set_metadata: [],
  surveys: {},
  features: {},
  rollback_conditions: null,
  performed_rollback: null,
  can_edit: true,
  tags: createBody.tags,
  evaluation_contexts: [],
  usage_dashboard: 1,
  analytics_dashboards: [],
  has_enriched_analytics: false,
  user_access_level: 'manager',
  is_remote_configuration: false,
  has_encrypted_payloads: false,
  status: 'ACTIVE',
  last_called_at: null,
  is_used_in_replay_settings: false,
  is_eligible_for_experiment: false,
}

/** As its update is answered. */
export const updatedFlag = { ...flag, filters: filtersShown(50), version: 2, updated_at: UPDATED_AT }

/** As it was before, in its history. */
export const firstVersion = {
  ...core(100),
  version: 1,
  rollback_conditions: null,
  performed_rollback: null,
  has_enriched_analytics: false,
  is_remote_configuration: false,
  has_encrypted_payloads: false,
  last_called_at: null,
  created_at: CREATED_AT,
  created_by: ada.id,
  is_historical: true,
  version_timestamp: CREATED_AT,
  modified_by: ada.id,
}

/** As evaluation sees it, once it is updated. */
export const definition = (projectId: number) => ({
  ...core(50),
  team_id: projectId,
  version: 2,
  evaluation_contexts: [],
})

/** In the path of whatever is about one flag. */
export const flagInPath = { is: 'Id of the flag.', example: FLAG_ID }
