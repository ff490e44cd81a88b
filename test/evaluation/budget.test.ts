// What becomes of flags whose filters take more work than a request may cause.
import { beforeAll, describe, expect, it } from 'vitest'
import { EvaluationBudget, MAX_EVALUATION_STEPS } from '../../src/evaluation/budget'
import { compile } from '../../src/evaluation/compile/compile'
import type { CompiledFlagSet } from '../../src/evaluation/compile/compiled'
import { evaluate } from '../../src/evaluation/evaluate'
import { explain } from '../../src/evaluation/explain/explain'
import { PROPERTY_OPERATORS } from '../../src/evaluation/matchers/operators'
import { loadEngines } from './support'

beforeAll(loadEngines)

const AT = { now: 0, timezone: 'UTC' }

interface Property {
  key: string
  type: string
  operator: string
  value: unknown
}
const regex = (value: string, operator = 'regex'): Property => ({
  key: 'text',
  type: 'person',
  operator,
  value,
})

/** A set of flags by key, each with one condition of these properties. */
function setOf(flags: Record<string, Property[]>, cohorts: unknown[] = []) {
  return compile({
    flags: Object.entries(flags).map(([key, properties], index) => ({
      id: index + 1,
      key,
      active: true,
      filters: { groups: [{ properties }] },
    })),
    cohorts: cohorts as never,
    group_type_mapping: {},
    property_matching_version: 1,
  })
}

const evaluateFor = (set: CompiledFlagSet, text: unknown, steps = MAX_EVALUATION_STEPS) => {
  const budget = new EvaluationBudget(steps)
  const subject = { distinctId: 'ada', personProperties: { text: text as never } }
  return { ...evaluate(set, subject, { ...AT, budget }), budget, subject }
}

describe('a flag whose regular expression is past the budget', () => {
  const set = setOf({
    costly: [regex('(b+)+z')],
    negated: [regex('(b+)+y', 'not_regex')],
    cheap: [{ key: 'text', type: 'person', operator: 'starts_with', value: 'b' }],
  })

  it('fails and is reported; the others are evaluated', () => {
    const { flags, errorsWhileComputingFlags } = evaluateFor(set, 'b'.repeat(90), 100)
    expect(flags.get('costly')).toMatchObject({
      enabled: false,
      failed: true,
      reason: { code: 'timeout', condition_index: null },
    })
    expect(flags.get('negated')).toMatchObject({ enabled: false, failed: true })
    expect(flags.get('cheap')).toMatchObject({ enabled: true, failed: false })
    expect(errorsWhileComputingFlags).toBe(true)
  })

  it('is answered within the budget of a request', () => {
    const { flags, errorsWhileComputingFlags } = evaluateFor(set, 'b'.repeat(900))
    expect([...flags].map(([, { enabled }]) => enabled)).toEqual([false, true, true])
    expect(errorsWhileComputingFlags).toBe(false)
  })

  it('does not fail when an earlier condition decides', () => {
    const either = compile({
      flags: [
        {
          id: 1,
          key: 'either',
          active: true,
          filters: { groups: [{ properties: [] }, { properties: [regex('(b+)+z')] }] },
        },
      ],
      cohorts: [],
      group_type_mapping: {},
      property_matching_version: 1,
    })
    expect(evaluateFor(either, 'b', 100).flags.get('either')).toMatchObject({ enabled: true, failed: false })
  })

  it('makes a flag that depends on it fail too, unless the result is the same', () => {
    const dependent = setOf({
      costly: [regex('(b+)+z')],
      dependent: [{ key: '1', type: 'flag', operator: 'flag_evaluates_to', value: true }],
    })
    const { flags } = evaluateFor(dependent, 'b'.repeat(900), 100)
    expect(flags.get('dependent')).toMatchObject({ failed: true, reason: { code: 'timeout' } })
  })

  it('is explained', () => {
    const budget = new EvaluationBudget(0)
    // `explain` has a budget of its own: a text that is past every budget stands in for one that is spent.
    const text = 'b'.repeat(MAX_EVALUATION_STEPS * 2 + 2)
    const explained = explain(set, 'cheap', { distinctId: 'ada', personProperties: { text } }, AT)
    expect(budget.spend(1)).toBe(false)
    expect(explained!.result).toMatchObject({ failed: true, reason: { code: 'timeout' } })
    expect(explained!.conditions[0]!.properties[0]).toMatchObject({
      matched: false,
      explanation: expect.stringMatching(
        / \(it would take too long to check\) \(the value is too long to be shown here\)$/,
      ),
    })
  })
})

describe('a cohort whose regular expression is past the budget', () => {
  const cohorts = [
    {
      id: 7,
      is_static: false,
      filters: { properties: { type: 'AND', values: [regex('(b+)+z')] } },
    },
  ]
  const inCohort = (operator: string) => ({ key: 'id', type: 'cohort', operator, value: 7 })

  it('makes every flag fail that uses it', () => {
    const set = setOf({ one: [inCohort('in')], two: [inCohort('not_in')] }, cohorts)
    const { flags } = evaluateFor(set, 'b'.repeat(900), 100)
    expect([...flags].map(([, { failed }]) => failed)).toEqual([true, true])
  })
})

