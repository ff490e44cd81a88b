// Many small things on one large stored thing: flags on a cohort, conditions on a cohort, persons on a condition, variants on variants.
import { describe, expect, it } from 'vitest'
import { compile } from '../../../src/evaluation/compile/compile'
import { EvaluationBudget } from '../../../src/evaluation/budget'
import { evaluate } from '../../../src/evaluation/evaluate'
import { checkReferences } from '../../../src/flags/cohorts/references'
import { validateFilters } from '../../../src/flags/filters/validate'
import { checkRemovable } from '../../../src/flags/write/rules'
import { createChains } from '../../../src/sdk/dependency-chains'
import { compileSnapshot } from '../../../src/snapshots/compiled-snapshot'
import { unsettledFlags, withCohorts } from '../../../src/evaluation/requirements'
import { LINEAR, measureGrowth } from './processor-growth'

const AT = { now: Date.UTC(2026, 2, 10), timezone: 'UTC' }

const list = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index))

/** 512 KiB of them are 7,000. */
const condition = (index: number) => ({ key: `p${index}`, type: 'person', operator: 'exact', value: 'x' })
const inCohort = (id: number) => ({ key: 'id', type: 'cohort', operator: 'in', value: id })
const cohortOf = (id: number, values: readonly object[]) => ({
  id,
  is_static: false,
  filters: { properties: { type: 'OR', values } },
})
const whole = (more: object) => ({ properties: [], rollout_percentage: 100, ...more })
const flagOf = (id: number, groups: readonly object[], more: object = {}) => ({
  id,
  key: `flag-${id}`,
  active: true,
  filters: { groups, ...more },
})
const setOf = (flags: readonly object[], cohorts: readonly object[] = []) =>
  ({
    project_id: 1,
    generation: 1,
    timezone: 'UTC',
    quota_limited: [],
    flags,
    cohorts,
    group_type_mapping: { 0: 'company' },
    property_matching_version: 1,
  }) as never

const NO_FACTS = {
  self: { id: 1, key: 'flag' },
  stored: null,
  isRemoteConfiguration: false,
  linkedToEarlyAccess: false,
  targets: new Map(),
  cohorts: new Map(),
}

describe('the work grows linearly', () => {
  it('for a snapshot of many flags that look at one cohort with many conditions, and for what a request lacks', async () => {
    const growth = await measureGrowth((size) => {
      const flags = list(size, (index) => flagOf(index + 1, [whole({ properties: [inCohort(1)] })]))
      const document = setOf(flags, [cohortOf(1, list(2 * size, condition))])
      return () => {
        const { compiled, requirements } = compileSnapshot(document)
        const settles = withCohorts(requirements.byCohort, ({ personKeys }) => !personKeys.has('gone'))
        expect(unsettledFlags(compiled, requirements.byFlag, settles).size).toBe(0)
        return requirements
      }
    }, 500)
    expect(growth).toEqual(LINEAR)
  })

  it('for a flag of many conditions on one cohort with many conditions', async () => {
    const growth = await measureGrowth((size) => {
      const { id, is_static: isStatic, filters } = cohortOf(1, list(size, condition))
      const cohorts = new Map([[id, { id, name: 'a', isStatic, filters }]])
      const sent = { groups: [whole({ properties: list(size, () => inCohort(1)) })] }
      return () => validateFilters(sent, { ...NO_FACTS, cohorts })
    }, 1_750)
    expect(growth).toEqual(LINEAR)
  })

  it('for a cohort that hundreds of thousands of conditions of others refer to', async () => {
    const growth = await measureGrowth((size) => {
      const refer = { properties: { type: 'OR', values: list(size, () => inCohort(1)) } }
      const others = list(20, (index) => ({ id: index + 2, name: 'a', filters: refer }))
      const graph = [{ id: 1, name: 'a', filters: null }, ...others] as never
      return () => checkReferences({ properties: { type: 'OR', values: [] } }, 1, graph)
    }, 2_500)
    expect(growth).toEqual(LINEAR)
  })

  it('for a flag of many conditions on the variants of another', async () => {
    const growth = await measureGrowth((size) => {
      const variants = list(size, (index) => `v${index}`)
      const target = { id: 2, key: 'b', active: true, variants, dependsOn: [] }
      const property = { key: '2', type: 'flag', operator: 'flag_evaluates_to', value: `v${size - 1}` }
      const sent = { groups: [whole({ properties: list(size, () => property) })] }
      return () => validateFilters(sent, { ...NO_FACTS, targets: new Map([[2, target]]) })
    }, 1_750)
    expect(growth).toEqual(LINEAR)
  })

  it('for variants that are removed while others are expected', async () => {
    const growth = await measureGrowth((size) => {
      const expecting = list(size / 50, (id) => ({
        id,
        key: `flag-${id}`,
        texts: JSON.stringify(list(500, (index) => `kept${index}`)),
      }))
      const removed = list(size, (index) => `gone${index}`)
      return () => checkRemovable(removed, expecting)
    }, 2_500)
    expect(growth).toEqual(LINEAR)
  })

  it('for the chains of many conditions on a flag behind many others', async () => {
    const growth = await measureGrowth((size) => {
      const flags = list(size, (id) =>
        flagOf(id, id === 0 ? [] : [whole({ properties: [{ key: `${id - 1}`, type: 'flag' }] })]),
      )
      const byId = new Map(flags.map((flag) => [flag.id, flag])) as never as Parameters<
        typeof createChains
      >[0]
      return () => {
        const chains = createChains(byId)
        for (let times = 0; times < 100 * size; times += 1) chains.to(byId.get(size - 1)!)
      }
    }, 400)
    expect(growth).toEqual(LINEAR)
  })
})

describe('the budget of an evaluation', () => {
  const passes = (
    budget: EvaluationBudget,
    set: ReturnType<typeof compile>,
    count: number,
    more: object = {},
  ) => {
    let done = 0
    for (; done < count && budget.exceeded === 0; done += 1)
      evaluate(set, { distinctId: 'ada', personProperties: { a: 1 }, ...more }, { ...AT, budget })
    return done
  }

  it('ends many persons on one cohort of many conditions', () => {
    const set = compile(
      setOf([flagOf(1, [whole({ properties: [inCohort(1)] })])], [cohortOf(1, list(7_000, condition))]),
    )
    expect(passes(new EvaluationBudget(1_000_000), set, 1_000)).toBeLessThan(150)
  })

  it('ends many rollouts of long keys of groups', () => {
    const groups = list(7_000, () => whole({ rollout_percentage: 0, aggregation_group_type_index: 0 }))
    const set = compile(setOf([flagOf(1, groups)]))
    const company = 'x'.repeat(999)
    expect(passes(new EvaluationBudget(1_000_000), set, 100, { groups: { company } })).toBeLessThan(5)
  })
})
