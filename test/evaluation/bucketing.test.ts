import { describe, expect, it } from 'vitest'
import { cutIdentifier } from '../../src/evaluation/bucketing'
import { flag, group, person, resultOf, subject } from './support'

const coin = {
  groups: [group([])],
  multivariate: {
    variants: [
      { key: 'heads', rollout_percentage: 50 },
      { key: 'tails', rollout_percentage: 50 },
    ],
  },
}

const drawn = (id: string) => resultOf(flag('f', coin), subject(id)).value

const pinned = (variant: string) => flag('f', { ...coin, groups: [group([], { variant })] })

const atPercentage = (rollout_percentage?: number | null) =>
  resultOf(flag('f', { groups: [{ properties: [], rollout_percentage }] }), subject('user-1')).enabled

const held = (exclusion_percentage: number, rest = {}) =>
  flag('f', {
    ...coin,
    holdout: { id: 7, exclusion_percentage },
    payloads: { 'holdout-7': '7', true: '1' },
    ...rest,
  })

const withoutDevice = (filters: unknown) =>
  resultOf(flag('f', filters, { bucketing_identifier: 'device_id' }), subject('user-1')).reason

const payloadOf = (payloads: unknown, filters: object = {}) =>
  resultOf(flag('f', { ...filters, groups: [group([])], payloads }), subject('user-1'))

describe('rollout', () => {
  it('is missed at 0 and never at 100, above 100, or without a percentage', () => {
    expect([0, 100, 250, null, undefined, -1].map(atPercentage)).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ])
  })

  it('includes an empty identifier even at 0, and gives it the first variant', () => {
    const none = flag('f', { ...coin, groups: [group([], { rollout_percentage: 0 })] })
    expect(resultOf(none, subject('')).value).toBe('heads')
  })

  it('goes by the first 200 Unicode scalar values', () => {
    const long = '😀'.repeat(200)
    expect([long, `${long}x`, `${long}😀`, '', 'x'].map(cutIdentifier)).toEqual([long, long, long, '', 'x'])
  })
})

describe('variants', () => {
  it('follow a valid override, and ignore one that names no variant', () => {
    expect(resultOf(pinned('tails'), subject('user-1')).variant).toBe('tails')
    expect(resultOf(pinned('heads'), subject('user-1')).variant).toBe('heads')
    expect(resultOf(pinned('Heads'), subject('user-1')).variant).toBe(drawn('user-1'))
  })

  it('leave a boolean where the weights leave a gap', () => {
    const gap = {
      ...coin,
      multivariate: { variants: [{ key: 'only', rollout_percentage: 0 }] },
      payloads: { true: '1' },
    }
    expect(resultOf(flag('f', gap), subject('user-1'))).toMatchObject({
      value: true,
      variant: null,
      payload: '1',
    })
  })

  it('mean nothing when there are none', () => {
    const boolean = { groups: [group([], { variant: 'ghost' })], multivariate: { variants: [] } }
    expect(resultOf(flag('f', boolean), subject('user-1')).value).toBe(true)
  })
})

describe('holdout', () => {
  it('takes its share before any condition', () => {
    expect(
      resultOf(held(100, { groups: [group([], { rollout_percentage: 0 })] }), subject('user-1')),
    ).toMatchObject({
      value: 'holdout-7',
      enabled: true,
      variant: 'holdout-7',
      reason: { code: 'holdout_condition_value', condition_index: null },
      payload: '7',
    })
  })

  it('clamps its percentage and leaves the others alone', () => {
    expect(resultOf(held(-5), subject('user-1')).reason.code).toBe('condition_match')
    expect(resultOf(held(500), subject('user-1')).reason.code).toBe('holdout_condition_value')
  })

  it('hashes an empty identifier, where a rollout does not', () => {
    expect(resultOf(held(92), subject('')).reason.code).toBe('condition_match')
    expect(resultOf(held(93), subject('')).reason.code).toBe('holdout_condition_value')
  })

  it('comes before the question whether there is a group', () => {
    const grouped = held(93, { aggregation_group_type_index: 0 })
    expect(resultOf(grouped, subject('user-1')).reason.code).toBe('holdout_condition_value')
  })
})