describe('a text', () => {
  it('of over 100,000 units matches neither operator, without an error', () => {
    const set = setOf({ is: [regex('b')], not: [regex('b', 'not_regex')] })
    const { flags, errorsWhileComputingFlags } = evaluateFor(set, 'b'.repeat(100_001))
    expect([...flags].map(([, { enabled }]) => enabled)).toEqual([false, false])
    expect(errorsWhileComputingFlags).toBe(false)
  })

  it.each(['icontains', 'not_icontains', 'starts_with', 'ends_with', 'exact', 'is_not', 'gt', 'semver_eq'])(
    'that is long takes steps of the budget with %s',
    (operator) => {
      const set = setOf({ flag: [{ key: 'text', type: 'person', operator, value: 'x' }] })
      const { budget } = evaluateFor(set, 'b'.repeat(200_000))
      expect(MAX_EVALUATION_STEPS - budget.left).toBeGreaterThanOrEqual(100_000)
      expect(evaluateFor(set, 'b'.repeat(200_000), 1_000).flags.get('flag')).toMatchObject({ failed: true })
      expect(evaluateFor(set, 'b'.repeat(900), 1_000).flags.get('flag')).toMatchObject({ failed: false })
    },
  )

  it('that is an object takes steps by the length of its JSON', () => {
    const set = setOf({ flag: [{ key: 'text', type: 'person', operator: 'icontains', value: 'x' }] })
    const { budget } = evaluateFor(set, { list: Array.from({ length: 10_000 }, () => 'bbbbbbb') })
    expect(MAX_EVALUATION_STEPS - budget.left).toBeGreaterThanOrEqual(50_000)
  })

  it('that is searched for many parts takes steps for each', () => {
    const value = Array.from({ length: 10_000 }, (_, index) => `${'b'.repeat(20)}${index}`)
    const set = setOf({ flag: [{ key: 'text', type: 'person', operator: 'icontains_multi', value }] })
    const { budget } = evaluateFor(set, 'b'.repeat(500))
    expect(MAX_EVALUATION_STEPS - budget.left).toBeGreaterThanOrEqual(1_500_000)
    expect(evaluateFor(set, 'b'.repeat(20_000)).flags.get('flag')).toMatchObject({ failed: true })
  })
})

describe('the work for a value that many filters read', () => {
  const filters = (operator: string, value: unknown, count: number) =>
    setOf({
      flag: Array.from({ length: count }, () => ({ key: 'text', type: 'person', operator, value })),
    })
  /** Counts how often its keys are read. */
  function counted(count: number) {
    let reads = 0
    const target = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]))
    const value = new Proxy(target, { ownKeys: (own) => ((reads += 1), Reflect.ownKeys(own)) })
    return { value, reads: () => reads }
  }

  it('includes the text of an object once, and takes steps for it', () => {
    const { value, reads } = counted(10_000)
    const { budget } = evaluateFor(filters('icontains', 'k', 100), value)
    expect(reads()).toBe(1)
    const length = JSON.stringify(value).length
    expect(MAX_EVALUATION_STEPS - budget.left).toBeGreaterThan(2 * length)
    expect(
      evaluateFor(filters('icontains', 'k', 1), counted(10_000).value, length).flags.get('flag'),
    ).toMatchObject({ failed: true })
  })

  it.each(PROPERTY_OPERATORS)('takes steps for each condition with %s', (operator) => {
    const value = operator.endsWith('multi') ? ['b'] : operator.endsWith('between') ? [1, 2] : '1.0.0'
    const set = compile({
      flags: [
        {
          id: 1,
          key: 'flag',
          active: true,
          filters: {
            groups: Array.from({ length: 100 }, () => ({
              properties: [{ key: 'text', type: 'person', operator, value }],
              rollout_percentage: 0,
            })),
          },
        },
      ],
      cohorts: [],
      group_type_mapping: {},
      property_matching_version: 1,
    } as never)
    const stepsFor = (text: string) => MAX_EVALUATION_STEPS - evaluateFor(set, text).budget.left
    expect(stepsFor('b')).toBeGreaterThanOrEqual(100)
    expect(stepsFor('É'.repeat(999))).toBeGreaterThanOrEqual(100 * 400)
  })

  it('takes steps for every requirement of a range of versions', () => {
    const range = Array.from({ length: 32 }, () => '>=1.0.0-a').join(', ')
    const version = `1.0.0-a${'.a'.repeat(100_000)}`
    const { budget, flags } = evaluateFor(filters('semver_wildcard', range, 1), version)
    expect(flags.get('flag')).toMatchObject({ enabled: true })
    expect(MAX_EVALUATION_STEPS - budget.left).toBeGreaterThan(16 * version.length)
  })

  it('takes steps for each date', () => {
    // The date of a filter is found once for each time.
    const set = () => filters('is_date_before', '2030-01-01', 10)
    // The selection, the flag and its condition; for each filter a check, the date of the person and that of the filter.
    const steps = 1 + 2 + 1 + 10 * (1 + 200 + 200)
    expect(evaluateFor(set(), '2026-01-01', steps).flags.get('flag')).toMatchObject({ enabled: true })
    expect(evaluateFor(set(), '2026-01-01', steps - 1).flags.get('flag')).toMatchObject({ failed: true })
  })

  it('does not show a long value beside each of them', () => {
    const set = filters('icontains', 'x', 25)
    const text = 'x'.repeat(400_000)
    const { conditions } = explain(set, 'flag', { distinctId: 'ada', personProperties: { text } }, AT)!
    const { properties } = conditions[0]!
    expect(properties.filter(({ actual_value }) => actual_value === text)).toHaveLength(10)
    expect(properties[10]).toMatchObject({ actual_value: null, matched: true })
    expect(properties[10]!.explanation).toMatch(/ \(the value is too long to be shown here\)$/)
  })
})
