// The console's English for conditions, flags and differences: each sentence as a user reads it.
import { describe, expect, it } from 'vitest'
import type { ConditionSet, FlagFilters, PropertyFilter } from '../../src/console/api/client'
import { conditionWords, unnamedIn, type Wording } from '../../src/console/grammar/conditions'
import { releaseWords, setWords } from '../../src/console/grammar/sets'
import { differencesOf, setsIn } from '../../src/console/grammar/differences'
import { flagSentence } from '../../src/console/grammar/flag-sentence'
import { PROPERTY_OPERATORS } from '../../src/evaluation/matchers/operators'
import { treeWords } from '../../src/console/cohorts/tree'

const NAMES: Wording = {
  groupTypeOf: (index) => ['company', 'site'][index],
  cohortOf: (id) => ({ 1: 'Testers', 2: 'Staff' })[id],
  flagOf: (id) => ({ 29: 'new-checkout' })[id],
}

const person = (key: string, operator: string | undefined, value?: unknown): PropertyFilter => ({
  key,
  type: 'person',
  ...(operator && { operator }),
  value,
})
const plan = person('plan', 'exact', ['pro'])
const among = (...values: unknown[]) => person('plan', 'exact', values)
const cohort = (id: number, operator = 'in'): PropertyFilter => ({
  key: 'id',
  type: 'cohort',
  operator,
  value: id,
})
const flag = (value: unknown, id = 29): PropertyFilter => ({
  key: String(id),
  type: 'flag',
  operator: 'flag_evaluates_to',
  value,
})
const set = (share: number | null, ...properties: PropertyFilter[]): ConditionSet => ({
  properties,
  rollout_percentage: share,
})
const ofGroups = (share: number, ...properties: PropertyFilter[]): ConditionSet => ({
  ...set(share, ...properties),
  aggregation_group_type_index: 0,
})
const always = (variant: string, each: ConditionSet): ConditionSet => ({ ...each, variant })

