import { describe, expect, it } from 'vitest'
import { rolloutDraw } from '../../../src/evaluation/bucketing'
import { PLACEHOLDER } from '../../../src/flags/payloads'
import { open, property, variants, where } from '../../support/filters'
import { overwriteFlag } from '../../support/database/rows'
import { createTenant } from '../../support/tenant'
import { answered, lookedAt, matchedSet, missedSet, person, tested, UNMATCHED } from './support'

const AT_EXAMPLE = where(property({ operator: 'icontains', value: '@example.com' }))
const EMAIL = ['email', 'icontains', '@example.com', 'person'] as [string, string, string, string]
const HIT = lookedAt(EMAIL, true, 'Property \'email\' contains "@example.com"', 'ada@example.com')
const MISS = lookedAt(EMAIL, false, 'Property \'email\' does not contain "@example.com"')

/** Two ids of which only one is in the first half of a flag's rollout, by name and by draw. */
function splitIds(flagKey: string) {
  const isIn = (id: string) => rolloutDraw(`${flagKey}.`, id) <= 0.5
  const names = Array.from({ length: 50 }, (_, at) => `id-${at}`)
  return { inside: names.find(isIn)!, outside: names.find((id) => !isIn(id))! }
}

describe('POST test_evaluation', () => {
  it('returns result and reason for a distinct id', async () => {
    const tenant = await createTenant()
    await person(tenant, { email: 'ada@example.com', plan: 'free' }, 'user-1')
    const flag = await tenant.flag({
      key: 'beta',
      filters: { ...AT_EXAMPLE, payloads: { true: { size: 1 } } },
    })
    expect(await tested(tenant, flag, { distinct_id: 'user-1' })).toEqual(
      answered('beta', {
        payload: '{"size":1}',
        person_properties: { email: 'ada@example.com' },
        conditions: [matchedSet(0, { properties: [HIT] })],
      }),
    )
  })

  it('evaluates a person by uuid, in either case, without returning their ids', async () => {
    const tenant = await createTenant()
    const { uuid } = await person(tenant, { email: 'ada@example.com' }, 'user-1', 'anon')
    const flag = await tenant.flag({ key: 'beta', filters: AT_EXAMPLE })
    const response = answered('beta', {
      person_properties: { email: 'ada@example.com' },
      evaluation_distinct_id: null,
      conditions: [matchedSet(0, { properties: [HIT] })],
    })
    expect(await tested(tenant, flag, { person_id: uuid })).toEqual(response)
    expect(await tested(tenant, flag, { person_id: uuid.toUpperCase() })).toEqual(response)
    expect(await tested(tenant, flag, { person_id: uuid, timestamp: '2026-03-10T12:00:00Z' })).toMatchObject({
      status: 200,
      body: { evaluation_distinct_id: null },
    })
  })

  it('looks up a long distinct id by its first 200 characters, and returns it whole', async () => {
    const tenant = await createTenant()
    const known = 'x'.repeat(200)
    await person(tenant, { email: 'ada@example.com' }, known)
    const flag = await tenant.flag({ key: 'beta', filters: AT_EXAMPLE })
    expect(await tested(tenant, flag, { distinct_id: `${known}y` })).toEqual(
      answered('beta', {
        person_properties: { email: 'ada@example.com' },
        evaluation_distinct_id: `${known}y`,
        conditions: [matchedSet(0, { properties: [HIT] })],
      }),
    )
    const reasons = `/api/projects/${tenant.projectId}/feature_flags/evaluation_reasons/?distinct_id=${known}y`
    expect((await tenant.get(reasons)).body).toMatchObject({ beta: { value: true } })
  })

  it('buckets a person by the smallest of their distinct ids', async () => {
    const tenant = await createTenant()
    const { inside, outside } = splitIds('half')
    const flag = await tenant.flag({ key: 'half', filters: { groups: [{ rollout_percentage: 50 }] } })
    const first = await person(tenant, {}, `z${outside}`, inside)
    const second = await person(tenant, {}, outside, `z${inside}`)
    expect(await tested(tenant, flag, { person_id: first.uuid })).toEqual(
      answered('half', {
        evaluation_distinct_id: null,
        conditions: [
          matchedSet(0, {
            rollout_percentage: 50,
            explanation: 'Condition set 1 matched and passed 50% rollout',
          }),
        ],
      }),
    )
    const excluded = {
      result: false,
      reason: 'out_of_rollout_bound',
      reason_description: 'Out of rollout bound',
      conditions: [
        missedSet(0, {
          rollout_percentage: 50,
          properties_matched: true,
          rollout_excluded: true,
          explanation: 'Condition set 1 matched properties but was excluded by 50% rollout',
        }),
      ],
    }
    expect(await tested(tenant, flag, { person_id: second.uuid })).toEqual(
      answered('half', { ...excluded, evaluation_distinct_id: null }),
    )
    expect(await tested(tenant, flag, { distinct_id: outside })).toEqual(
      answered('half', { ...excluded, evaluation_distinct_id: outside }),
    )
  })

  it('evaluates an unknown distinct id without properties', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'beta', filters: AT_EXAMPLE })
    expect(await tested(tenant, flag, { distinct_id: 'nobody' })).toEqual(
      answered('beta', {
        ...UNMATCHED,
        evaluation_distinct_id: 'nobody',
        conditions: [missedSet(0, { properties: [MISS] })],
      }),
    )
    const everybody = await tenant.flag({ key: 'all', filters: open() })
    expect(await tested(tenant, everybody, { distinct_id: 'nobody' })).toEqual(
      answered('all', { evaluation_distinct_id: 'nobody' }),
    )
  })

  it('finds no person of another project', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const { uuid } = await person(other, { email: 'ada@example.com' }, 'user-1')
    const flag = await tenant.flag({ key: 'beta', filters: AT_EXAMPLE })
    expect(await tested(tenant, flag, { distinct_id: 'user-1' })).toEqual(
      answered('beta', { ...UNMATCHED, conditions: [missedSet(0, { properties: [MISS] })] }),
    )
    expect((await tested(tenant, flag, { person_id: uuid })).status).toBe(404)
  })

  it('shows only the person properties that the flag looks at', async () => {
    const tenant = await createTenant()
    await person(tenant, { email: 'ada@example.com', city: 'Oslo', plan: 'free' }, 'user-1')
    const plan = property({ key: 'plan', operator: 'exact', value: ['free', 'pro'] })
    const flag = await tenant.flag({ key: 'beta', filters: where(property({ operator: 'is_set' }), plan) })
    const { body } = await tested(tenant, flag, { distinct_id: 'user-1' })
    expect(body.person_properties).toEqual({ email: 'ada@example.com', plan: 'free' })
  })

  it('answers the variant and its payload, in the words that are stored', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({
      key: 'button',
      filters: variants({ red: 0, blue: 100 }, { payloads: { red: '0', blue: '{"hue": 240}' } }),
    })
    expect(await tested(tenant, flag, { distinct_id: 'user-1' })).toEqual(
      answered('button', { result: 'blue', payload: '{"hue": 240}' }),
    )
    const pinned = await tenant.flag({
      key: 'pinned',
      filters: { ...variants({ red: 0, blue: 100 }), groups: [{ variant: 'red', rollout_percentage: 100 }] },
    })
    expect(await tested(tenant, pinned, { distinct_id: 'user-1' })).toEqual(
      answered('pinned', { result: 'red', conditions: [matchedSet(0, { variant: 'red' })] }),
    )
  })

  it('answers an encrypted payload in the clear, or hides it when no key opens it any more', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({
      key: 'secret',
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: open({ payloads: { true: { token: 'x' } } }),
    })
    expect(await tested(tenant, flag, { distinct_id: 'user-1' })).toEqual(
      answered('secret', { payload: '{"token":"x"}' }),
    )
    await overwriteFlag(flag.id, { filters: { groups: [{}], payloads: { true: 'enc:gone:AAAA' } } })
    expect(await tested(tenant, flag, { distinct_id: 'user-1' })).toEqual(
      answered('secret', { payload: PLACEHOLDER }),
    )
  })

  it('reports that a flag is disabled', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'off', active: false, filters: open({ payloads: { true: '1' } }) })
    const off = answered('off', {
      result: false,
      reason: 'flag_disabled',
      reason_description: 'Feature flag is disabled',
      condition_index: null,
      conditions: [],
    })
    expect(await tested(tenant, flag, { distinct_id: 'user-1' })).toEqual(off)
    await tenant.patch(tenant.flags(flag.id), { archived: true })
    expect(await tested(tenant, flag, { distinct_id: 'user-1' })).toEqual(off)
  })

  it('does not find a deleted flag among those that are evaluated', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'gone', filters: open() })
    await tenant.patch(tenant.flags(flag.id), { deleted: true })
    expect(await tested(tenant, flag, { distinct_id: 'user-1' })).toEqual(
      answered('gone', {
        result: false,
        reason: 'flag_not_found',
        reason_description: null,
        condition_index: null,
        conditions: [],
      }),
    )
  })

  it.each(['client', 'server', 'all'])('evaluates a flag of the runtime %s all the same', async (runtime) => {
    const tenant = await createTenant()
    const flag = await tenant.flag({
      key: 'beta',
      evaluation_runtime: runtime,
      evaluation_contexts: ['web'],
      filters: open(),
    })
    expect(await tested(tenant, flag, { distinct_id: 'user-1' })).toEqual(answered('beta'))
  })

  it('takes null for a timestamp and unknown keys for nothing', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ key: 'beta', filters: open() })
    const body = { distinct_id: 'user-1', timestamp: null, groups: {}, colour: 'red' }
    expect(await tested(tenant, flag, body)).toEqual(answered('beta'))
  })
})
