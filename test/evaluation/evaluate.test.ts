import { describe, expect, it } from 'vitest'
import type { FlagDefinition } from '../../src/evaluation/compile/definitions'
import type { EvaluationOptions } from '../../src/evaluation/evaluate'
import { deviceIdOf, personPropertyMap } from '../../src/evaluation/property-maps'
import { describeReason } from '../../src/evaluation/explain/reasons'
import { evaluateSet, flag, flagSet, group, person, resultOf, subject } from './support'

const on = (id: number, key: string, rest: Partial<FlagDefinition> = {}) =>
  flag(key, { groups: [group([])] }, { id, ...rest })
const keys = (flags: readonly FlagDefinition[], options: Partial<EvaluationOptions>) => [
  ...evaluateSet(flagSet(flags), subject('u'), options).flags.keys(),
]

describe('which flags are evaluated', () => {
  it('leaves out inactive, archived, deleted and encrypted ones', () => {
    const flags = [
      on(1, 'on'),
      on(2, 'inactive', { active: false }),
      on(3, 'archived', { archived: true }),
      on(4, 'deleted', { deleted: true }),
      on(5, 'encrypted', { has_encrypted_payloads: true }),
    ]
    expect(keys(flags, {})).toEqual(['on'])
    expect(keys(flags, { includeEncrypted: true })).toEqual(['on', 'encrypted'])
    expect(keys(flags, { includeDisabled: true })).toEqual(['on', 'inactive', 'archived'])
    const { flags: results } = evaluateSet(flagSet(flags), subject('u'), { includeDisabled: true })
    expect(results.get('inactive')).toMatchObject({
      value: false,
      failed: false,
      reason: { code: 'flag_disabled', condition_index: null },
    })
  })

  it('asks where the caller runs', () => {
    const flags = [
      on(1, 'any'),
      on(2, 'all', { evaluation_runtime: 'all' }),
      on(3, 'client', { evaluation_runtime: 'client' }),
      on(4, 'server', { evaluation_runtime: 'server' }),
      on(5, 'odd', { evaluation_runtime: 'fridge' }),
    ]
    expect(keys(flags, {})).toHaveLength(5)
    expect(keys(flags, { runtime: 'client' })).toEqual(['any', 'all', 'client', 'odd'])
    expect(keys(flags, { runtime: 'server' })).toEqual(['any', 'all', 'server', 'odd'])
    expect(keys(flags, { runtime: 'unknown' })).toEqual(['any', 'all', 'odd'])
  })

  it('requires a common context', () => {
    const flags = [on(1, 'any'), on(2, 'web', { evaluation_contexts: ['web', 'app'] })]
    expect(keys(flags, { evaluationContexts: new Set() })).toEqual(['any', 'web'])
    expect(keys(flags, { evaluationContexts: new Set(['app']) })).toEqual(['any', 'web'])
    expect(keys(flags, { evaluationContexts: new Set(['Web']) })).toEqual(['any'])
  })

  it('takes the keys it is given, which let in nothing that is left out', () => {
    const flags = [on(1, 'a'), on(2, 'b'), on(3, 'off', { active: false })]
    expect(keys(flags, { flagKeys: ['b', 'off', 'unknown'] })).toEqual(['b'])
    expect(keys(flags, { flagKeys: [] })).toEqual([])
    expect(keys(flags, { flagKeys: null })).toEqual(['a', 'b'])
  })
})

describe('a flag that does not parse', () => {
  const broken: readonly (readonly [string, unknown])[] = [
    ['filters that are no object', 'oops'],
    ['groups that are no list', { groups: {} }],
    ['an unknown operator', { groups: [group([person('p', 'max', 1)])] }],
    ['an unknown property type', { groups: [group([{ key: 'p', type: 'event', value: 1 }])] }],
    ['a property without a key', { groups: [group([{ type: 'person', value: 1 }])] }],
    ['a rollout that is no number', { groups: [{ rollout_percentage: '50' }] }],
    ['a dependency by key', { groups: [group([{ key: 'other', type: 'flag', value: true }])] }],
    ['a variant without a key', { groups: [], multivariate: { variants: [{}] } }],
  ]

  it.each(broken)('fails alone: %s', (_, filters) => {
    const { flags, errorsWhileComputingFlags } = evaluateSet(
      flagSet([flag('bad', filters), on(2, 'good')]),
      subject('u'),
    )
    expect(flags.get('good')?.enabled).toBe(true)
    expect(flags.get('bad')).toMatchObject({
      enabled: false,
      failed: true,
      reason: { code: 'data_parsing_error' },
    })
    expect(errorsWhileComputingFlags).toBe(true)
  })

  it('does not fail while it is inactive', () => {
    const { flags, errorsWhileComputingFlags } = evaluateSet(
      flagSet([flag('bad', 1, { active: false })]),
      subject('u'),
    )
    expect(flags.size).toBe(0)
    expect(errorsWhileComputingFlags).toBe(false)
  })
})

describe('odd names', () => {
  it('are names like any other', () => {
    const odd = flag('__proto__', {
      groups: [group([person('constructor', 'is_not_set')])],
      payloads: { true: '1' },
      multivariate: { variants: [{ key: 'toString', rollout_percentage: 100 }] },
    })
    expect(resultOf(odd, subject('u'))).toMatchObject({ value: 'toString', payload: null, hasPayload: false })
  })
})

describe('personPropertyMap', () => {
  it('overlays sent properties, and derives others from them', () => {
    expect(
      personPropertyMap(
        { plan: 'free', $os: 'iOS', utm_source: 'mail', $initial_browser: 'Safari' },
        { plan: null, $browser: 'Chrome' },
        'user-1',
      ),
    ).toEqual({
      plan: null,
      $os: 'iOS',
      $os_name: 'iOS',
      $initial_os: 'iOS',
      utm_source: 'mail',
      $initial_utm_source: 'mail',
      $browser: 'Chrome',
      $initial_browser: 'Safari',
      distinct_id: 'user-1',
    })
  })

  it("keeps the caller's properties", () => {
    const map = personPropertyMap({}, { distinct_id: 'mine', $os_name: 'a', $os: 'b' }, 'user-1')
    expect(map).toMatchObject({ distinct_id: 'mine', $os_name: 'a', $os: 'b' })
  })
})

describe('deviceIdOf', () => {
  it('prefers the field of the request, and ignores blank texts', () => {
    expect(deviceIdOf('phone', { $device_id: 'laptop' })).toBe('phone')
    expect(deviceIdOf('', { $device_id: 'laptop' })).toBe('laptop')
    expect(deviceIdOf(undefined, { $device_id: 5 })).toBe('5')
    expect(deviceIdOf(0.000001, {})).toBe('1e-6')
    expect(deviceIdOf(undefined, { $device_id: [5] })).toBeNull()
  })
})

describe('describeReason', () => {
  it('counts conditions from one', () => {
    expect(describeReason(resultOf(on(1, 'f'), subject('u')))).toBe('Matched condition set 1')
    expect(describeReason(resultOf(flag('f', { groups: [] }), subject('u')))).toBe(
      'The flag has no condition sets',
    )
    expect(describeReason(resultOf(flag('f', 1), subject('u')))).toBeNull()
  })
})