describe('a condition', () => {
  it.each<[PropertyFilter, string]>([
    [plan, 'plan is pro'],
    [person('plan', undefined, 'pro'), 'plan is pro'],
    [person('plan', 'exact', ['pro', 'team']), 'plan is pro or team'],
    [person('plan', 'exact', ['pro', 'team', 'free']), 'plan is pro, team or free'],
    [person('plan', 'exact', ['a', 'b', 'c', 'd', 'e']), 'plan is a, b or 3 other values'],
    [person('plan', 'exact', []), 'plan is an empty list'],
    [person('plan', 'exact', ['']), 'plan is “”'],
    [person('age', 'exact', [30]), 'age is 30'],
    [person('beta', 'exact', [true]), 'beta is true'],
    [person('plan', 'is_not', ['pro']), 'plan is not pro'],
    [person('plan', 'is_not', ['pro', 'team']), 'plan is neither pro nor team'],
    [person('city', 'exact', ['New York', 'or']), 'city is “New York” or “or”'],
    [person('plan', 'is_not', ['a', 'b', 'c']), 'plan is none of a, b or c'],
    [person('email', 'icontains', '@example.com'), 'email contains @example.com'],
    [person('email', 'not_icontains', '@example.com'), 'email does not contain @example.com'],
    [person('email', 'icontains_multi', ['a', 'b']), 'email contains a or b'],
    [person('email', 'not_icontains_multi', ['a']), 'email does not contain a'],
    [person('email', 'not_icontains_multi', ['a', 'b']), 'email contains neither a nor b'],
    [person('email', 'starts_with', 'a'), 'email starts with a'],
    [person('email', 'not_ends_with', '.de'), 'email does not end with .de'],
    [person('age', 'between', [1, 5]), 'age is from 1 to 5'],
    [person('age', 'not_between', [1, 5]), 'age is not from 1 to 5'],
    [person('email', 'regex', '^a'), 'email matches the pattern ^a'],
    [person('email', 'not_regex', '^a'), 'email does not match the pattern ^a'],
    [person('age', 'gt', '30'), 'age is greater than 30'],
    [person('age', 'gte', 30), 'age is at least 30'],
    [person('age', 'lt', 30), 'age is less than 30'],
    [person('age', 'lte', 30), 'age is at most 30'],
    [person('plan', 'is_set', 'is_set'), 'plan is set'],
    [person('plan', 'is_not_set', 'is_not_set'), 'plan is not set'],
    [person('joined', 'is_date_before', '-30d'), 'joined is more than 30 days ago'],
    [person('joined', 'is_date_after', '-1w'), 'joined is later than 1 week ago'],
    [person('joined', 'is_date_exact', '-2m'), 'joined is exactly 2 months ago'],
    [person('joined', 'is_date_before', '2026-01-31'), 'joined is before 2026-01-31'],
    [person('joined', 'is_date_after', '2026-01-31'), 'joined is after the start of 2026-01-31'],
    [person('joined', 'is_date_exact', '2026-01-31'), 'joined is exactly 2026-01-31 00:00'],
    [person('app', 'semver_eq', '1.2.3'), 'app is version 1.2.3'],
    [person('app', 'semver_neq', '1.2.3'), 'app is not version 1.2.3'],
    [person('app', 'semver_gt', '1.2.3'), 'app is later than version 1.2.3'],
    [person('app', 'semver_gte', '1.2.3'), 'app is version 1.2.3 or later'],
    [person('app', 'semver_lt', '1.2.3'), 'app is earlier than version 1.2.3'],
    [person('app', 'semver_lte', '1.2.3'), 'app is version 1.2.3 or earlier'],
    [person('app', 'semver_tilde', '1.2.3'), 'app is compatible with version ~1.2.3'],
    [person('app', 'semver_caret', '1.2.3'), 'app is compatible with version ^1.2.3'],
    [person('app', 'semver_wildcard', '1.2.*'), 'app is in the version range 1.2.*'],
    [
      person('plan', 'an_operator_of_tomorrow', 'pro'),
      'plan is compared with pro by an_operator_of_tomorrow',
    ],
    [cohort(1), 'the person is in the cohort Testers'],
    [cohort(2, 'not_in'), 'the person is not in the cohort Staff'],
    [cohort(7), 'the person is in the cohort with id 7'],
    [{ ...cohort(7), cohort_name: 'Seven' }, 'the person is in the cohort Seven'],
    [flag(true), 'the flag new-checkout is on'],
    [flag(false), 'the flag new-checkout is off'],
    [flag('test'), 'the flag new-checkout gives the variant test'],
    [flag(true, 30), 'the flag with id 30 is on'],
    [{ ...flag(true, 30), label: 'search' }, 'the flag search is on'],
  ])('%j', (condition, words) => {
    expect(conditionWords(condition, NAMES)).toBe(words)
  })

  it.each(PROPERTY_OPERATORS.filter((each) => !['in', 'not_in', 'flag_evaluates_to'].includes(each)))(
    'has words for %s',
    (operator) => {
      expect(conditionWords(person('plan', operator, ['1', '2']))).toMatch(
        /^plan (is|contains|does not|matches|starts|ends) ?/,
      )
      expect(conditionWords(person('plan', operator, ['1', '2']))).not.toContain('_')
    },
  )

  it('tells which ids it has no name for', () => {
    expect(
      unnamedIn([cohort(1), cohort(1, 'not_in'), { ...cohort(2), cohort_name: 'Staff' }, flag(true), plan]),
    ).toEqual({ cohorts: [1], flags: [29] })
    // Conditions for which no cohort or flag is chosen yet.
    expect(
      unnamedIn([
        { key: 'id', type: 'cohort', value: '' },
        { key: '', type: 'flag', value: true },
      ]),
    ).toEqual({ cohorts: [], flags: [] })
  })
})

