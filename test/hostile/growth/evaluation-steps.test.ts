// Everything of which a definition can have many takes steps of the evaluation budget. The steps are counted, so that the figures are exact.
import { describe, expect, it } from 'vitest'
import { EvaluationBudget, MAX_EVALUATION_STEPS } from '../../../src/evaluation/budget'
import { compile } from '../../../src/evaluation/compile/compile'
import { evaluate } from '../../../src/evaluation/evaluate'
import { explain } from '../../../src/evaluation/explain/explain'

const AT = { now: Date.UTC(2026, 2, 10), timezone: 'UTC' }

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const ON = { properties: [], rollout_percentage: 100 }
const OFF = { properties: [], rollout_percentage: 0 }
const onFlag = (id: number, value: unknown) => ({
  key: String(id),
  type: 'flag',
  operator: 'flag_evaluates_to',
  value,
})
const inCohort = (id: number) => ({ key: 'id', type: 'cohort', operator: 'in', value: id })
const flag = (id: number, filters: object, rest: object = {}) => ({
  id,
  key: `flag ${id}`,
  active: true,
  filters,
  ...rest,
})
const tree = (id: number, values: unknown[]) => ({
  id,
  is_static: false,
  filters: { properties: { type: 'OR', values } },
})
const BOTH = {
  variants: [
    { key: 'a', rollout_percentage: 50 },
    { key: 'b', rollout_percentage: 50 },
  ],
}
/** A flag that fails, whatever is asked. */
const failing = (id: number) => flag(id, { groups: 'no list' })

/** The most cohorts of which each may refer to the next. */
const ROW = 50

interface Definitions {
  flags: object[]
  cohorts?: object[]
}

/** Definitions of a size, whose evaluation visits each of their parts. */
const SHAPES: Record<string, (size: number) => Definitions> = {
  flags: (size) => ({ flags: times(size, (id) => flag(id, { groups: [ON] })) }),
  'inactive flags': (size) => ({ flags: times(size, (id) => flag(id, {}, { active: false })) }),
  'flags that fail': (size) => ({ flags: times(size, failing) }),
  'flags without conditions': (size) => ({ flags: times(size, (id) => flag(id, { groups: [] })) }),
  conditions: (size) => ({
    flags: [flag(1, { groups: times(size, () => ({ ...ON, properties: [onFlag(9, true)] })) }), failing(9)],
  }),
  'conditions on groups': (size) => ({
    flags: [flag(1, { groups: times(size, () => ({ ...ON, aggregation_group_type_index: 0 })) })],
  }),
  'conditions without a device': (size) => ({
    flags: [flag(1, { groups: times(size, () => OFF) }, { bucketing_identifier: 'device_id' })],
  }),
  rollouts: (size) => ({ flags: [flag(1, { groups: times(size, () => OFF) })] }),
  'filters on a person': (size) => ({
    flags: [
      flag(1, {
        groups: [
          {
            ...ON,
            properties: times(size, () => ({
              key: 'plan',
              type: 'person',
              operator: 'is_not_set',
              value: '',
            })),
          },
        ],
      }),
    ],
  }),
  'filters on a flag': (size) => ({
    flags: [
      flag(1, { groups: [{ ...ON, properties: times(size, () => onFlag(2, true)) }] }),
      flag(2, { groups: [ON] }),
    ],
  }),
  'filters on a flag that failed': (size) => ({
    flags: [flag(1, { groups: [{ ...ON, properties: times(size, () => onFlag(2, true)) }] }), failing(2)],
  }),
  dependencies: (size) => ({
    flags: [
      flag(0, { groups: [{ ...ON, properties: times(size, (id) => onFlag(id + 1, true)) }] }),
      ...times(size, (id) => flag(id + 1, { groups: [ON] }, { active: false })),
    ],
  }),
  'filters on a cohort': (size) => ({
    flags: [flag(1, { groups: times(size, () => ({ ...ON, properties: [inCohort(7)] })) })],
    cohorts: [{ id: 7, is_static: true }],
  }),
  'conditions of a cohort': (size) => ({
    flags: [flag(1, { groups: [{ ...ON, properties: [inCohort(8)] }] })],
    cohorts: [
      { id: 7, is_static: true },
      tree(
        8,
        times(size, () => inCohort(7)),
      ),
    ],
  }),
  'empty groups of a cohort': (size) => ({
    flags: [flag(1, { groups: [{ ...ON, properties: [inCohort(8)] }] })],
    cohorts: [
      tree(
        8,
        times(size, () => ({ type: 'OR', values: [] })),
      ),
    ],
  }),
  'cohorts in rows': (size) => ({
    flags: [
      flag(1, {
        groups: times(size / ROW, (row) => ({ ...ON, properties: [inCohort(row * ROW)] })),
      }),
    ],
    cohorts: times(size, (id) => tree(id, (id + 1) % ROW === 0 ? [] : [inCohort(id + 1)])),
  }),
  variants: (size) => ({
    flags: times(size, (id) => flag(id, { groups: [ON], multivariate: BOTH })),
  }),
  'variants of a flag': (size) => ({
    flags: [
      flag(1, {
        groups: [ON],
        multivariate: { variants: times(size, (key) => ({ key: `v${key}`, rollout_percentage: 0 })) },
      }),
    ],
  }),
  holdouts: (size) => ({
    flags: times(size, (id) => flag(id, { groups: [ON], holdout: { id: 1, exclusion_percentage: 1 } })),
  }),
  'flags of a cycle': (size) => ({
    flags: times(size, (id) =>
      flag(id, { groups: [{ ...ON, properties: [onFlag((id + 1) % size, true)] }] }),
    ),
  }),
}

