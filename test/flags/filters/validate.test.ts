import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/answers'
import { open, property, variants, where } from '../../support/filters'
import { earlyAccessFeature } from '../../support/rows'
import { createTenant, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

const create = async (tenant: Tenant, filters: unknown, body: Json = {}) =>
  seen(
    await tenant.post(tenant.flags(), {
      key: 'checkout',
      _should_create_usage_dashboard: false,
      filters,
      ...body,
    }),
  )

const group = (fields: Json) => ({ groups: [{ properties: [], ...fields }] })
const text = (operator: string, value: unknown) => where(property({ operator, value }))

const NO_GROUPS = 'Feature flags must have at least one condition set (group).'
const PERSON_ONLY =
  'Filters are not valid (person-aggregated conditions can only use person, cohort, and flag properties)'
const GROUP_ONLY = 'Filters are not valid (group-aggregated conditions can only use group properties)'
const OTHER_GROUP = "Filters are not valid (group properties must match the condition set's group type)"
const EVALUATES = "Flag properties must use the 'flag_evaluates_to' operator"
const SUM = 'Invalid variant definitions: Variant rollout percentages must sum to 100.'
const OVERRIDE = 'Filters are not valid (variant override does not exist)'
const NOT_JSON = 'Payload value is not valid JSON'
const BOOLEAN_PAYLOAD = "Payload keys must be 'true' for boolean flags"
const VARIANT_PAYLOAD = 'Payload keys must match a variant key for multivariate flags'
const REGEX = (at: string) => `${at}.value: invalid regex pattern`
const INDEX = (at: string, type: string) => `${at} must be an integer or null, got ${type}`
const SHARE = 'multivariate.variants[1].rollout_percentage'
const ROLLOUT = 'groups[0].rollout_percentage'

/** One row a way of breaking a rule: number of the rule (reference §1.4), filters, detail, code. */
const RULES: [number, Json, string, string?][] = [
  [1, {}, NO_GROUPS],
  [1, { groups: [] }, NO_GROUPS],
  [1, { groups: null }, NO_GROUPS],
  [1, { payloads: { true: '1' } }, NO_GROUPS],
  [2, open({ aggregation_group_type_index: '0' }), INDEX('aggregation_group_type_index', 'str')],
  [2, open({ aggregation_group_type_index: true }), INDEX('aggregation_group_type_index', 'bool')],
  [2, open({ aggregation_group_type_index: 0.5 }), INDEX('aggregation_group_type_index', 'float')],
  [2, open({ aggregation_group_type_index: [0] }), INDEX('aggregation_group_type_index', 'list')],
  [3, open({ early_exit: 'yes' }), 'early_exit must be a boolean or null, got str'],
  [3, open({ early_exit: 1 }), 'early_exit must be a boolean or null, got int'],
  [3, open({ early_exit: {} }), 'early_exit must be a boolean or null, got dict'],
  [5, group({ variant: 1 }), 'groups[0].variant must be a string or null, got int'],
  [5, group({ variant: false }), 'groups[0].variant must be a string or null, got bool'],
  [6, group({ rollout_percentage: '50' }), `${ROLLOUT} must be a number or null, got str`],
  [6, group({ rollout_percentage: true }), `${ROLLOUT} must be a number or null, got bool`],
  [6, group({ rollout_percentage: -1 }), `${ROLLOUT} must be between 0 and 100, got -1`],
  [6, group({ rollout_percentage: 100.5 }), `${ROLLOUT} must be between 0 and 100, got 100.5`],
  [7, group({ aggregation_group_type_index: '1' }), INDEX('groups[0].aggregation_group_type_index', 'str')],
  [
    7,
    { groups: [{}, { aggregation_group_type_index: 1.5 }] },
    INDEX('groups[1].aggregation_group_type_index', 'float'),
  ],
  [
    8,
    where(property(), property({ group_type_index: '0' })),
    INDEX('groups[0].properties[1].group_type_index', 'str'),
  ],
  [9, text('regex', '('), REGEX('groups[0].properties[0]')],
  [9, text('not_regex', '[a'), REGEX('groups[0].properties[0]')],
  [9, text('regex', '(?=ahead)'), REGEX('groups[0].properties[0]')],
  [
    9,
    { groups: [{}, { properties: [property(), property({ operator: 'regex', value: '*' })] }] },
    REGEX('groups[1].properties[1]'),
  ],
  [10, variants({ a: 100, b: null }), `${SHARE} must be a number, got null`],
  [10, variants({ a: 50, b: '50' }), `${SHARE} must be a number, got str`],
  [10, variants({ a: 50, b: true }), `${SHARE} must be a number, got bool`],
  [
    10,
    variants({ a: 150, b: -50 }),
    'multivariate.variants[0].rollout_percentage must be between 0 and 100, got 150',
  ],
  [12, where(property({ type: 'group', group_type_index: 0 })), PERSON_ONLY],
  [12, where(property({ type: 'event' })), PERSON_ONLY],
  [12, where(property({ type: undefined })), PERSON_ONLY],
  [13, where({ key: '1', type: 'flag', value: true }), EVALUATES],
  [13, where({ key: '1', type: 'flag', value: true, operator: 'exact' }), EVALUATES],
  [14, { ...where(property()), aggregation_group_type_index: 0 }, GROUP_ONLY],
  [
    14,
    { groups: [{ aggregation_group_type_index: 0, properties: [property({ type: 'cohort', value: 1 })] }] },
    GROUP_ONLY,
  ],
  [
    15,
    {
      groups: [
        { aggregation_group_type_index: 0, properties: [property({ type: 'group', group_type_index: 1 })] },
      ],
    },
    OTHER_GROUP,
  ],
  [
    15,
    { groups: [{ aggregation_group_type_index: 0, properties: [property({ type: 'group' })] }] },
    OTHER_GROUP,
  ],
  [17, variants({ a: 50, b: 40 }), SUM],
  [17, variants({ a: 50, b: 50.01 }), SUM],
  [17, variants({ a: 0 }), SUM],
  [18, group({ variant: 'ghost' }), OVERRIDE],
  [18, variants({ a: 100 }, group({ variant: 'ghost' })), OVERRIDE],
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
  ...['regex', 'not_regex', 'icontains', 'not_icontains', 'gt', 'gte', 'lt', 'lte'].map(
    (operator): [number, Json, string, string] => [
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
  [29, open({ payloads: 'true' }), 'Payloads must be passed as a dictionary'],
  [29, open({ payloads: ['1'] }), 'Payloads must be passed as a dictionary'],
  [30, open({ payloads: { true: 'bare words' } }), NOT_JSON],
  [30, open({ payloads: { true: '' } }), NOT_JSON],
  [30, open({ payloads: { true: '  ' } }), NOT_JSON],
  [30, open({ payloads: { true: "{'a': 1}" } }), NOT_JSON],
  [31, variants({ a: 100 }, { payloads: { true: '1' } }), VARIANT_PAYLOAD],
  [31, variants({ a: 100 }, { payloads: { a: '1', b: '1' } }), VARIANT_PAYLOAD],
  [32, open({ payloads: { false: '1' } }), BOOLEAN_PAYLOAD],
  [32, open({ payloads: { true: '1', True: '1' } }), BOOLEAN_PAYLOAD],
  [32, open({ multivariate: { variants: [] }, payloads: { a: '1' } }), BOOLEAN_PAYLOAD],
]

describe('filters of a new flag', () => {
  it.each(RULES)('rule %i refuses %j', async (_, filters, detail, code) => {
    expect(await create(await createTenant(), filters)).toEqual(refused('filters', detail, code))
  })

  it.each([
    [
      6,
      'a number or null',
      '{"groups": [{"rollout_percentage": 1e999}]}',
      'groups[0].rollout_percentage must be finite, got inf',
    ],
    [
      6,
      'a number or null',
      '{"groups": [{"rollout_percentage": -1e999}]}',
      'groups[0].rollout_percentage must be finite, got -inf',
    ],
    [
      10,
      'a number',
      '{"groups": [{}], "multivariate": {"variants": [{"key": "a", "rollout_percentage": 1e999}]}}',
      'multivariate.variants[0].rollout_percentage must be finite, got inf',
    ],
  ])('rule %i wants %s, and infinity is none: %s', async (_rule, _wanted, filters, detail) => {
    const tenant = await createTenant()
    const answer = await tenant.send('POST', tenant.flags(), {
      raw: `{"key": "checkout", "filters": ${filters}}`,
      headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
    })
    expect(seen(answer)).toEqual(refused('filters', detail))
  })

  it('rule 11 keeps an early-access feature about persons', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    await earlyAccessFeature(tenant, flag.id)
    expect(
      seen(
        await tenant.patch(tenant.flags(flag.id), {
          filters: { groups: [{}, { aggregation_group_type_index: 0 }] },
        }),
      ),
    ).toEqual(
      refused(
        'filters',
        'Cannot use group aggregation in any condition set when the flag is linked to an Early Access Feature.',
      ),
    )
    expect(await tenant.patch(tenant.flags(flag.id), { filters: open() })).toMatchObject({ status: 200 })
  })

  it('rule 33 limits them to 512 KiB of UTF-8', async () => {
    const tenant = await createTenant()
    /** Filters whose stored form has that many bytes. */
    const sized = (bytes: number) => {
      const filters = {
        groups: [{ properties: [], aggregation_group_type_index: null }],
        note: '',
        aggregation_group_type_index: null,
      }
      const rest = bytes - new TextEncoder().encode(JSON.stringify(filters)).byteLength
      return { ...filters, note: 'é'.repeat(Math.floor(rest / 2)) + 'e'.repeat(rest % 2) }
    }
    expect(await create(tenant, sized(524_289))).toEqual(
      refused(
        'filters',
        'Feature flag filters exceed maximum size of 524288 bytes. Current size: 524289 bytes. ' +
          'Please simplify conditions or reduce payload sizes.',
      ),
    )
    expect(await create(tenant, sized(524_288))).toMatchObject({ status: 201 })
  })

  it.each([
    ['no rule', open()],
    ['a fraction', group({ rollout_percentage: 0.5 })],
    ['no share', group({ rollout_percentage: null })],
    ['no properties', { groups: [{}] }],
    ['thirds', variants({ a: 33.3, b: 33.3, c: 33.4 })],
    ['an override', variants({ a: 100 }, group({ variant: 'a' }))],
    ['an empty override', group({ variant: '' })],
    ['variants of one key', variants({ a: 100 })],
    ['a variant key of any characters', variants({ 'a b/ç': 100 })],
    ['variants that are an empty list', open({ multivariate: { variants: [] } })],
    ['no multivariate', open({ multivariate: null })],
    ['a holdout', open({ holdout: { id: 5, exclusion_percentage: 10 } })],
    ['early exit', open({ early_exit: true, feature_enrollment: false })],
    ['no operator', where(property({ operator: null }))],
    ['a look-behind', text('regex', '(?<=a)b')],
    ['a list', text('exact', ['a', 'b'])],
    ['lists', text('icontains_multi', ['a', 'b'])],
    ['a relative date', text('is_date_before', '-7d')],
    ['a relative date without a sign', text('is_date_after', '6h')],
    ['a date', text('is_date_exact', '2026-02-28')],
    ['a moment', text('is_date_exact', '2026-02-28T10:00:00Z')],
    ['a major version', text('semver_eq', '1')],
    ['a minor version', text('semver_tilde', '1.0')],
    ['a version', text('semver_caret', '1.2.3-rc.1')],
    ['a version wildcard', text('semver_wildcard', '1.2.*')],
    ['presence', text('is_set', 'is_set')],
    ['absence', where(property({ operator: 'is_not_set', value: undefined }))],
  ])('may hold %s', async (_, filters) => {
    expect(await create(await createTenant(), filters)).toMatchObject({ status: 201 })
  })
})