describe('a condition set', () => {
  it.each<[ConditionSet, string]>([
    [set(100), 'everyone'],
    [set(null), 'everyone'],
    [set(12.5), '12.5% of people'],
    [set(0), '0% of people'],
    [set(100, plan), 'people whose plan is pro'],
    [set(15, plan), '15% of people whose plan is pro'],
    [set(15, plan, person('age', 'gte', 30)), '15% of people whose plan is pro and whose age is at least 30'],
    [set(100, cohort(1)), 'people in the cohort Testers'],
    [set(100, cohort(1, 'not_in'), plan), 'people who are not in the cohort Testers and whose plan is pro'],
    [set(100, plan, cohort(1)), 'people whose plan is pro and who are in the cohort Testers'],
    [set(100, flag(true)), 'people for whom the flag new-checkout is on'],
    [
      set(50, plan, flag('test')),
      '50% of people whose plan is pro and for whom the flag new-checkout gives the variant test',
    ],
    [ofGroups(100), 'every company group'],
    [ofGroups(50), '50% of company groups'],
    [ofGroups(50, plan), '50% of company groups whose plan is pro'],
    [ofGroups(100, flag(true)), 'company groups for which the flag new-checkout is on'],
    [{ ...set(100), aggregation_group_type_index: 4 }, 'every group'],
  ])('%j', (each, words) => {
    expect(setWords(each, NAMES)).toBe(words)
  })
})

describe('a release', () => {
  it.each<[ConditionSet[], string]>([
    [[], 'No one'],
    [[set(0)], 'No one'],
    [[set(100)], 'Everyone'],
    [[set(12.5)], '12.5% of people'],
    [[set(100, person('plan', 'exact', ['pro', 'team']))], 'People whose plan is pro or team'],
    [[set(40, plan), set(100)], 'Everyone'],
    [[set(0), set(40, plan), set(10)], '40% of people whose plan is pro, and 1 more condition set'],
    [
      [set(40, plan), set(10), set(5, cohort(1))],
      '40% of people whose plan is pro, and 2 more condition sets',
    ],
    [[set(10, plan), set(80, plan)], '80% of people whose plan is pro'],
    [[ofGroups(100)], 'Every company group'],
  ])('%j', (groups, words) => {
    expect(releaseWords({ groups }, NAMES)).toBe(words)
  })

  it('names the holdout, which does not get it', () => {
    const holdout = { id: 1, exclusion_percentage: 10 }
    expect(releaseWords({ groups: [set(100)], holdout } as FlagFilters, NAMES)).toBe(
      'Everyone, without the holdout',
    )
    expect(releaseWords({ groups: [], holdout } as FlagFilters, NAMES)).toBe('No one')
  })
})

