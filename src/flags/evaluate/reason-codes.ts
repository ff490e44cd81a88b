/** The codes of reasons, for the documentation. */
export const reasonCodes = () =>
  '`condition_match`, `no_condition_match`, `out_of_rollout_bound` (properties match, the percentage excludes), `no_group_type` (no group was given), `super_condition_value` (enrollment), `holdout_condition_value`, `flag_disabled`, `missing_dependency`'

export const VALUE_DESCRIPTION = 'The variant if the person gets one, else whether the flag is on for them.'
export const GROUPS_DESCRIPTION = 'Groups as a JSON object: key by name of the group type.'
export const CONDITION_INDEX_DESCRIPTION = 'Index of the condition set of the reason, from 0; null for none.'
