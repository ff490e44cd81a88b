import { describe, expect, it } from 'vitest'
import { compile } from '../../src/evaluation/compile/compile'
import type { Subject } from '../../src/evaluation/context'
import type { FlagDefinition, FlagSet } from '../../src/evaluation/compile/definitions'
import { explain, type Explanation } from '../../src/evaluation/explain/explain'
import type { JsonValue } from '../../src/json'
import { AT_NOW, cohort, flag, flagSet, group, person, subject } from './support'

function explained(
  definition: FlagDefinition,
  who: Subject,
  rest: Partial<FlagSet> & { readonly others?: readonly FlagDefinition[] } = {},
): Explanation {
  const { others = [], ...set } = rest
  const explanation = explain(compile(flagSet([definition, ...others], set)), definition.key, who, AT_NOW)
  if (explanation === null) throw new Error('nothing to explain')
  return explanation
}

const sentences = (definition: FlagDefinition, who: Subject): readonly string[] =>
  explained(definition, who).conditions.map((condition) => condition.explanation)

/** The explanation of one person filter. */
function sentence(operator: string, value: JsonValue | undefined, actual: JsonValue | undefined) {
  const definition = flag('f', { groups: [group([person('p', operator, value)])] })
  const personProperties = actual === undefined ? {} : { p: actual }
  return explained(definition, subject('u', { personProperties })).conditions[0]?.properties[0]?.explanation
}

describe('conditions', () => {
  it('are explained one by one, decisive or not', () => {
    const definition = flag('f', {
      groups: [
        group([person('plan', 'exact', 'free')]),
        group([], { rollout_percentage: 0 }),
        group([person('plan', 'exact', 'pro')], { variant: 'test', rollout_percentage: null }),
        group([]),
      ],
      multivariate: { variants: [{ key: 'test', rollout_percentage: 100 }] },
    })
    const { result, conditions, personProperties } = explained(
      definition,
      subject('u', { personProperties: { plan: 'pro', email: 'secret@example.com' } }),
    )
    expect(result).toMatchObject({ value: 'test', reason: { code: 'condition_match', condition_index: 2 } })
    expect(personProperties).toEqual({ plan: 'pro' })
    expect(conditions).toEqual([
      {
        index: 0,
        matched: false,
        properties_matched: false,
        explanation: 'Condition set 1 did not match properties',
        rollout_percentage: 100,
        rollout_excluded: false,
        variant: null,
        properties: [
          {
            key: 'plan',
            operator: 'exact',
            value: 'free',
            type: 'person',
            actual_value: 'pro',
            matched: false,
            explanation: 'Property \'plan\' does not equal "free"',
          },
        ],
      },
      {
        index: 1,
        matched: false,
        properties_matched: true,
        explanation: 'Condition set 2 matched properties but was excluded by 0% rollout',
        rollout_percentage: 0,
        rollout_excluded: true,
        variant: null,
        properties: [],
      },
      {
        index: 2,
        matched: true,
        properties_matched: true,
        explanation: 'Condition set 3 matched and passed 100% rollout',
        rollout_percentage: 100,
        rollout_excluded: false,
        variant: 'test',
        properties: [
          {
            key: 'plan',
            operator: 'exact',
            value: 'pro',
            type: 'person',
            actual_value: 'pro',
            matched: true,
            explanation: 'Property \'plan\' equals "pro"',
          },
        ],
      },
      {
        index: 3,
        matched: false,
        properties_matched: true,
        explanation:
          'Condition set 4 matched properties but was not evaluated due to an earlier condition matching',
        rollout_percentage: 100,
        rollout_excluded: false,
        variant: null,
        properties: [],
      },
    ])
  })

  it('explain why they did not decide', () => {
    const groups = [group([])]
    expect(
      sentences(flag('f', { groups, holdout: { id: 1, exclusion_percentage: 100 } }), subject('u')),
    ).toEqual(['Condition set 1 matched properties but was not evaluated because the holdout decided'])
    const enrolled = subject('u', { personProperties: { '$feature_enrollment/f': true } })
    expect(sentences(flag('f', { groups, feature_enrollment: true }), enrolled)).toEqual([
      'Condition set 1 matched properties but was not evaluated because feature enrollment decided',
    ])
    const early = { groups: [group([], { rollout_percentage: 0 }), group([])], early_exit: true }
    expect(sentences(flag('f', early), subject('u'))[1]).toBe(
      'Condition set 2 matched properties but was not evaluated because an earlier condition ended evaluation',
    )
    expect(sentences(flag('f', { groups, aggregation_group_type_index: 0 }), subject('u'))).toEqual([
      'Condition set 1 matched properties but was not evaluated because no group was given for it',
    ])
    const byDevice = flag(
      'f',
      { groups: [group([], { rollout_percentage: 50 })] },
      { bucketing_identifier: 'device_id' },
    )
    expect(sentences(byDevice, subject('u'))).toEqual([
      'Condition set 1 matched properties but was not evaluated because no device id was given',
    ])
  })

  it('print a fraction of a percentage as it is', () => {
    const fraction = flag('f', { groups: [group([], { rollout_percentage: 33.34 })] })
    expect(explained(fraction, subject('')).conditions[0]?.explanation).toBe(
      'Condition set 1 matched and passed 33.34% rollout',
    )
  })
})

