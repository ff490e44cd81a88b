// The flag of the examples: `new-checkout`, created for all at example.com and then reduced to half of them.
import { ada } from '../http/docs/examples'
import type { ParameterDocs } from '../http/docs/operation-docs'

export const FLAG_ID = 1
export const FLAG_KEY = 'new-checkout'
const CREATED_AT = '2026-03-31T08:15:42.118000Z'

export const conditionSetExample = (percentage: number) => ({
  properties: [{ key: 'email', type: 'person', operator: 'icontains', value: '@example.com' }],
  rollout_percentage: percentage,
})

/** Filters as a read shows them. */
export const filtersExample = (percentage: number) => ({
  groups: [{ ...conditionSetExample(percentage), aggregation_group_type_index: null }],
  aggregation_group_type_index: null,
})

export const createFlagExample = () => ({
  key: FLAG_KEY,
  name: 'New checkout',
  filters: { groups: [conditionSetExample(100)] },
  tags: ['checkout'],
})

const commonFields = (percentage: number) => ({
  id: FLAG_ID,
  name: 'New checkout',
  key: FLAG_KEY,
  filters: filtersExample(percentage),
  deleted: false,
  active: true,
  ensure_experience_continuity: false,
  evaluation_runtime: 'all',
  bucketing_identifier: 'distinct_id',
})

/** Fields of a flag and its versions that evaluation does not use. */
const storedFields = () => ({
  version: 1,
  created_at: CREATED_AT,
  rollback_conditions: null,
  performed_rollback: null,
  has_enriched_analytics: false,
  is_remote_configuration: false,
  has_encrypted_payloads: false,
  last_called_at: null,
})

export const flagExample = () => ({
  ...commonFields(100),
  ...storedFields(),
  updated_at: CREATED_AT,
  creation_context: 'feature_flags',
  _create_in_folder: 'Unfiled/Feature Flags',
  _should_create_usage_dashboard: true,
  surveys: {},
  features: {},
  can_edit: true,
  tags: ['checkout'],
  usage_dashboard: 1,
  user_access_level: 'manager',
  status: 'ACTIVE',
})

export const firstVersionExample = () => ({
  ...commonFields(100),
  ...storedFields(),
  created_by: ada.id,
  is_historical: true,
  version_timestamp: CREATED_AT,
  modified_by: ada.id,
})

/** The public definition after the update. */
export const definitionExample = (projectId: number) => ({
  ...commonFields(50),
  team_id: projectId,
  version: 2,
  evaluation_contexts: [],
})

/** The parameter of paths to one flag. */
export const flagParameter = (): { id: ParameterDocs } => ({
  id: { description: 'Id of the flag.', example: FLAG_ID },
})
