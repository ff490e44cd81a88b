// OpenFeature's remote evaluation protocol: how one flag and all flags are resolved. ofrep-errors.test.ts has what fails.
import { beforeAll, describe, expect, it } from 'vitest'
import { seen } from '../support/responses'
import { groupIdentify, sendBatch } from '../support/capture'
import { open, property, variants, where } from '../support/filters'
import { createTenant } from '../support/tenant'
import { ADA, createShop, resolve, resolveAll } from './ofrep-shop'

let shop: Awaited<ReturnType<typeof createShop>>
beforeAll(async () => {
  shop = await createShop()
})

describe('POST /ofrep/v1/evaluate/flags/:key', () => {
  it('resolves a boolean, a variant, and a remote configuration to its payload', async () => {
    const { tenant, metadata } = shop
    for (const [key, resolution] of [
      [
        'beta',
        {
          value: true,
          reason: 'TARGETING_MATCH',
          metadata: metadata('beta', 'condition_match', { payload: '{"color":"blue"}' }),
        },
      ],
      [
        'colour',
        {
          value: 'green',
          variant: 'green',
          reason: 'SPLIT',
          metadata: metadata('colour', 'condition_match'),
        },
      ],
      [
        'limits',
        {
          value: { seats: 3 },
          reason: 'TARGETING_MATCH',
          metadata: metadata('limits', 'condition_match', { payload: '{"seats":3}' }),
        },
      ],
      ['never', { value: false, reason: 'SPLIT', metadata: metadata('never', 'out_of_rollout_bound') }],
      ['off', { value: false, reason: 'DISABLED', metadata: metadata('off', 'flag_disabled') }],
      ['off-colour', { reason: 'DISABLED', metadata: metadata('off-colour', 'flag_disabled') }],
    ] as const) {
      for (const path of [key, `${key}/`]) {
        expect(seen(await resolve(tenant, path))).toEqual({ status: 200, body: { key, ...resolution } })
      }
    }
  })

  it('returns no value for a flag that is off, unless it is boolean', async () => {
    const { tenant, metadata } = shop
    const bob = { targetingKey: 'bob', email: 'bob@example.com' }
    for (const key of ['colour', 'limits'] as const) {
      expect((await resolve(tenant, key, bob)).body).toEqual({
        key,
        reason: 'DEFAULT',
        metadata: metadata(key, 'no_condition_match'),
      })
    }
    expect((await resolve(tenant, 'beta', bob)).body).toMatchObject({ value: false, reason: 'DEFAULT' })
  })

  it('gives the reason SPLIT for a boolean where a percentage decided', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'most', filters: { groups: [{ properties: [], rollout_percentage: 99 }] } })
    expect((await resolve(tenant, 'most')).body).toMatchObject({ value: true, reason: 'SPLIT' })
  })

  it('returns no holdout variant', async () => {
    const tenant = await createTenant()
    const holdout = { id: 3, exclusion_percentage: 100 }
    await tenant.flag({ key: 'simple', filters: open({ holdout }) })
    await tenant.flag({ key: 'colour', filters: variants({ green: 100 }, { holdout }) })
    const { flags } = (await resolveAll(tenant)).body
    const common = { reason: 'SPLIT', metadata: expect.anything() }
    expect(flags).toEqual([
      { key: 'simple', value: false, ...common },
      { key: 'colour', ...common },
    ])
  })

  it('costs no round trip when the context has all properties of the flag', async () => {
    const { tenant } = await createShop()
    await tenant.flag({ key: 'other', filters: where(property({ key: 'unsent' })) })
    await resolve(tenant, 'beta')
    expect((await resolve(tenant, 'beta')).line).toMatchObject({ d1_round_trips: 0, d1_rows_read: 0 })
    expect((await resolve(tenant, 'beta', { targetingKey: 'ada' })).line.d1_round_trips).toBe(1)
    expect((await resolveAll(tenant)).line.d1_round_trips).toBe(1)
  })

  it('merges stored properties of the person, and takes groups from the context', async () => {
    const { tenant } = await createShop()
    await sendBatch(tenant, [
      { event: '$set', distinct_id: 'eve', properties: { $set: { email: 'ada@elsewhere' } } },
      groupIdentify('company', 'acme', { plan: 'paid' }),
    ])
    await tenant.flag({
      key: 'paid',
      filters: {
        ...where(property({ key: 'plan', type: 'group', group_type_index: 0, value: 'paid' })),
        aggregation_group_type_index: 0,
      },
    })
    expect((await resolve(tenant, 'beta', { targetingKey: 'eve' })).body.value).toBe(true)
    expect((await resolve(tenant, 'beta', { targetingKey: 'eve', email: 'x' })).body.value).toBe(false)
    expect((await resolve(tenant, 'paid', { ...ADA, groups: { company: 'acme' } })).body.value).toBe(true)
    expect((await resolve(tenant, 'paid')).body).toMatchObject({
      value: false,
      metadata: { reason: 'no_group_type' },
    })
  })

  it('does not show flags of another runtime', async () => {
    const { tenant } = await createShop()
    await tenant.flag({ key: 'server', evaluation_runtime: 'server', filters: open() })
    const fromPage = { Origin: 'https://shop.example' }
    expect((await resolve(tenant, 'server', ADA, fromPage)).status).toBe(404)
    expect((await resolve(tenant, 'server', ADA, { 'User-Agent': 'posthog-node/5' })).status).toBe(200)
    // Generic providers tell nothing by their headers, so the context may.
    expect((await resolve(tenant, 'server')).status).toBe(404)
    expect((await resolve(tenant, 'server', { ...ADA, evaluation_runtime: 'server' })).status).toBe(200)
    await tenant.flag({ key: 'docs', evaluation_contexts: ['docs'], filters: open() })
    expect((await resolve(tenant, 'docs')).status).toBe(200)
    expect((await resolve(tenant, 'docs', { ...ADA, evaluation_contexts: ['shop'] })).status).toBe(404)
  })
})

