import { describe, expect, it } from 'vitest'
import { groupPropertyMaps } from '../../src/evaluation/property-maps'
import { describeReason } from '../../src/evaluation/explain/reasons'
import type { JsonObject, JsonValue } from '../../src/json'
import { flag, group, person, resultOf, subject } from './support'

const mapping = { group_type_mapping: { '0': 'organization', '1': 'project' } }
const coin = {
  variants: [
    { key: 'heads', rollout_percentage: 50 },
    { key: 'tails', rollout_percentage: 50 },
  ],
}

const inGroups = (groups: JsonObject, properties: Record<string, JsonObject> = {}) =>
  subject('u', { groups, groupProperties: groupPropertyMaps(groups, {}, properties) })

const tier = (value: JsonValue, rest: JsonObject = {}): JsonObject => ({
  key: 'tier',
  type: 'group',
  operator: 'exact',
  value,
  ...rest,
})

describe('group conditions', () => {
  const whole = flag('f', { groups: [group([])], aggregation_group_type_index: 0 })

  it.each<[JsonObject, string]>([
    [{ organization: 'acme' }, 'condition_match'],
    [{ organization: 42 }, 'condition_match'],
    [{ organization: '' }, 'no_group_type'],
    [{ organization: true }, 'no_group_type'],
    [{ organization: null }, 'no_group_type'],
    [{ project: 'p' }, 'no_group_type'],
    [{}, 'no_group_type'],
  ])('with %j: %s', (groups, code) => {
    expect(resultOf(whole, inGroups(groups), mapping).reason).toEqual({ code, condition_index: 0 })
  })

  it('hash the group’s key, a number as its text', () => {
    const grouped = flag('f', { groups: [group([])], multivariate: coin, aggregation_group_type_index: 0 })
    const personal = flag('f', { groups: [group([])], multivariate: coin })
    for (let key = 0; key < 20; key++) {
      const expected = resultOf(personal, subject(String(key))).value
      expect(resultOf(grouped, inGroups({ organization: key }), mapping).value).toBe(expected)
      expect(resultOf(grouped, inGroups({ organization: String(key) }), mapping).value).toBe(expected)
    }
  })

  it('take their own aggregation before the flag’s, and a null to mean persons', () => {
    const mixed = flag('f', {
      groups: [group([]), group([], { aggregation_group_type_index: null })],
      aggregation_group_type_index: 0,
    })
    expect(resultOf(mixed, subject('u'), mapping).reason).toEqual({
      code: 'condition_match',
      condition_index: 1,
    })
  })

  it('that were skipped hide behind a person’s condition that was not, but for the description', () => {
    const mixed = flag('f', {
      groups: [group([person('p', 'exact', 'x')]), group([], { aggregation_group_type_index: 1 })],
    })
    const result = resultOf(mixed, subject('u'), mapping)
    expect(result.reason).toEqual({ code: 'no_condition_match', condition_index: 0 })
    expect(describeReason(result)).toContain('no group was given')
  })
})

describe('group filters', () => {
  it('read the group of their own type, or of the condition', () => {
    const both = flag('f', {
      groups: [
        group([tier('gold'), tier('small', { group_type_index: 1 })], { aggregation_group_type_index: 0 }),
      ],
    })
    const properties = { organization: { tier: 'gold' }, project: { tier: 'small' } }
    expect(resultOf(both, inGroups({ organization: 'o', project: 'p' }, properties), mapping).enabled).toBe(
      true,
    )
    // Properties that are sent for a group without a key count, too.
    expect(resultOf(both, inGroups({ organization: 'o' }, properties), mapping).enabled).toBe(true)
    const { organization } = properties
    expect(resultOf(both, inGroups({ organization: 'o' }, { organization }), mapping).enabled).toBe(false)
  })

  it('combine with person filters', () => {
    const mixed = flag('f', {
      groups: [group([person('plan', 'exact', 'pro'), tier('gold', { group_type_index: 0 })])],
    })
    const who = {
      ...inGroups({ organization: 'o' }, { organization: { tier: 'gold' } }),
      personProperties: { plan: 'pro' },
    }
    expect(resultOf(mixed, who, mapping).enabled).toBe(true)
    expect(resultOf(mixed, { ...who, personProperties: {} }, mapping).enabled).toBe(false)
  })

  it('read properties that are sent without a key, in sets about people', () => {
    const mixed = flag('f', { groups: [group([tier('gold', { group_type_index: 0 })])] })
    expect(resultOf(mixed, inGroups({}, { organization: { tier: 'gold' } }), mapping).enabled).toBe(true)
    expect(resultOf(mixed, inGroups({}, { organization: { tier: 'free' } }), mapping).enabled).toBe(false)
    expect(resultOf(mixed, inGroups({}, { project: { tier: 'gold' } }), mapping).enabled).toBe(false)
    const about = flag('f', { groups: [group([tier('gold')])], aggregation_group_type_index: 0 })
    expect(resultOf(about, inGroups({}, { organization: { tier: 'gold' } }), mapping).enabled).toBe(false)
  })

  it('have no properties for a group of which nothing is known', () => {
    const negative = { ...tier('gold', { group_type_index: 1 }), operator: 'is_not' }
    expect(resultOf(flag('f', { groups: [group([negative])] }), subject('u'), mapping).enabled).toBe(true)
    expect(resultOf(flag('f', { groups: [group([tier('gold')])] }), subject('u'), mapping).enabled).toBe(
      false,
    )
  })
})

describe('groupPropertyMaps', () => {
  it('prefers sent properties over stored ones, except the key', () => {
    expect(
      groupPropertyMaps(
        { organization: 'acme', project: 7 },
        { organization: { tier: 'free', seats: 3 } },
        { organization: { tier: 'gold', $group_key: 'forged' } },
      ),
    ).toEqual({
      organization: { tier: 'gold', seats: 3, $group_key: 'acme' },
      project: { $group_key: 7 },
    })
  })

  it('has properties that are sent for a group without a key', () => {
    expect(
      groupPropertyMaps({ project: 7 }, {}, { organization: { tier: 'gold', $group_key: 'a' } }),
    ).toEqual({
      organization: { tier: 'gold', $group_key: 'a' },
      project: { $group_key: 7 },
    })
  })
})
