// What each property of a condition may say: its operator, and its value. Rules 9, 19, 20 and 23–28 of
// docs/reference/flags.md#rules-for-filters; cohorts.test.ts has 21 and 22.
import { describe, expect, it } from 'vitest'
import { apiErrorIn } from '../../../src/errors'
import { PROPERTY_OPERATORS } from '../../../src/evaluation/matchers/operators'
import { validateCohortFilters } from '../../../src/flags/cohorts/cohort-filters'
import { OPERATORS } from '../../../src/flags/filters/flag-filters'
import { validateFilters } from '../../../src/flags/filters/validate'
import { property, where } from '../../support/filters'
import { type Breach, itRefuses, text } from './breaches'

const REGEX = (at: string) => `${at}.value: invalid regex pattern`

const VALID =
  'Valid operators: exact, is_not, icontains, not_icontains, icontains_multi, not_icontains_multi, regex, not_regex, gt, gte, lt, lte, ' +
  'is_set, is_not_set, is_date_exact, is_date_before, is_date_after, semver_eq, semver_neq, semver_gt, semver_gte, semver_lt, ' +
  'semver_lte, semver_tilde, semver_caret, semver_wildcard, in, not_in, flag_evaluates_to.'

/** Values that match nobody. */
const IMPOSSIBLE: Breach[] = [
  ...['gt', 'gte', 'lt', 'lte'].flatMap((operator) =>
    ['abc', '', ' 5', '5 ', '0x10', '1_000', '12abc', 'nan'].map((value): Breach => [
      24,
      text(operator, value),
      `Invalid value for operator ${operator}: "${value}"`,
      'invalid_value',
    ]),
  ),
  ...['exact', 'is_not'].map((operator): Breach => [
    24,
    text(operator, null),
    `Invalid value for operator ${operator}: null`,
    'invalid_value',
  ]),
  ...[[], {}, [null]].map((value): Breach => [
    24,
    text('is_not', value),
    `Invalid value for operator is_not: ${JSON.stringify(value)}`,
    'invalid_value',
  ]),
  [28, text('icontains_multi', []), 'icontains_multi operator requires a list of values', 'invalid_value'],
  [
    25,
    text('flag_evaluates_to', true),
    "The 'flag_evaluates_to' operator is only valid for flag properties, not 'person' properties.",
    'invalid_operator',
  ],
]

const RULES: Breach[] = [
  [9, text('regex', '('), REGEX('groups[0].properties[0]')],
  [9, text('not_regex', '[a'), REGEX('groups[0].properties[0]')],
  ...(
    [
      ['a**', 'a repeated repetition'],
      ['(?(1)a|b)', 'a conditional group'],
      ['(?=a)[a[bc]]', 'a class inside a class, or an operation on classes'],
      [String.raw`(a)\1\Kb`, String.raw`the escape \K`],
      ['[a[bc]]', 'a class inside a class, or an operation on classes'],
      ['[a-z&&[^b]]', 'a class inside a class, or an operation on classes'],
      [String.raw`\<word\>`, 'a mark for the start or end of a word'],
      [String.raw`a\Kb`, String.raw`the escape \K`],
      [String.raw`\p{Letters}`, String.raw`the Unicode property \p{Letters}`],
    ] as const
  ).map(([pattern, construct]): Breach => [
    9,
    text('not_regex', pattern),
    `groups[0].properties[0].value: ${construct} is not supported in regular expressions here`,
  ]),
  ...['(', '[a', '*', 'a)', 'a\\', '(?<=a', 'a{2,1}', '(?=a', String.raw`a\1`, '(?P=x)', '(?>a'].map(
    (pattern): Breach => [9, text('regex', pattern), REGEX('groups[0].properties[0]')],
  ),
  [
    9,
    { groups: [{}, { properties: [property(), property({ operator: 'regex', value: '*' })] }] },
    REGEX('groups[1].properties[1]'),
  ],
  [19, text('roughly', 'a'), `Invalid operator: roughly. ${VALID}`, 'invalid_operator'],
  [19, text('', 'a'), `Invalid operator: . ${VALID}`, 'invalid_operator'],
  [19, text('contains', 'a'), 'Invalid operator: contains. Did you mean icontains?', 'invalid_operator'],
  [
    19,
    text('notIcontains', 'a'),
    'Invalid operator: notIcontains. Did you mean not_icontains?',
    'invalid_operator',
  ],
  [19, text('>=', '1'), 'Invalid operator: >=. Did you mean gte?', 'invalid_operator'],
  [19, text('constructor', 'a'), `Invalid operator: constructor. ${VALID}`, 'invalid_operator'],
  ...[
    ['between', [1, 2]],
    ['not_between', [1, 2]],
    ['ends_with', '.org'],
    ['is_cleaned_path_exact', '/a'],
  ].map(([operator, value]): Breach => [
    20,
    text(String(operator), value),
    `Unsupported operator for feature flags: ${String(operator)}. ${VALID}`,
    'unsupported_operator',
  ]),
  [23, text('is_date_before', 'soon'), 'Invalid date value: soon', 'invalid_date'],
  [23, text('is_date_after', '-7x'), 'Invalid date value: -7x', 'invalid_date'],
  [23, text('is_date_exact', '2026-02-30'), 'Invalid date value: 2026-02-30', 'invalid_date'],
  [23, text('is_date_exact', ''), 'Invalid date value: ', 'invalid_date'],
  [23, text('is_date_exact', null), 'Invalid date value: null', 'invalid_date'],
  [23, text('is_date_before', ['2026-01-01']), 'Invalid date value: ["2026-01-01"]', 'invalid_date'],
  [23, text('is_date_before', false), 'Invalid date value: false', 'invalid_date'],
  ...['regex', 'not_regex', 'icontains', 'not_icontains', 'gt', 'gte', 'lt', 'lte'].map(
    (operator): Breach => [
      24,
      text(operator, ['@posthog.com']),
      `Invalid value for operator ${operator}: ["@posthog.com"]`,
      'invalid_value',
    ],
  ),
  [24, text('gt', 123), 'Invalid value for operator gt: 123', 'invalid_value'],
  [24, text('icontains', null), 'Invalid value for operator icontains: null', 'invalid_value'],
  [24, text('icontains', true), 'Invalid value for operator icontains: true', 'invalid_value'],
  [
    24,
    text('lt', { a: ["it's", 1.5] }),
    `Invalid value for operator lt: {"a":["it's",1.5]}`,
    'invalid_value',
  ],
  [24, text('min', 5), 'Invalid value for operator gte: 5', 'invalid_value'],
  [24, text('max', 5), 'Invalid value for operator lte: 5', 'invalid_value'],
  [
    25,
    text('in', ['a']),
    "The 'in' operator is only valid for cohort properties, not 'person' properties. Use exact with a list of values.",
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
    "The 'not_in' operator is only valid for cohort properties, not 'group' properties. Use is_not with a list of values.",
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
  itRefuses([...RULES, ...IMPOSSIBLE])
})