describe('properties', () => {
  it.each<[string, JsonValue | undefined, JsonValue | undefined, string]>([
    ['is_not', 'x', 'x', 'Property \'p\' equals "x"'],
    ['icontains', 'x', 'axb', 'Property \'p\' contains "x"'],
    ['not_icontains', 'x', 'axb', 'Property \'p\' contains "x"'],
    ['regex', '^a$', 'b', 'Property \'p\' does not match regex "^a$"'],
    ['gt', 5, 6, "Property 'p' > 5"],
    ['gt', 5, 4, "Property 'p' <= 5"],
    ['lte', 5, 6, "Property 'p' > 5"],
    ['is_set', 'is_set', 1, "Property 'p' is set"],
    ['is_set', undefined, undefined, "Property 'p' is not set"],
    ['is_not_set', undefined, undefined, "Property 'p' is not set"],
    ['exact', ['a', 1.5, null], 'b', 'Property \'p\' does not equal ["a",1.5,null]'],
    ['exact', null, 'b', "Property 'p' does not equal (empty)"],
    ['semver_gt', '1.2.3', '2.0.0', 'Property \'p\' semver_gt "1.2.3"'],
    ['semver_gt', '1.2.3', 'abc', 'Property \'p\' does not match "1.2.3"'],
  ])('%s %j on %j', (operator, value, actual, expected) => {
    expect(sentence(operator, value, actual)).toBe(expected)
  })

  it.each<[string, object, string, string]>([
    ['pro', {}, 'Property \'plan\' exact "pro"', 'Property \'plan\' does not match "pro"'],
    ['pro', { operator: null }, 'Property \'plan\' exact "pro"', 'Property \'plan\' does not match "pro"'],
    [
      'pro',
      { operator: 'exact' },
      'Property \'plan\' equals "pro"',
      'Property \'plan\' does not equal "pro"',
    ],
  ])('of %s with %j distinguish an omitted operator from a sent one', (value, fields, held, missed) => {
    const definition = flag('f', { groups: [group([{ key: 'plan', type: 'person', value, ...fields }])] })
    const shown = (plan: string) =>
      explained(definition, subject('u', { personProperties: { plan } })).conditions[0]?.properties[0]
    expect(shown('pro')).toMatchObject({ operator: 'exact', matched: true, explanation: held })
    expect(shown('free')).toMatchObject({ operator: 'exact', matched: false, explanation: missed })
  })

  it('show no values of cohorts and flags', () => {
    const definition = flag('f', {
      groups: [
        group([
          { key: 'id', type: 'cohort', value: 1 },
          { key: 'id', type: 'cohort', value: 2, operator: 'not_in' },
          { key: '2', type: 'flag', operator: 'flag_evaluates_to', value: true },
          { key: 'tier', type: 'group', group_type_index: 0, value: 'gold' },
        ]),
      ],
    })
    const who = subject('u', {
      personProperties: { plan: 'pro' },
      groups: { organization: 'o' },
      groupProperties: { organization: { tier: 'gold' } },
    })
    const { conditions, personProperties } = explained(definition, who, {
      cohorts: [cohort(1, { type: 'AND', values: [person('plan', 'exact', 'pro')] })],
      group_type_mapping: { '0': 'organization' },
      others: [flag('base', { groups: [group([])] }, { id: 2 })],
    })
    expect(personProperties).toEqual({})
    expect(
      conditions[0]?.properties.map(({ operator, actual_value, matched, explanation }) => [
        operator,
        actual_value,
        matched,
        explanation,
      ]),
    ).toEqual([
      ['in', null, true, "Property 'id' is in 1"],
      ['not_in', null, false, "Property 'id' is in 2 (that cohort could not be checked)"],
      ['flag_evaluates_to', null, true, "Property '2' evaluates to true"],
      ['exact', 'gold', true, 'Property \'tier\' exact "gold"'],
    ])
  })
})

describe('flags that are not evaluated', () => {
  it('is a disabled flag', () => {
    const { result, conditions } = explained(
      flag('f', { groups: [group([])] }, { active: false }),
      subject('u'),
    )
    expect(result).toMatchObject({ value: false, reason: { code: 'flag_disabled', condition_index: null } })
    expect(conditions).toEqual([])
  })

  it('excludes flags for another runtime or with encrypted payloads', () => {
    const definition = flag(
      'f',
      { groups: [group([])] },
      { evaluation_runtime: 'client', has_encrypted_payloads: true },
    )
    expect(explained(definition, subject('u')).result.enabled).toBe(true)
  })

  it('is a flag that does not exist, or is in a cycle', () => {
    const self = flag('f', {
      groups: [group([{ key: '1', type: 'flag', operator: 'flag_evaluates_to', value: true }])],
    })
    expect(explain(compile(flagSet([self])), 'f', subject('u'), AT_NOW)).toBeNull()
    expect(explain(compile(flagSet([])), 'f', subject('u'), AT_NOW)).toBeNull()
  })
})

describe('properties of a person', () => {
  it('are those that the flag names, and the enrollment', () => {
    const definition = flag('f', {
      groups: [
        group([person('a', 'is_set'), person('b', 'is_set')]),
        group([person('a', 'exact', 1), { key: 'g', type: 'group', value: 1 }]),
      ],
      feature_enrollment: true,
    })
    const read = { b: 2, a: 1, '$feature_enrollment/f': false }
    const who = subject('u', { personProperties: { ...read, g: 3, c: 4 } })
    expect(explained(definition, who).personProperties).toEqual(read)
  })
})
