import { describe, expect, it } from 'vitest'
import type { ConditionSet, PropertyFilter } from '../../src/console/api/client'
import { conditionSetWords, reachOf, releaseWords } from '../../src/console/flags/release-summary'

const person = (key: string, operator: string, value: unknown): PropertyFilter => ({
  key,
  type: 'person',
  operator,
  value,
})
const set = (share: number | null, ...properties: PropertyFilter[]): ConditionSet => ({
  properties,
  rollout_percentage: share,
})

describe('who gets a flag', () => {
  it.each([
    [[], 'No one', null],
    [[set(0)], 'No one', 0],
    [[set(100)], 'Everyone', 100],
    [[set(null)], 'Everyone', 100],
    [[set(12.5)], '12.5 % of everyone', 12.5],
    [[set(100, person('plan', 'exact', ['pro', 'team']))], 'plan is pro or team', null],
    [[set(40, person('plan', 'exact', ['pro'])), set(100)], 'Everyone', 100],
    [[set(0), set(40, person('age', 'gte', '30')), set(10)], '40 % of age ≥ 30, or 1 more', 10],
  ])('%j: %s', (groups, words, reach) => {
    expect(releaseWords({ groups })).toBe(words)
    expect(reachOf({ groups })).toBe(reach)
  })

  it.each([
    [person('email', 'icontains', '@example.com'), 'email contains @example.com'],
    [person('seen', 'is_date_before', '-30d'), 'seen is before 30 days ago'],
    [person('seen', 'is_date_after', '2026-01-31'), 'seen is after 2026-01-31'],
    [person('beta', 'is_not_set', 'is_not_set'), 'beta is not set'],
    [person('plan', 'is_not', ['a', 'b', 'c', 'd', 'e']), 'plan is not a or b or c or 2 more'],
    [{ key: 'id', type: 'cohort', operator: 'not_in', value: 7 }, 'is not in cohort 7'],
    [{ key: 'id', type: 'cohort', value: 7, cohort_name: 'Team' }, 'is in cohort Team'],
    [
      { key: '3', type: 'flag', operator: 'flag_evaluates_to', value: true, label: 'parent' },
      'flag parent is true',
    ],
  ] as [PropertyFilter, string][])('is %j', (property, words) => {
    expect(conditionSetWords(set(100, property))).toBe(words)
  })

  it('names a set of groups', () => {
    expect(conditionSetWords({ ...set(50), aggregation_group_type_index: 0 })).toBe('50 % of every group')
  })
})