describe('a flag', () => {
  const ON = { active: true, archived: false, is_remote_configuration: false }
  const variants = (...keys: string[]) => ({
    multivariate: { variants: keys.map((key) => ({ key, name: '', rollout_percentage: 50 })) },
  })

  it.each([
    [{ ...ON, filters: { groups: [set(25, plan)] } }, 'On for 25% of people whose plan is pro.'],
    [{ ...ON, filters: { groups: [set(25, plan), set(100)] } }, 'On for everyone.'],
    [{ ...ON, filters: { groups: [set(null)], ...variants('a', 'b') } }, 'On for everyone, in 2 variants.'],
    [{ ...ON, filters: { groups: [set(100)], ...variants('a') } }, 'On for everyone, in 1 variant.'],
    [
      { ...ON, filters: { groups: [set(0), set(100, plan), set(10)] } },
      'On for people whose plan is pro, and for 10% of people.',
    ],
    [
      { ...ON, filters: { groups: [set(5, plan), set(10), set(20, plan)] } },
      'On for 20% of people whose plan is pro, and for 10% of people.',
    ],
    [
      { ...ON, filters: { groups: [set(5, plan), set(10), set(20, cohort(1))] } },
      'On for 5% of people whose plan is pro, for 10% of people, and for 1 more condition set.',
    ],
    [
      {
        ...ON,
        filters: { groups: [set(80, cohort(1)), set(null, { ...cohort(1), cohort_name: 'Testers' })] },
      },
      'On for people in the cohort Testers.',
    ],
    [
      { ...ON, filters: { groups: [set(10, plan), set(80, plan)], early_exit: true } },
      'On for 10% of people whose plan is pro, then, of all others, for 80% of people whose plan is pro.',
    ],
    // Values beyond those that the sentence names differ.
    [
      {
        ...ON,
        filters: { groups: [set(10, among('a', 'b', 'c', 'd')), set(20, among('a', 'b', 'c', 'x'))] },
      },
      'On for 10% of people whose plan is a, b or 2 other values, and for 20% of people whose plan is a, b or 2 other values.',
    ],
    [
      {
        ...ON,
        filters: { groups: [always('a', set(10, plan)), always('b', set(80, plan))], ...variants('a', 'b') },
      },
      'On for 10% of people whose plan is pro, and for 80% of people whose plan is pro, in 2 variants.',
    ],
    [
      { ...ON, filters: { groups: [ofGroups(10), set(20)] } },
      'On for 10% of company groups, and for 20% of people.',
    ],
    [{ ...ON, filters: { groups: [ofGroups(100)] } }, 'On for every company group.'],
    [
      { ...ON, filters: { groups: [set(100)], aggregation_group_type_index: 0 } },
      'On for every company group.',
    ],
    [
      {
        ...ON,
        filters: {
          groups: [{ ...set(100), aggregation_group_type_index: null }],
          aggregation_group_type_index: 0,
        },
      },
      'On for everyone.',
    ],
    [{ ...ON, filters: { groups: [] } }, 'Enabled, but no condition set gives it to anyone.'],
    [
      { ...ON, filters: { groups: [set(25, plan), set(100)], early_exit: true } },
      'On for 25% of people whose plan is pro, then, of all others, for everyone.',
    ],
    [
      { ...ON, filters: { groups: [set(0, plan), set(100)], early_exit: true } },
      'On for 0% of people whose plan is pro, then, of all others, for everyone.',
    ],
    [
      { ...ON, filters: { groups: [set(100)], holdout: { id: 1 } } },
      'On for everyone, without those in the holdout.',
    ],
    [
      { ...ON, filters: { groups: [set(5)], feature_enrollment: true } },
      'On for people who enrolled in early access, and for 5% of people.',
    ],
    [
      { ...ON, filters: { groups: [always('b', set(100))], ...variants('a', 'b') } },
      'On for everyone, always with the variant b.',
    ],
    [
      { ...ON, bucketing_identifier: 'device_id', filters: { groups: [set(5)] } },
      'On for 5% of people, by device.',
    ],
    [{ ...ON, active: false, filters: { groups: [set(100)] } }, 'Disabled: off for everyone.'],
    [{ ...ON, archived: true, filters: { groups: [set(100)] } }, 'Archived: off for everyone.'],
    [{ ...ON, deleted: true, filters: { groups: [set(100)] } }, 'Deleted: off for everyone.'],
    [{ ...ON, is_remote_configuration: true, filters: { groups: [set(100)] } }, 'Everyone gets this value.'],
    [
      { ...ON, is_remote_configuration: true, filters: { groups: [set(50, plan), set(5)] } },
      'This value goes to 50% of people whose plan is pro, and to 5% of people.',
    ],
  ])('%j', (facts, sentence) => {
    expect(flagSentence(facts as never, NAMES)).toBe(sentence)
  })
})

describe('a cohort', () => {
  it('is said by its conditions', () => {
    expect(
      treeWords(
        {
          type: 'AND',
          values: [plan, { type: 'OR', values: [cohort(1), { ...person('age', 'gt', 3), negation: true }] }],
        },
        NAMES,
      ),
    ).toBe('plan is pro and (the person is in the cohort Testers or not (age is greater than 3))')
  })
})