describe('feature enrollment', () => {
  const enrolling = flag('f', {
    groups: [group([], { rollout_percentage: 0 })],
    feature_enrollment: true,
    holdout: { id: 1, exclusion_percentage: 100 },
    payloads: { true: '"in"' },
  })
  const result = (value: never) =>
    resultOf(enrolling, subject('u', { personProperties: { '$feature_enrollment/f': value } }))

  it.each([
    [true, true],
    ['true', true],
    ['True', false],
    [1, false],
    [['true'], false],
    [false, false],
    [null, false],
  ])('%j decides: %s', (value, enabled) => {
    expect(result(value as never)).toMatchObject({
      enabled,
      variant: null,
      reason: { code: 'super_condition_value', condition_index: 0 },
      payload: '"in"',
    })
  })

  it('decides nothing when the property is absent', () => {
    expect(resultOf(enrolling, subject('u')).reason.code).toBe('holdout_condition_value')
  })
})

describe('identifiers', () => {
  const ids = Array.from({ length: 40 }, (_, index) => `user-${index}`)

  it('are device ids for flags that bucket by device', () => {
    const byDevice = flag('f', coin, { bucketing_identifier: 'device_id' })
    for (const id of ids) expect(resultOf(byDevice, subject('u', { deviceId: id })).value).toBe(drawn(id))
  })

  it('skip what would need a device id that is not known', () => {
    const whole = { groups: [group([], { rollout_percentage: 50 }), group([])], early_exit: true }
    expect(withoutDevice(whole)).toEqual({ code: 'condition_match', condition_index: 1 })
    expect(withoutDevice(coin)).toEqual({ code: 'out_of_rollout_bound', condition_index: 0 })
    expect(withoutDevice({ ...coin, groups: [group([], { variant: 'tails' })] }).code).toBe('condition_match')
    expect(withoutDevice({ groups: [group([person('p', 'exact', 'x')])] }).code).toBe('no_condition_match')
  })

  it('stay those of the anonymous person while continuity is on', () => {
    const continuous = flag('f', coin, { ensure_experience_continuity: true })
    for (const id of ids) {
      expect(resultOf(continuous, subject('u', { anonDistinctId: id })).value).toBe(drawn(id))
      const stored = { anonDistinctId: 'other', continuityOverrides: new Map([['f', id]]) }
      expect(resultOf(continuous, subject('u', stored)).value).toBe(drawn(id))
      expect(resultOf(flag('f', coin), subject(id, stored)).value).toBe(drawn(id))
    }
  })
})

describe('reasons', () => {
  const miss = group([person('p', 'exact', 'x')])
  const out = group([], { rollout_percentage: 0 })

  it.each([
    [[], 'no_group_type', null],
    [[miss, miss, miss], 'no_condition_match', 2],
    [[out, miss], 'out_of_rollout_bound', 0],
    [[miss, out, miss, out], 'out_of_rollout_bound', 3],
    [[miss, group([])], 'condition_match', 1],
  ])('rank: %j', (groups, code, condition_index) => {
    expect(resultOf(flag('f', { groups }), subject('u')).reason).toEqual({ code, condition_index })
  })

  it('end with the first rollout that misses when the flag exits early', () => {
    const groups = [miss, out, group([])]
    expect(resultOf(flag('f', { groups, early_exit: true }), subject('u')).reason.condition_index).toBe(1)
    expect(resultOf(flag('f', { groups, early_exit: null }), subject('u')).reason.condition_index).toBe(2)
  })
})

describe('payloads', () => {
  it('belong to the value that was given, and to no other', () => {
    expect(payloadOf({ true: 0 })).toMatchObject({ payload: 0, hasPayload: true })
    expect(payloadOf({ true: null })).toMatchObject({ payload: null, hasPayload: true })
    expect(payloadOf({ other: '1' })).toMatchObject({ payload: null, hasPayload: false })
    expect(payloadOf({ true: '1' }, coin)).toMatchObject({ payload: null, hasPayload: false })
  })
})
