import { describe, expect, it } from 'vitest'
import type { CohortDefinition } from '../../src/evaluation/compile/definitions'
import { describeReason } from '../../src/evaluation/explain/reasons'
import type { JsonObject, JsonValue } from '../../src/json'
import { cohort, evaluateSet, flag, flagSet, group, person, resultOf, subject } from './support'

const inCohort = (id: JsonValue, operator?: string): JsonObject => ({
  key: 'id',
  type: 'cohort',
  value: id,
  ...(operator === undefined ? {} : { operator }),
})
const asking = (...filters: readonly JsonValue[]) => flag('f', { groups: [group(filters)] })

const pro = person('plan', 'exact', 'pro')
const all = (...values: readonly JsonValue[]): JsonObject => ({ type: 'AND', values })
const any = (...values: readonly JsonValue[]): JsonObject => ({ type: 'OR', values })

const belongs = (
  definition: CohortDefinition,
  personProperties: JsonObject = {},
  others: CohortDefinition[] = [],
) =>
  resultOf(asking(inCohort(definition.id)), subject('u', { personProperties }), {
    cohorts: [definition, ...others],
  }).enabled

const not = (leaf: JsonObject) => cohort(1, any({ ...leaf, negation: true }))

const outer = (negation: boolean) => cohort(1, any({ key: 'id', type: 'cohort', value: 2, negation }))

const legacy = (...groups: readonly JsonValue[]): CohortDefinition => ({
  id: 1,
  is_static: false,
  groups,
})

describe('dynamic cohorts', () => {
  it('are trees of AND and OR', () => {
    const tree = cohort(1, any(all(pro, person('country', 'exact', ['us'])), all(person('vip', 'is_set'))))
    expect(belongs(tree, { plan: 'pro', country: 'us' })).toBe(true)
    expect(belongs(tree, { plan: 'pro' })).toBe(false)
    expect(belongs(tree, { vip: null })).toBe(true)
  })

  it('contain no one for an empty OR or no filters, everyone for an empty AND', () => {
    expect(belongs(cohort(1, any()))).toBe(false)
    expect(belongs(cohort(1, all()))).toBe(true)
    expect(belongs({ id: 1, is_static: false })).toBe(false)
    expect(belongs({ id: 1, is_static: false, filters: {}, groups: [] })).toBe(false)
  })

  it('negate a leaf after its errors became a miss', () => {
    expect(belongs(not(pro))).toBe(true)
    expect(belongs(not(pro), { plan: 'pro' })).toBe(false)
    expect(belongs(not(person('age', 'gt', 'abc')), { age: 5 })).toBe(true)
  })

  it('contain one another, negated or not', () => {
    const inner = cohort(2, all(pro))
    expect(belongs(outer(false), { plan: 'pro' }, [inner])).toBe(true)
    expect(belongs(outer(true), { plan: 'pro' }, [inner])).toBe(false)
    expect(belongs(outer(true), {}, [inner])).toBe(true)
  })

  it('cannot use events, not even negated', () => {
    const bought = { key: 'purchase', type: 'behavioral', value: 'performed_event', negation: true }
    expect(belongs(cohort(1, all(bought)))).toBe(false)
    const result = resultOf(asking(inCohort(1)), subject('u'), { cohorts: [cohort(1, all(bought))] })
    expect(result.reason.code).toBe('no_condition_match')
    expect(describeReason(result)).toContain('event-based')
  })

  it('come in an older shape, too', () => {
    expect(belongs(legacy({ properties: [{ key: 'plan', value: 'pro' }] }), { plan: 'pro' })).toBe(true)
    expect(belongs(legacy({ properties: { plan: 'pro', country: 'us' } }), { plan: 'pro' })).toBe(false)
    expect(belongs(legacy({ action_id: 5 }, { properties: { plan: 'pro' } }), { plan: 'pro' })).toBe(true)
    expect(belongs(legacy({ properties: any(pro) }), { plan: 'pro' })).toBe(true)
  })
})

