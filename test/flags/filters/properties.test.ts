// What each property of a condition may say: its operator, and its value. Rules 9, 19, 20 and 23–28 of reference/flags-api.md §1.4;
// cohorts.test.ts has 21 and 22.
import { describe } from 'vitest'
import { property } from '../../support/filters'
import { type Breach, itRefuses, text } from './breaches'

const REGEX = (at: string) => `${at}.value: invalid regex pattern`

const RULES: Breach[] = [
  [9, text('regex', '('), REGEX('groups[0].properties[0]')],
  [9, text('not_regex', '[a'), REGEX('groups[0].properties[0]')],
  [9, text('regex', '(?=ahead)'), REGEX('groups[0].properties[0]')],
  [
    9,
    { groups: [{}, { properties: [property(), property({ operator: 'regex', value: '*' })] }] },
    REGEX('groups[1].properties[1]'),
  ],
  [19, text('roughly', 'a'), 'Invalid operator: roughly', 'invalid_operator'],
  [19, text('', 'a'), 'Invalid operator: ', 'invalid_operator'],
  [20, text('between', [1, 2]), 'Unsupported operator for feature flags: between', 'unsupported_operator'],
  [
    20,
    text('not_between', [1, 2]),
    'Unsupported operator for feature flags: not_between',
    'unsupported_operator',
  ],
  [
    20,
    text('is_cleaned_path_exact', '/a'),
    'Unsupported operator for feature flags: is_cleaned_path_exact',
    'unsupported_operator',
  ],
  [23, text('is_date_before', 'soon'), 'Invalid date value: soon', 'invalid_date'],
  [23, text('is_date_after', '-7x'), 'Invalid date value: -7x', 'invalid_date'],
  [23, text('is_date_exact', '2026-02-30'), 'Invalid date value: 2026-02-30', 'invalid_date'],
  [23, text('is_date_exact', ''), 'Invalid date value: ', 'invalid_date'],
  [23, text('is_date_exact', null), 'Invalid date value: None', 'invalid_date'],
  [23, text('is_date_before', ['2026-01-01']), "Invalid date value: ['2026-01-01']", 'invalid_date'],
  [23, text('is_date_before', false), 'Invalid date value: False', 'invalid_date'],
  ...['regex', 'not_regex', 'icontains', 'not_icontains', 'gt', 'gte', 'lt', 'lte'].map(
    (operator): Breach => [
      24,
      text(operator, ['@posthog.com']),
      `Invalid value for operator ${operator}: ['@posthog.com']`,
      'invalid_value',
    ],
  ),
  [24, text('gt', 123), 'Invalid value for operator gt: 123', 'invalid_value'],
  [24, text('icontains', null), 'Invalid value for operator icontains: None', 'invalid_value'],
  [24, text('icontains', true), 'Invalid value for operator icontains: True', 'invalid_value'],
  [
    24,
    text('lt', { a: ["it's", 1.5] }),
    `Invalid value for operator lt: {'a': ["it's", 1.5]}`,
    'invalid_value',
  ],
  [24, text('min', 5), 'Invalid value for operator gte: 5', 'invalid_value'],
  [24, text('max', 5), 'Invalid value for operator lte: 5', 'invalid_value'],
  [
    25,
    text('in', ['a']),
    "The 'in' operator is only valid for cohort properties, not 'person' properties.",
    'invalid_operator',
  ],
  [
    25,
    {
      groups: [
        {
          aggregation_group_type_index: 2,
          properties: [property({ type: 'group', group_type_index: 2, operator: 'not_in' })],
        },
      ],
    },
    "The 'not_in' operator is only valid for cohort properties, not 'group' properties.",
    'invalid_operator',
  ],
  [
    26,
    text('semver_gt', 1),
    'Invalid value for operator semver_gt: expected a semver string',
    'invalid_value',
  ],
  [
    26,
    text('semver_eq', ['1.0.0']),
    'Invalid value for operator semver_eq: expected a semver string',
    'invalid_value',
  ],
  [27, text('semver_gte', 'one'), 'Invalid semver value for operator semver_gte: one', 'invalid_value'],
  [27, text('semver_lt', ''), 'Invalid semver value for operator semver_lt: ', 'invalid_value'],
  [
    27,
    text('semver_wildcard', '*.x'),
    'Invalid semver value for operator semver_wildcard: *.x',
    'invalid_value',
  ],
  [28, text('icontains_multi', 'a'), 'icontains_multi operator requires a list of values', 'invalid_value'],
  [
    28,
    text('not_icontains_multi', null),
    'not_icontains_multi operator requires a list of values',
    'invalid_value',
  ],
]

describe('the properties of filters', () => {
  itRefuses(RULES)
})