describe('POST /ofrep/v1/evaluate/flags', () => {
  it('resolves every flag, inactive ones as for one flag', async () => {
    const { tenant, metadata } = shop
    const response = await resolveAll(tenant)
    expect(seen(response)).toEqual({
      status: 200,
      body: {
        flags: [
          {
            key: 'beta',
            value: true,
            reason: 'TARGETING_MATCH',
            metadata: metadata('beta', 'condition_match', { payload: '{"color":"blue"}' }),
          },
          {
            key: 'colour',
            value: 'green',
            variant: 'green',
            reason: 'SPLIT',
            metadata: metadata('colour', 'condition_match'),
          },
          {
            key: 'limits',
            value: { seats: 3 },
            reason: 'TARGETING_MATCH',
            metadata: metadata('limits', 'condition_match', { payload: '{"seats":3}' }),
          },
          {
            key: 'never',
            value: false,
            reason: 'SPLIT',
            metadata: metadata('never', 'out_of_rollout_bound'),
          },
          { key: 'off', value: false, reason: 'DISABLED', metadata: metadata('off', 'flag_disabled') },
          { key: 'off-colour', reason: 'DISABLED', metadata: metadata('off-colour', 'flag_disabled') },
        ],
        metadata: { generation: expect.any(Number) },
        eventStreams: [expect.objectContaining({ type: 'sse' })],
      },
    })
  })

  it('agrees with the response for one flag, for every flag and caller', async () => {
    const { tenant } = await createShop()
    await tenant.flag({ key: 'server-off', active: false, evaluation_runtime: 'server', filters: open() })
    await tenant.flag({ key: 'docs-off', active: false, evaluation_contexts: ['docs'], filters: open() })
    await tenant.flag({ key: 'gone', archived: true, active: false, filters: open() })
    const unsent = where(property({ key: 'unsent' }))
    await tenant.flag({ key: 'unsent-off', active: false, filters: unsent })
    const keys = (await tenant.get(tenant.flags())).body.results.map(({ key }: { key: string }) => key)
    await resolveAll(tenant)
    for (const context of [
      ADA,
      { ...ADA, evaluation_runtime: 'server' },
      { ...ADA, evaluation_runtime: 'client', evaluation_contexts: ['shop'] },
    ]) {
      const { body, line } = await resolveAll(tenant, context)
      expect(line).toMatchObject({ d1_round_trips: 0 })
      const bulk = new Map(body.flags.map((each: { key: string }) => [each.key, each]))
      for (const key of keys) {
        const single = await resolve(tenant, key, context)
        expect(bulk.get(key) ?? 404).toEqual(single.status === 404 ? 404 : single.body)
      }
    }
  })

  it('responds with 304 to the current tag', async () => {
    const { tenant } = await createShop()
    const first = await resolveAll(tenant)
    const etag = first.headers.get('ETag')!
    expect(etag).toMatch(/^W\/"[\da-f]{32}"$/)
    const again = await resolveAll(tenant, ADA, { 'If-None-Match': etag })
    expect(seen(again)).toEqual({ status: 304, body: null })
    expect(again.headers.get('ETag')).toBe(etag)
    const bob = await resolveAll(tenant, { targetingKey: 'bob', email: 'b' }, { 'If-None-Match': etag })
    expect(bob.status).toBe(200)
    await tenant.flag({ key: 'new', filters: open() })
    expect((await resolveAll(tenant, ADA, { 'If-None-Match': etag })).status).toBe(200)
  })

  it('lets pages of other origins read the tag', async () => {
    const { tenant } = shop
    const { headers } = await resolveAll(tenant, ADA, { Origin: 'https://shop.example' })
    expect(headers.get('Access-Control-Expose-Headers')).toContain('ETag')
  })
})