describe('static cohorts', () => {
  const fixed: CohortDefinition = { id: 5, is_static: true }

  it('contain every person with a row', () => {
    const member = subject('u', { staticCohorts: new Set([5]) })
    expect(resultOf(asking(inCohort(5)), member, { cohorts: [fixed] }).enabled).toBe(true)
    expect(resultOf(asking(inCohort(5, 'not_in')), member, { cohorts: [fixed] }).enabled).toBe(false)
    expect(resultOf(asking(inCohort(5, 'not_in')), subject('u'), { cohorts: [fixed] }).enabled).toBe(true)
  })
})

describe('a cohort filter', () => {
  it('never matches under an operator of properties', () => {
    const cohorts = [cohort(1, all())]
    for (const operator of ['exact', 'is_not', 'is_set']) {
      expect(resultOf(asking(inCohort(1, operator)), subject('u'), { cohorts }).enabled).toBe(false)
    }
  })

  it('reads the person’s properties in a group’s condition as well', () => {
    const grouped = flag('f', { groups: [group([inCohort(1)], { aggregation_group_type_index: 0 })] })
    const who = subject('u', { personProperties: { plan: 'pro' }, groups: { organization: 'o' } })
    const rest = { cohorts: [cohort(1, all(pro))], group_type_mapping: { '0': 'organization' } }
    expect(resultOf(grouped, who, rest).enabled).toBe(true)
  })

  it.each<[string, CohortDefinition[], string]>([
    ['is missing', [], 'dependency_not_found_cohort'],
    ['is deleted', [{ ...cohort(1, all()), deleted: true }], 'dependency_not_found_cohort'],
    ['refers to one that is missing', [cohort(1, any(pro, inCohort(9)))], 'dependency_not_found_cohort'],
    ['refers to itself', [cohort(1, any(inCohort(1)))], 'dependency_cycle_cohort'],
    ['is in a circle', [cohort(1, any(inCohort(2))), cohort(2, any(inCohort(1)))], 'dependency_cycle_cohort'],
    ['does not parse', [cohort(1, { type: 'XOR', values: [] })], 'cohort_filters_parsing_error'],
  ])('fails the flag when the cohort %s', (_, cohorts, code) => {
    const set = flagSet([asking(inCohort(1)), flag('other', { groups: [group([])] }, { id: 2 })], { cohorts })
    const { flags, errorsWhileComputingFlags } = evaluateSet(
      set,
      subject('u', { personProperties: { plan: 'pro' } }),
    )
    expect(errorsWhileComputingFlags).toBe(true)
    expect(flags.get('f')).toMatchObject({
      value: false,
      failed: true,
      reason: { code, condition_index: null },
      payload: null,
    })
    expect(flags.get('other')?.enabled).toBe(true)
  })

  it('is only looked at when the other filters hold', () => {
    expect(resultOf(asking(inCohort(404), pro), subject('u')).failed).toBe(false)
    expect(
      resultOf(asking(inCohort(404), pro), subject('u', { personProperties: { plan: 'pro' } })).failed,
    ).toBe(true)
  })

  it('may write its id in digits', () => {
    const holding = { cohorts: [cohort(1, all(pro))] }
    const who = subject('u', { personProperties: { plan: 'pro' } })
    expect(resultOf(asking(inCohort('1')), who, holding).enabled).toBe(true)
    expect(resultOf(asking(inCohort('1', 'not_in')), who, holding).enabled).toBe(false)
    const nested = { key: 'id', type: 'cohort', value: '2' }
    expect(belongs(cohort(1, any(nested)), { plan: 'pro' }, [cohort(2, all(pro))])).toBe(true)
  })

  it.each<JsonValue>(['regulars', '', ' 1', '1.0', '-1', 1.5, true, null, [1]])(
    'poisons the flag when its id is %j',
    (id) => {
      const result = resultOf(asking(inCohort(id)), subject('u'), { cohorts: [cohort(1, all())] })
      expect(result.reason.code).toBe('data_parsing_error')
    },
  )
})