describe('a difference', () => {
  const ofField = (field: string, before: unknown, after: unknown, scope?: string) =>
    differencesOf({ field, before, after }, NAMES, scope).map((each) =>
      [each.sentence, each.before, each.after].filter((part) => part !== null).join(' | '),
    )

  it.each<[string, unknown, unknown, string[]]>([
    ['active', true, false, ['Disables the flag.']],
    ['active', false, true, ['Enables the flag.']],
    ['archived', false, true, ['Archives the flag.']],
    ['key', 'a', 'b', ['Changes the key from a to b.']],
    ['key', null, 'b', ['The key is set: | b']],
    ['tags', [], ['a', 'b'], ['Adds the tags a and b.']],
    ['tags', ['a', 'b'], ['b', 'c'], ['Adds the tag c and removes the tag a.']],
    ['tags', ['a, b'], ['a', 'b'], ['Adds the tags a and b and removes the tag “a, b”.']],
    ['tags', ['a', 'b'], ['b', 'a'], ['The order of the tags changes.']],
    [
      'evaluation_contexts',
      ['app'],
      [],
      ['Removes the evaluation context app: every context gets the flag now.'],
    ],
    ['name', 'Old', 'New', ['The description changes: | Old | New']],
    ['name', '', 'New', ['The description is set: | New']],
    ['name', 'Old', '', ['The description is removed: | Old']],
    ['name', 'same', 'same', []],
    ['name', null, '', []],
    ['evaluation_runtime', 'all', 'server', ['Only servers get the flag now.']],
    [
      'bucketing_identifier',
      'distinct_id',
      'device_id',
      ['Shares now apply to devices instead of people: some people get another value.'],
    ],
    ['ensure_experience_continuity', false, true, ['People now keep their value when they sign in.']],
    ['time_zone', 1, { a: 1 }, ['The time zone changes: | 1 | {"a":1}']],
    [
      'filters',
      { properties: { type: 'AND', values: [person('n', 'exact', '1')] } },
      { properties: { type: 'AND', values: [person('n', 'exact', 1)] } },
      [
        'The filters change: | {"properties":{"type":"AND","values":[{"key":"n","type":"person","operator":"exact","value":"1"}]}} | {"properties":{"type":"AND","values":[{"key":"n","type":"person","operator":"exact","value":1}]}}',
      ],
    ],
  ])('of %s from %j to %j', (field, before, after, expected) => {
    expect(ofField(field, before, after)).toEqual(expected)
  })

  it('has the conditions whose names its words need', () => {
    const of = (...values: unknown[]) => ({ properties: { type: 'AND', values } })
    const change = {
      field: 'filters',
      before: { groups: [set(5, cohort(1))] },
      after: of(plan, { type: 'OR', values: [cohort(2), flag(true)] }),
    }
    const conditions = setsIn(change).flatMap(({ properties }) => properties ?? [])
    expect(unnamedIn(conditions)).toEqual({ cohorts: [1, 2], flags: [29] })
  })

  const ENABLE = { operation: 'update_status', value: true }
  const RELEASE = { operation: 'add_release_condition', value: { groups: [set(10, cohort(2))] } }
  const DUE = expect.stringMatching(/^Due .*April 3, 2099.*\.$/) as string

  it('names what a scheduled change releases to by id', () => {
    const [conditions] = setsIn({ field: 'payload', before: null, after: RELEASE })
    expect(unnamedIn(conditions?.properties ?? [])).toEqual({ cohorts: [2], flags: [] })
  })

  const trend = { kind: 'TrendsQuery', series: [], interval: null }
  it.each<[scope: string, string, unknown, unknown, string]>([
    ['Cohort', 'name', 'Old', 'New', 'The name changes: | Old | New'],
    ['OrganizationMembership', 'level', 1, 8, 'Changes the role from Member to Admin.'],
    ['OrganizationMembership', 'level', null, 8, 'The role is Admin.'],
    ['OrganizationMembership', 'invite', null, 0, 'The role is Viewer.'],
    ['OrganizationMembership', 'invite', 0, null, 'The role was Viewer.'],
    ['OrganizationMembership', 'two_factor', true, null, 'Removes the second factor.'],
    [
      'OrganizationMembership',
      'password_reset',
      null,
      '2026-04-02T09:00:00Z',
      expect.stringMatching(/^Makes a link for another password, valid until .*April 2, 2026.*\.$/) as string,
    ],
    [
      'OrganizationMembership',
      'sso_issuer',
      null,
      'https://login.test',
      'The single sign-on issuer is set: | https://login.test',
    ],
    ['Organization', 'members_can_invite', true, false, 'Members can invite: no.'],
    ['Webhook', 'active', true, false, 'Disables it.'],
    ['ApprovalPolicy', 'enabled', false, true, 'Enables it.'],
    ['Dashboard', 'name', 'Old', '', 'The name is removed: | Old'],
    ['Cohort', 'description', 'Old', 'New', 'The description changes: | Old | New'],
    ['EndpointVersion', 'is_active', true, false, 'Disables it.'],
    [
      'Dashboard',
      'filters',
      { date_from: '-7d', date_to: null },
      { date_from: '2026-01-01', date_to: '2026-01-31' },
      'The time range changes: | Last 7 days | From 2026-01-01 to 2026-01-31',
    ],
    ['ScheduledChange', 'payload', null, ENABLE, 'Enable the flag.'],
    ['ScheduledChange', 'payload', RELEASE, null, 'Release to 10% of people in the cohort Staff.'],
    [
      'ScheduledChange',
      'payload',
      ENABLE,
      RELEASE,
      'The scheduled change changes: | Enable the flag | Release to 10% of people in the cohort Staff',
    ],
    ['ScheduledChange', 'scheduled_at', null, '2099-04-03T07:00:00Z', DUE],
    ['ScheduledChange', 'scheduled_at', '2099-04-03T07:00:00Z', null, DUE],
    ['Dashboard', 'filters', {}, { date_from: '-7d' }, 'The time range is set: | Last 7 days'],
    [
      'Endpoint',
      'query',
      { kind: 'HogQLQuery', query: 'SELECT 1', variables: null },
      trend,
      `The query changes: | SELECT 1 | ${JSON.stringify({ kind: 'TrendsQuery', series: [] }, null, 2)}`,
    ],
  ])('of a %s, its %s from %j to %j', (scope, field, before, after, expected) => {
    expect(ofField(field, before, after, scope)).toEqual([expected])
  })

  const sets = (...groups: ConditionSet[]): FlagFilters => ({ groups })
  const variants = (...list: [string, number][]) => ({
    multivariate: { variants: list.map(([key, share]) => ({ key, rollout_percentage: share })) },
  })

  it.each<[string, FlagFilters | null, object, string[]]>([
    [
      'a share',
      sets(set(15, plan)),
      sets(set(30, plan)),
      ['Condition set 1 goes from 15% to 30% of people whose plan is pro.'],
    ],
    ['an open share', sets(set(10)), sets(set(100)), ['Condition set 1 goes from 10% to 100% of people.']],
    [
      'another condition',
      sets(set(100, plan)),
      sets(set(100, plan, cohort(2))),
      [
        'Condition set 1 changes: | people whose plan is pro | people whose plan is pro and who are in the cohort Staff',
      ],
    ],
    [
      'a value beyond those of a summary',
      sets(set(100, among('a', 'b', 'c', 'd', 'e'))),
      sets(set(100, among('a', 'b', 'c', 'x', 'e'))),
      [
        'Condition set 1 changes: | people whose plan is a, b, c, d or e | people whose plan is a, b, c, x or e',
      ],
    ],
    ['a new set', sets(), sets(set(50, plan)), ['Adds condition set 1: 50% of people whose plan is pro.']],
    [
      'a set before another',
      sets(set(100, plan)),
      sets(set(5, cohort(1)), set(100, plan)),
      ['Adds condition set 1: 5% of people in the cohort Testers.'],
    ],
    [
      'a set that goes',
      sets(set(5, cohort(1)), set(100, plan)),
      sets(set(100, plan)),
      ['Removes condition set 1: 5% of people in the cohort Testers.'],
    ],
    [
      'the order of sets',
      sets(set(5), set(100, plan)),
      sets(set(100, plan), set(5)),
      [
        'The order of the condition sets changes: | 1. 5% of people\n2. people whose plan is pro | 1. people whose plan is pro\n2. 5% of people',
      ],
    ],
    [
      'the type of groups',
      sets(ofGroups(100)),
      sets({ ...ofGroups(100), aggregation_group_type_index: 1 }),
      ['Condition set 1 changes: | every company group | every site group'],
    ],
    [
      'the type of a value',
      sets(set(100, among(1))),
      sets(set(100, among('1'))),
      [
        'Condition set 1 changes: | {"properties":[{"key":"plan","operator":"exact","type":"person","value":[1]}],"rollout_percentage":100} | {"properties":[{"key":"plan","operator":"exact","type":"person","value":["1"]}],"rollout_percentage":100}',
      ],
    ],
    [
      'a cohort',
      sets(set(100, cohort(1))),
      sets(set(100, cohort(2))),
      ['Condition set 1 changes: | people in the cohort Testers | people in the cohort Staff'],
    ],
    [
      'a variant of a set',
      sets(set(100, plan)),
      sets(always('b', set(100, plan))),
      ['Condition set 1 now always gives the variant b: people whose plan is pro.'],
    ],
    [
      'no variant of a set',
      sets(always('b', set(100))),
      sets(set(100)),
      ['Condition set 1 no longer always gives the variant b, the shares of the variants decide: everyone.'],
    ],
    [
      'shares of variants',
      { ...sets(), ...variants(['a', 50], ['b', 50]) } as FlagFilters,
      { ...sets(), ...variants(['a', 34], ['b', 33], ['c', 33]) },
      [
        'The share of the variant a goes from 50% to 34%.',
        'The share of the variant b goes from 50% to 33%.',
        'Adds the variant c, with a share of 33%.',
      ],
    ],
    [
      'a variant that goes',
      { ...sets(), ...variants(['a', 50], ['b', 50]) } as FlagFilters,
      { ...sets(), ...variants(['a', 50]) },
      ['Removes the variant b, which had a share of 50%.'],
    ],
    [
      'the order of variants',
      { ...sets(), ...variants(['a', 50], ['b', 50]) } as FlagFilters,
      { ...sets(), ...variants(['b', 50], ['a', 50]) },
      ['The order of the variants changes, so that people may get another one: | a, b | b, a'],
    ],
    [
      'payloads',
      { ...sets(), payloads: { true: '1', a: '2' } } as FlagFilters,
      { ...sets(), payloads: { true: '3', b: '4' } },
      [
        'The payload changes: | 1 | 3',
        'The payload of the variant a is removed: | 2',
        'The payload of the variant b is set: | 4',
      ],
    ],
    [
      'early exit',
      sets(),
      { ...sets(), early_exit: true },
      [
        'The first condition set whose conditions a person matches now decides: one whom its share leaves out does not get the flag.',
      ],
    ],
    ['another member', sets(), { ...sets(), new_rule: [1] }, ['The new rule is set: | 1']],
    ['nothing before', null, sets(), []],
    [
      'names that reads add',
      sets(set(100, cohort(1))),
      sets(set(100, { ...cohort(1), cohort_name: 'T' })),
      [],
    ],
    [
      'the order of members, and those that are null',
      {
        ...sets({ properties: [], variant: null, rollout_percentage: 5 }),
        multivariate: null,
      } as FlagFilters,
      sets({ rollout_percentage: 5, properties: [] }),
      [],
    ],
  ])('of filters: %s', (_what, before, after, expected) => {
    expect(ofField('filters', before, after)).toEqual(expected)
  })
})
