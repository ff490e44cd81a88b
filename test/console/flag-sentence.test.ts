import { expect, it } from 'vitest'
import type { ConditionSet, PropertyFilter } from '../../src/console/api/client'
import { flagSentence } from '../../src/console/flag/sentence'

const plan: PropertyFilter = { key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }
const set = (share: number | null, ...properties: PropertyFilter[]): ConditionSet => ({
  properties,
  rollout_percentage: share,
})
const flag = { active: true, archived: false, is_remote_configuration: false }
const variants = ['a', 'b'].map((key) => ({ key, name: '', rollout_percentage: 50 }))

it.each([
  [{ ...flag, filters: { groups: [set(25, plan)] } }, 'On for 25 % of users where plan is pro.'],
  [{ ...flag, filters: { groups: [set(25, plan), set(100)] } }, 'On for everyone.'],
  [
    { ...flag, filters: { groups: [set(null)], multivariate: { variants } } },
    'On for everyone, in 2 variants.',
  ],
  [
    { ...flag, filters: { groups: [set(0), set(100, plan), set(10)] } },
    'On for users where plan is pro, and for 10 % of users.',
  ],
  [
    { ...flag, filters: { groups: [set(5, plan), set(10), set(20, plan)] } },
    'On for 5 % of users where plan is pro, for 10 % of users, and for 1 more set of conditions.',
  ],
  [
    { ...flag, filters: { groups: [{ ...set(100), aggregation_group_type_index: 0 }] } },
    'On for every group.',
  ],
  [
    { ...flag, filters: { groups: [{ ...set(50, plan), aggregation_group_type_index: 0 }] } },
    'On for 50 % of groups where plan is pro.',
  ],
  [{ ...flag, filters: { groups: [] } }, 'On, but no one gets it yet.'],
  [{ ...flag, active: false, filters: { groups: [set(100)] } }, 'Off for everyone.'],
  [{ ...flag, archived: true, filters: { groups: [set(100)] } }, 'Archived: no one gets it.'],
  [{ ...flag, is_remote_configuration: true, filters: { groups: [] } }, 'Everyone gets its value.'],
] as const)('says of %j: %s', (facts, sentence) => {
  expect(flagSentence(facts as never)).toBe(sentence)
})