const VALUES = [
  null,
  false,
  true,
  5,
  '',
  'a',
  '5',
  '1.2.3',
  '-7d',
  [],
  [null],
  ['a'],
  ['a', null],
  [['a']],
  [{ a: 1 }],
  [1, 2],
  {},
  { a: 1 },
]
const NEW = {
  self: { id: 1, key: 'flag' },
  stored: null,
  isRemoteConfiguration: false,
  linkedToEarlyAccess: false,
  targets: new Map(),
  cohorts: new Map(),
}
const accepted = (check: (value: unknown) => unknown): unknown[] =>
  VALUES.filter((value) => {
    try {
      check(value)
      return true
    } catch (error) {
      expect(apiErrorIn(error)).toMatchObject({ status: 400, attr: 'filters' })
      return false
    }
  })

const TEXTS = ['', 'a', '5', '1.2.3', '-7d']
/** The values that an operator can compare with, and would otherwise be compared as the text of their JSON. */
const COMPARED: Record<string, unknown[]> = {
  'exact is_not': VALUES.filter((value) => !['null', '[]', '[null]', '{}'].includes(JSON.stringify(value))),
  'icontains not_icontains regex not_regex starts_with not_starts_with ends_with not_ends_with': TEXTS,
  'icontains_multi not_icontains_multi': [['a'], [1, 2]],
  'gt gte lt lte': ['5'],
  'between not_between': [[1, 2]],
  'is_set is_not_set': VALUES.filter((value) => value !== false),
  'is_date_exact is_date_before is_date_after': ['-7d'],
  'semver_eq semver_neq semver_gt semver_gte semver_lt semver_lte': ['5', '1.2.3'],
  'semver_tilde semver_caret semver_wildcard': ['5', '1.2.3'],
}

describe.each(
  Object.entries(COMPARED).flatMap(([operators, values]) =>
    operators.split(' ').map((operator) => [operator, values] as const),
  ),
)('%s', (operator, values) => {
  const conditionOn = (value: unknown) => ({ key: 'plan', type: 'person', operator, value })
  const isForFlags = OPERATORS.has(operator)

  it.runIf(isForFlags)('takes only the values that it can compare with in a flag', () => {
    expect(accepted((value) => validateFilters(where(conditionOn(value)), NEW))).toEqual(values)
  })

  it('takes only those in a cohort, and the texts of numbers', () => {
    const withNumber = values.includes('5')
      ? VALUES.filter((value) => value === 5 || values.includes(value))
      : values
    const filters = (value: unknown) => ({ properties: { type: 'AND', values: [conditionOn(value)] } })
    expect(accepted((value) => validateCohortFilters(filters(value), null))).toEqual(withNumber)
  })
})

it('every operator on a property has its values here', () => {
  const others = ['in', 'not_in', 'flag_evaluates_to']
  expect(Object.keys(COMPARED).join(' ').split(' ').concat(others).toSorted()).toEqual(
    PROPERTY_OPERATORS.toSorted(),
  )
})
