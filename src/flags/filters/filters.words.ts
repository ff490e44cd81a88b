// What the reference says of a flag's rules: who gets it, and with which value.
import type { Words } from '../../docs/words'
import { conditionSet, filtersShown } from '../examples.words'

const GROUP_TYPE = 'Index of a group type of the project, from 0'

export const filtersWords: Words = {
  schemas: {
    FlagFilters: {
      is: 'Who gets the flag, and with which value. Unknown members are kept as they are sent, and mean nothing.',
      fields: {
        groups:
          'Condition sets, tried in order: the first that matches decides, and who matches none does not get the flag.',
        multivariate: 'The values of a flag that is not just on or off; null or without variants, it is.',
        'multivariate.variants':
          'The values, in order. Who gets the flag gets one of them, always the same one. Their shares sum to 100.',
        'multivariate.variants.key': 'The value, as code sees it.',
        'multivariate.variants.rollout_percentage':
          'Its share of those who get the flag, 0 to 100, in per cent; fractions are allowed.',
        payloads:
          'Data that goes along with the value, as JSON text: by key of the variant, or under `true` for a flag without variants.',
        aggregation_group_type_index: `${GROUP_TYPE}, if every condition set is about groups of that type; null when they are about people, or differ.`,
        holdout:
          'Keeps a share of people out, to compare the others with; the same people for every flag with a holdout of that share. Null: nobody.',
        'holdout.id': 'Number of the holdout: those who are kept out get the value `holdout-<id>`.',
        'holdout.exclusion_percentage': 'The share that is kept out, 0 to 100, in per cent.',
        feature_enrollment:
          'Whether people choose for themselves: the person property `$feature_enrollment/<key>`, where there is one, decides before anything else. Default false.',
        early_exit:
          'Whether somebody whose properties match a condition set but who is outside its percentage is tried on no further one. Default false.',
      },
      example: filtersShown(100),
    },
    ConditionSet: {
      is: 'A rule: whom all of its properties match, up to a percentage of them.',
      fields: {
        properties: 'What has to hold, all of it. Empty or null: everybody.',
        rollout_percentage:
          'The share of those who match, 0 to 100, in per cent; fractions are allowed. Default 100; null means the same.',
        variant: 'Key of the variant that all of them get; null: their own one.',
        aggregation_group_type_index: `${GROUP_TYPE}, for a rule about groups; null for one about people. Default: that of the filters.`,
      },
      example: { ...conditionSet(100), aggregation_group_type_index: null },
    },
    PropertyFilter: {
      is: 'Something that has to hold of a person, or of a group. Names that go with ids, such as `cohort_name`, are added when it is read.',
      fields: {
        key: 'Name of the property. For a flag its id, as text; for a cohort `id`.',
        type: 'Where to look: at properties of the person or of the group, at whether the person is in a cohort, or at what another flag says.',
        operator:
          'How to compare: `exact`, `is_not`, `icontains`, `not_icontains`, `icontains_multi`, `not_icontains_multi`, `regex`, `not_regex`, `gt`, `gte`, `lt`, `lte`, `is_set`, `is_not_set`, `is_date_exact`, `is_date_before`, `is_date_after`, `semver_eq`, `semver_neq`, `semver_gt`, `semver_gte`, `semver_lt`, `semver_lte`, `semver_tilde`, `semver_caret`, `semver_wildcard`; `in` and `not_in` for cohorts, `flag_evaluates_to` for flags. Default `exact`, for cohorts `in`.',
        value:
          'What to compare with: text for most operators, a list to match any of several with `exact`, the id of a cohort, or true, false or a variant for a flag. Dates are ISO 8601, or relative: `-7d` is seven days ago. Not needed with `is_set` and `is_not_set`. Patterns run in linear time, and so have no look-around and no back-references.',
        group_type_index: `${GROUP_TYPE}; required with the type \`group\`, where it is that of the condition set.`,
      },
      example: conditionSet(100).properties[0],
    },
  },
}