const ADA = { distinctId: 'ada', personProperties: {} }

const setOf = ({ flags, cohorts = [] }: Definitions) =>
  compile({ flags, cohorts, group_type_mapping: { 0: 'company' }, property_matching_version: 1 } as never)

function stepsFor(definitions: Definitions): number {
  const budget = new EvaluationBudget()
  evaluate(setOf(definitions), ADA, { ...AT, budget })
  return MAX_EVALUATION_STEPS - budget.left
}

const SIZE = 200

describe.each(Object.entries(SHAPES))('%s', (_, definitionsOf) => {
  it('take steps in proportion to their number', () => {
    const [one, two, four] = [1, 2, 4].map((factor) => stepsFor(definitionsOf(factor * SIZE)))
    expect(two! - one!).toBeGreaterThanOrEqual(SIZE)
    // Longer keys of flags take a few more steps.
    expect(four! - two!).toBeGreaterThanOrEqual(2 * (two! - one!))
    expect(four! - two!).toBeLessThan(2.2 * (two! - one!))
  })

  it('of many persons end with the budget, and take no longer than it allows', () => {
    const set = setOf(definitionsOf(2_000))
    const budget = new EvaluationBudget(1_000_000)
    const start = process.cpuUsage()
    let persons = 0
    while (budget.exceeded === 0 && budget.left > 0 && persons < 2_500) {
      evaluate(set, ADA, { ...AT, budget })
      persons += 1
    }
    expect(persons).toBeLessThan(2_500)
    // A step takes up to 100 ns; the rest is for a busy machine.
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1_000)
  })
})

describe('an ordinary project', () => {
  it('takes a small part of the budget for one person', () => {
    const flags = times(2_000, (id) =>
      flag(id, { groups: [ON], multivariate: BOTH, holdout: { id: 1, exclusion_percentage: 1 } }),
    )
    const budget = new EvaluationBudget()
    const { errorsWhileComputingFlags } = evaluate(
      setOf({ flags }),
      { distinctId: 'a'.repeat(200), personProperties: {} },
      { ...AT, budget },
    )
    expect(errorsWhileComputingFlags).toBe(false)
    expect(MAX_EVALUATION_STEPS - budget.left).toBeLessThan(MAX_EVALUATION_STEPS / 40)
  })
})

describe('an explanation', () => {
  it('says that a rollout would take too long to check', () => {
    const company = 'x'.repeat(4_000_000)
    const groups = times(12, () => ({ ...OFF, aggregation_group_type_index: 0 }))
    const set = setOf({ flags: [flag(1, { groups: [{ ...ON, properties: [] }, ...groups] })] })
    const { conditions, result } = explain(set, 'flag 1', { ...ADA, groups: { company } }, AT)!
    expect(result.enabled).toBe(true)
    expect(conditions.at(-1)).toMatchObject({
      rollout_excluded: false,
      explanation: 'Condition set 13 matched properties, and its 0% rollout would take too long to check',
    })
  })
})
