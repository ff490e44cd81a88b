import { describe, expect, it } from 'vitest'
import type { FlagDefinition } from '../../src/evaluation/compile/definitions'
import type { JsonObject, JsonValue } from '../../src/json'
import { evaluateSet, flag, flagSet, group, person, subject } from './support'

const needs = (id: number, value: JsonValue = true, operator = 'flag_evaluates_to'): JsonObject => ({
  key: String(id),
  type: 'flag',
  operator,
  value,
})
const on = (id: number, key: string, rest: Partial<FlagDefinition> = {}) =>
  flag(key, { groups: [group([])] }, { id, ...rest })
const child = (...filters: readonly JsonValue[]) => flag('child', { groups: [group(filters)] }, { id: 9 })

const run = (...flags: readonly FlagDefinition[]) => evaluateSet(flagSet(flags), subject('u'))
const childOf = (...flags: readonly FlagDefinition[]) => run(...flags).flags.get('child')

describe('a dependency', () => {
  const variant = flag(
    'base',
    { groups: [group([])], multivariate: { variants: [{ key: 'true', rollout_percentage: 100 }] } },
    { id: 1 },
  )

  it.each<[JsonValue, boolean, boolean, boolean]>([
    // wanted, on an enabled boolean flag, on one that is off, on the variant called "true"
    [true, true, false, true],
    [false, false, true, false],
    ['true', false, false, true],
    ['True', false, false, false],
    [1, false, false, false],
    [null, false, false, false],
    [[true], false, false, false],
  ])('on %j', (wanted, whenOn, whenOff, whenVariant) => {
    const off = flag('base', { groups: [] }, { id: 1 })
    expect(childOf(child(needs(1, wanted)), on(1, 'base'))?.enabled).toBe(whenOn)
    expect(childOf(child(needs(1, wanted)), off)?.enabled).toBe(whenOff)
    expect(childOf(child(needs(1, wanted)), variant)?.enabled).toBe(whenVariant)
  })

  it('has one operator only', () => {
    expect(childOf(child(needs(1, true, 'exact')), on(1, 'base'))?.enabled).toBe(false)
  })

  it('finds a flag that is left out to be off', () => {
    for (const rest of [{ active: false }, { archived: true }, { has_encrypted_payloads: true }]) {
      const evaluation = run(child(needs(1, false)), on(1, 'base', rest))
      expect(evaluation.flags.get('child')?.enabled).toBe(true)
      expect(evaluation.flags.has('base')).toBe(false)
    }
  })

  it('disables the flag when the target does not exist, at any distance', () => {
    const open = flag('child', { groups: [group([needs(404, false)]), group([])] }, { id: 9 })
    const grandchild = flag('grandchild', { groups: [group([needs(9, false)]), group([])] }, { id: 10 })
    for (const gone of [[], [on(404, 'gone', { deleted: true })]]) {
      const { flags, errorsWhileComputingFlags } = run(grandchild, open, ...gone)
      for (const key of ['child', 'grandchild']) {
        expect(flags.get(key)).toMatchObject({
          enabled: false,
          failed: false,
          reason: { code: 'missing_dependency', condition_index: null },
        })
      }
      expect(errorsWhileComputingFlags).toBe(false)
    }
  })

  it('is evaluated even when only the dependent flag was asked for', () => {
    const set = flagSet([child(needs(1)), on(1, 'base'), on(2, 'other')])
    expect([...evaluateSet(set, subject('u'), { flagKeys: ['child'] }).flags.keys()]).toEqual([
      'child',
      'base',
    ])
  })
})

describe('a cycle', () => {
  const a = flag('a', { groups: [group([needs(2)])] }, { id: 1 })
  const b = flag('b', { groups: [group([needs(1)])] }, { id: 2 })
  const behind = flag('behind', { groups: [group([needs(1)])] }, { id: 3 })

  it('leaves its flags and those behind it without a result', () => {
    const { flags, errorsWhileComputingFlags } = run(a, b, behind, on(4, 'apart'))
    expect([...flags.keys()]).toEqual(['apart'])
    expect(errorsWhileComputingFlags).toBe(true)
  })

  it('does not affect unrelated flags', () => {
    const evaluation = evaluateSet(flagSet([a, b, on(4, 'apart')]), subject('u'), { flagKeys: ['apart'] })
    expect(evaluation.errorsWhileComputingFlags).toBe(false)
  })

  it('is broken by a flag that is left out', () => {
    const { flags, errorsWhileComputingFlags } = run({ ...a, active: false }, b, behind)
    expect(flags.get('b')?.reason.code).toBe('no_condition_match')
    expect(flags.get('behind')?.enabled).toBe(false)
    expect(errorsWhileComputingFlags).toBe(false)
  })

  it('may have one member only', () => {
    expect(run(flag('self', { groups: [group([needs(1)])] }, { id: 1 })).flags.size).toBe(0)
  })
})

describe('a target that fails', () => {
  const poisoned = flag('base', { groups: 'not a list' }, { id: 1 })

  it('fails the flag whose answer depends on it', () => {
    expect(childOf(child(needs(1)), poisoned)).toMatchObject({
      enabled: false,
      failed: true,
      reason: { code: 'data_parsing_error' },
    })
  })

  it('leaves standing a result that does not', () => {
    const early = flag('child', { groups: [group([]), group([needs(1)])] }, { id: 9 })
    const late = flag('child', { groups: [group([needs(1)]), group([])] }, { id: 9 })
    const ruledOut = child(needs(1), person('p', 'exact', 'x'))
    expect(childOf(early, poisoned)).toMatchObject({ enabled: true, failed: false })
    expect(childOf(late, poisoned)).toMatchObject({
      enabled: true,
      failed: false,
      reason: { condition_index: 1 },
    })
    expect(childOf(ruledOut, poisoned)).toMatchObject({ enabled: false, failed: false })
  })

  it('cannot match an impossible value', () => {
    expect(childOf(child(needs(1, true), needs(1, false)), poisoned)?.failed).toBe(false)
    expect(childOf(child(needs(1, 'a'), needs(1, 'b')), poisoned)?.failed).toBe(false)
    expect(childOf(child(needs(1, true), needs(1, 'b')), poisoned)?.failed).toBe(true)
    expect(childOf(child(needs(1, 3)), poisoned)?.failed).toBe(false)
  })

  it('shows in the errors of the evaluation', () => {
    expect(run(child(needs(1)), poisoned).errorsWhileComputingFlags).toBe(true)
  })
})
