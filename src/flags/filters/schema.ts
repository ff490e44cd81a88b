// `filters` as a read shows them. Writes are checked by the other files of this folder, whose messages name the position.
import * as z from 'zod'
import { dictionary } from '../../http/fields'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { conditionSetExample, filtersExample } from '../examples'

const percentage = () => z.number().min(0).max(100)
const index = () => z.int().nullish()
const GROUP_TYPE = 'Index of a group type of the project, from 0'

export const PropertyFilter = z
  .looseObject({
    key: z.string(),
    type: z.enum(['person', 'cohort', 'group', 'flag']),
    operator: z.string().nullish(),
    value: z.unknown().optional(),
    group_type_index: index(),
  })
  .meta({ id: 'PropertyFilter' })

export const PropertyFilterDocs = (): SchemaDocs => ({
  description:
    'A condition on a person or a group. Reads add names to ids, such as `cohort_name`; writes drop them.',
  fields: {
    key: 'Name of the property. For a flag its id, as text; for a cohort `id`.',
    type: 'What the condition tests: a person property, a group property, cohort membership, or another flag.',
    operator:
      'How to compare: `exact`, `is_not`, `icontains`, `not_icontains`, `icontains_multi`, `not_icontains_multi`, `regex`, `not_regex`, `gt`, `gte`, `lt`, `lte`, `is_set`, `is_not_set`, `is_date_exact`, `is_date_before`, `is_date_after`, `semver_eq`, `semver_neq`, `semver_gt`, `semver_gte`, `semver_lt`, `semver_lte`, `semver_tilde`, `semver_caret`, `semver_wildcard`; `in` and `not_in` for cohorts, `flag_evaluates_to` for flags. Default `exact`, for cohorts `in`.',
    value:
      'Text for most operators, a list for any of several values with `exact`, the id of a cohort, or for a flag true, false or one of its variants. Dates are ISO 8601, or relative: `-7d` is seven days ago. `is_set` and `is_not_set` need none. A pattern past 1,000,000 steps does not match. A value that can never match is a 400.',
    group_type_index: `${GROUP_TYPE}; required with the type \`group\`, and equal to that of the condition set.`,
  },
  example: conditionSetExample(100).properties[0],
})

export const ConditionSet = z
  .looseObject({
    properties: z.array(PropertyFilter).nullish(),
    rollout_percentage: percentage().nullish().meta({ default: 100 }),
    variant: z.string().nullish(),
    aggregation_group_type_index: index(),
  })
  .meta({ id: 'ConditionSet' })

export const ConditionSetDocs = (): SchemaDocs => ({
  description: 'Matches a percentage of those for whom all properties hold.',
  fields: {
    properties: 'Conditions that must all hold. Empty or null: none.',
    rollout_percentage:
      'Share of those who match, 0 to 100 percent; fractions are allowed. Default, and null: 100.',
    variant: 'Key of the variant for all of them. Null: the variant of their bucket.',
    aggregation_group_type_index: `${GROUP_TYPE}, for a set about groups; null for one about people. Default: that of the filters.`,
  },
  example: { ...conditionSetExample(100), aggregation_group_type_index: null },
})

export const Filters = z
  .looseObject({
    groups: z.array(ConditionSet),
    multivariate: z
      .looseObject({
        variants: z.array(z.looseObject({ key: z.string(), rollout_percentage: percentage() })),
      })
      .nullish(),
    payloads: z.record(z.string(), z.string()).optional(),
    aggregation_group_type_index: index(),
    holdout: z.looseObject({ id: z.int(), exclusion_percentage: percentage() }).nullish(),
    feature_enrollment: z.boolean().nullish().meta({ default: false }),
    early_exit: z.boolean().nullish().meta({ default: false }),
  })
  .meta({ id: 'FlagFilters' })

export const FiltersDocs = (): SchemaDocs => ({
  description:
    'Who gets the flag, and with which value. Unknown members are stored and have no effect, unless they are close to a known one (400).',
  fields: {
    groups: 'Condition sets. The first that matches decides; without a match the flag is off.',
    multivariate: 'Variants. Null, or without variants: the flag is on or off.',
    'multivariate.variants':
      'Variants, in order. Everyone for whom the flag is on gets one of them, always the same. Their shares sum to 100.',
    'multivariate.variants.key': 'The value of the flag.',
    'multivariate.variants.rollout_percentage':
      'Share of those for whom the flag is on, 0 to 100 percent; fractions are allowed.',
    payloads:
      'Data that comes with the value, as JSON text: by key of the variant, or under `true` for a flag without variants.',
    aggregation_group_type_index: `${GROUP_TYPE}, if all condition sets are about groups of that type; null if they are about people, or differ.`,
    holdout:
      'Excludes a share of people, for comparison: the same people for all flags with a holdout of that share. Null: none.',
    'holdout.id': 'Number of the holdout. Excluded people get the value `holdout-<id>`.',
    'holdout.exclusion_percentage': 'Excluded share, 0 to 100 percent.',
    feature_enrollment:
      'Whether the person property `$feature_enrollment/<key>`, if present, decides before the condition sets. Default false.',
    early_exit:
      'Whether a condition set whose properties hold ends the evaluation also outside its percentage. Default false.',
  },
  example: filtersExample(100),
})

/** An object that other code validates, and that is documented as one of these schemas. */
export const documentedAs = (name: 'FlagFilters' | 'ConditionSet') =>
  dictionary().meta({ $ref: `#/components/schemas/${name}` })
