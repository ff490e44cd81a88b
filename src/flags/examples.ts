// The flag of the examples: `new-checkout`, which was created for all at example.com and then reduced to half of them.
import { initialValues } from '../flag-fields'
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

/** The fields that the activity log has of the new flag. */
const newFields = () => ({
  ...initialValues('log'),
  id: FLAG_ID,
  name: 'New checkout',
  key: FLAG_KEY,
  filters: filtersExample(100),
  created_at: CREATED_AT,
})

export const flagExample = () => ({
  ...newFields(),
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

export const firstVersionExample = () => {
  const { archived: _archived, ...fields } = newFields()
  return {
    ...fields,
    created_by: ada.id,
    is_historical: true,
    version_timestamp: CREATED_AT,
    modified_by: ada.id,
  }
}

/** The public definition after the update. */
export const definitionExample = (projectId: number) => ({
  ...initialValues('public'),
  id: FLAG_ID,
  team_id: projectId,
  name: 'New checkout',
  key: FLAG_KEY,
  filters: filtersExample(50),
  version: 2,
})

/** The parameter of paths to one flag. */
export const flagParameter = (): { id: ParameterDocs } => ({
  id: { description: 'Id of the flag.', example: FLAG_ID },
})
