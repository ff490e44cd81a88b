import { array, assert, constantFrom, double, option, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rolloutOf } from '../../../src/flags/filters/analysis'
import type { ConditionSet, FlagFilters } from '../../../src/flags/filters/flag-filters'

const OPEN: ConditionSet = { properties: [], rollout_percentage: 100 }
const TARGETED: ConditionSet = {
  properties: [{ key: 'email', type: 'person', operator: 'is_set' }],
  rollout_percentage: 100,
}
const flag = (...groups: ConditionSet[]): FlagFilters => ({ groups })
const split = (shares: Record<string, number>, ...groups: ConditionSet[]): FlagFilters => ({
  groups,
  multivariate: {
    variants: Object.entries(shares).map(([key, rollout_percentage]) => ({ key, rollout_percentage })),
  },
})
const to = (variant: string, set: ConditionSet = OPEN): ConditionSet => ({ ...set, variant })

describe('the full rollout', () => {
  it.each([
    ['no condition sets', flag(), false],
    ['an open set', flag(OPEN), true],
    ['an open set beside others', flag(TARGETED, { ...OPEN, rollout_percentage: 1 }, OPEN), true],
    ['an open set that leaves its properties out', flag({ rollout_percentage: 100 }), true],
    ['a set at less than 100 %', flag({ ...OPEN, rollout_percentage: 99.9 }), false],
    ['a set that says no percentage', flag({ properties: [] }), false],
    ['a set with null for its percentage', flag({ properties: [], rollout_percentage: null }), false],
    ['a set with conditions', flag(TARGETED), false],
    ['variants that is an empty list', { groups: [OPEN], multivariate: { variants: [] } }, true],
    ['no sets and variants', split({ a: 100 }), false],
    ['an open set and a variant at 100 %', split({ a: 100, b: 0 }, OPEN), true],
    ['an open set and divided variants', split({ a: 50, b: 50 }, OPEN), false],
    ['an open set with an override', split({ a: 50, b: 50 }, to('b')), true],
    ['a targeted set with an override', split({ a: 50, b: 50 }, to('b', TARGETED)), false],
    ['an override beside an open set', split({ a: 50, b: 50 }, to('b', TARGETED), OPEN), false],
  ])('for %s', (_, filters, response) => {
    expect(rolloutOf(filters).summary.effectively_full_rollout).toBe(response)
  })
})

describe('the decided variant', () => {
  it.each([
    ['of a boolean flag', flag(OPEN), null],
    ['at 100 %', split({ a: 0, b: 100 }, OPEN), 'b'],
    ['that an override names', split({ a: 100, b: 0 }, to('b')), 'b'],
    ['that the first override names', split({ a: 50, b: 50 }, OPEN, to('b'), to('a')), 'b'],
    ['that an empty override does not name', split({ a: 100 }, to('')), 'a'],
    ['of divided variants', split({ a: 50, b: 50 }, OPEN), null],
    ['without an open set', split({ a: 100 }, TARGETED), null],
  ])('%s', (_, filters, variant) => {
    expect(rolloutOf(filters).decidedVariant).toBe(variant)
  })
})

describe('the summary', () => {
  it.each([
    [
      'no condition sets',
      flag(),
      {
        effectively_full_rollout: false,
        has_targeting_conditions: false,
        max_rollout_percentage: null,
        is_multivariate: false,
      },
    ],
    [
      'the widest of some sets',
      flag({ ...OPEN, rollout_percentage: 20 }, { ...TARGETED, rollout_percentage: 62.5 }),
      {
        effectively_full_rollout: false,
        has_targeting_conditions: true,
        max_rollout_percentage: 62.5,
        is_multivariate: false,
      },
    ],
    [
      'a set that says no percentage, which means 100',
      flag({ properties: [] }, { ...OPEN, rollout_percentage: 5 }),
      {
        effectively_full_rollout: false,
        has_targeting_conditions: false,
        max_rollout_percentage: 100,
        is_multivariate: false,
      },
    ],
    [
      'variants',
      split({ a: 100 }, { ...OPEN, rollout_percentage: 0 }),
      {
        effectively_full_rollout: false,
        has_targeting_conditions: false,
        max_rollout_percentage: 0,
        is_multivariate: true,
      },
    ],
  ])('sums up %s', (_, filters, rollout) => {
    expect(rolloutOf(filters).summary).toEqual(rollout)
  })

  it('has a full rollout only with 100 as the widest, or with no sets at all', () => {
    const sets = array(
      record({
        properties: constantFrom([], TARGETED.properties!),
        rollout_percentage: option(double({ min: 0, max: 100, noNaN: true })),
        variant: constantFrom(null, 'a', 'b'),
      }),
    )
    assert(
      property(sets, constantFrom({}, { a: 100 }, { a: 50, b: 50 }), (groups, shares) => {
        const rollout = rolloutOf(split(shares as Record<string, number>, ...groups)).summary
        if (rollout.effectively_full_rollout) {
          expect([100, null]).toContain(rollout.max_rollout_percentage)
        }
      }),
    )
  })
})
