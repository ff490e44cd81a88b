// Descriptions of the members of property filters.

/** @param path the field that is a list of filters */
export const filterDescriptions = (path: string) => ({
  [`${path}.key`]: 'Name of the property, or id of the cohort.',
  [`${path}.value`]: 'Value or values to compare with.',
  [`${path}.operator`]: 'Comparison. Default `exact`.',
  [`${path}.type`]: '`event`, `person`, `group`, `session` or `cohort`. Default `event`.',
  [`${path}.group_type_index`]: 'Index of the group type, for `group`.',
  [`${path}.label`]: 'Stored for user interfaces; no effect.',
  [`${path}.cohort_name`]: 'Stored for user interfaces; no effect.',
  [`${path}.group_key_names`]: 'Stored for user interfaces; no effect.',
})
