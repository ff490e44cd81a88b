// OpenFeature's remote evaluation protocol: one flag and all flags, with every status and error code that it knows.
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { groupIdentify, sendBatch } from '../support/capture'
import { seen } from '../support/answers'
import { open, property, variants, where } from '../support/filters'
import { createHarness } from '../support/harness'
import { configureProject } from '../support/rows'
import { createTenant, type Tenant } from '../support/tenant'
import { fragile, publishSilently } from './flags-support'

const BULK = '/ofrep/v1/evaluate/flags'
const ADA = { targetingKey: 'ada', email: 'ada@example.com' }

const bearer = ({ projectToken }: Tenant) => ({ Authorization: `Bearer ${projectToken}` })
const resolve = (tenant: Tenant, key: string, context: unknown = ADA, headers: Record<string, string> = {}) =>
  tenant.send('POST', `${BULK}/${key}`, { body: { context }, headers: { ...bearer(tenant), ...headers } })
const resolveAll = (tenant: Tenant, context: unknown = ADA, headers: Record<string, string> = {}) =>
  tenant.send('POST', BULK, { body: { context }, headers: { ...bearer(tenant), ...headers } })

afterEach(() => vi.restoreAllMocks())

/** A project with a flag of each kind, on for ada and off for others, and one that is off for everybody. */
async function createShop() {
  const tenant = await createTenant()
  const forAda = where(property({ operator: 'icontains', value: 'ada@' }))
  const ids = {
    beta: await tenant.flag({ key: 'beta', filters: { ...forAda, payloads: { true: { color: 'blue' } } } }),
    colour: await tenant.flag({ key: 'colour', filters: { ...variants({ green: 100 }), ...forAda } }),
    limits: await tenant.flag({
      key: 'limits',
      is_remote_configuration: true,
      filters: { ...forAda, payloads: { true: { seats: 3 } } },
    }),
    never: await tenant.flag({
      key: 'never',
      filters: { groups: [{ properties: [], rollout_percentage: 0 }] },
    }),
  }
  await tenant.flag({ key: 'off', active: false, filters: open() })
  await tenant.flag({ key: 'off-colour', active: false, filters: variants({ green: 100 }) })
  return {
    tenant,
    metadata: (key: keyof typeof ids, reason: string, rest: object = {}) => ({
      reason,
      flagId: ids[key].id,
      version: 1,
      ...rest,
    }),
  }
}

describe('POST /ofrep/v1/evaluate/flags/:key', () => {
  it('resolves a boolean, a variant, and a remote configuration to its payload', async () => {
    const { tenant, metadata } = await createShop()
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
      ['off', { value: false, reason: 'DISABLED', metadata: {} }],
      ['off-colour', { reason: 'DISABLED', metadata: {} }],
    ] as const) {
      for (const path of [key, `${key}/`]) {
        expect(seen(await resolve(tenant, path))).toEqual({ status: 200, body: { key, ...resolution } })
      }
    }
  })

  it('leaves it to the application what a flag that is off is, unless that is boolean', async () => {
    const { tenant, metadata } = await createShop()
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

  it('leaves those in a holdout with what was there before', async () => {
    const tenant = await createTenant()
    const holdout = { id: 3, exclusion_percentage: 100 }
    await tenant.flag({ key: 'simple', filters: open({ holdout }) })
    await tenant.flag({ key: 'colour', filters: variants({ green: 100 }, { holdout }) })
    const { flags } = (await resolveAll(tenant)).body
    const common = { variant: 'holdout-3', reason: 'SPLIT', metadata: expect.anything() }
    expect(flags).toEqual([
      { key: 'simple', value: false, ...common },
      { key: 'colour', ...common },
    ])
  })

  it('costs no round trip when what the flag looks at is in the context, however many others there are', async () => {
    const { tenant } = await createShop()
    await tenant.flag({ key: 'other', filters: where(property({ key: 'unsent' })) })
    await resolve(tenant, 'beta')
    expect((await resolve(tenant, 'beta')).line).toMatchObject({ d1_round_trips: 0, d1_rows_read: 0 })
    expect((await resolve(tenant, 'beta', { targetingKey: 'ada' })).line.d1_round_trips).toBe(1)
    expect((await resolveAll(tenant)).line.d1_round_trips).toBe(1)
  })

  it('merges what is stored of the person, and takes groups from the context', async () => {
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

  it('does not show flags that are not meant for where the caller runs', async () => {
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
  it('resolves every flag that is on duty', async () => {
    const { tenant, metadata } = await createShop()
    const answer = await resolveAll(tenant)
    expect(seen(answer)).toEqual({
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
        ],
        metadata: { generation: expect.any(Number) },
      },
    })
  })

  it('spares whoever has the same answer, until it changes', async () => {
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
    const { tenant } = await createShop()
    const { headers } = await resolveAll(tenant, ADA, { Origin: 'https://shop.example' })
    expect(headers.get('Access-Control-Expose-Headers')).toContain('ETag')
  })
})

describe('an evaluation that fails', () => {
  it('names the error of one flag, and of the whole', async () => {
    const { tenant } = await createShop()
    const errors: [unknown, string][] = [
      [[], 'INVALID_CONTEXT'],
      [null, 'INVALID_CONTEXT'],
      ['ada', 'INVALID_CONTEXT'],
      [{}, 'TARGETING_KEY_MISSING'],
      [{ targetingKey: '' }, 'TARGETING_KEY_MISSING'],
      [{ targetingKey: 7 }, 'TARGETING_KEY_MISSING'],
    ]
    for (const [context, errorCode] of errors) {
      const failure = { errorCode, errorDetails: expect.any(String) }
      expect(seen(await resolve(tenant, 'beta', context))).toEqual({
        status: 400,
        body: { key: 'beta', ...failure },
      })
      expect(seen(await resolveAll(tenant, context))).toEqual({ status: 400, body: failure })
    }
    for (const raw of ['{', '', '{"context": ']) {
      const failure = { errorCode: 'PARSE_ERROR', errorDetails: expect.any(String) }
      const send = (path: string) => tenant.send('POST', path, { raw, headers: bearer(tenant) })
      expect(seen(await send(`${BULK}/beta`))).toEqual({ status: 400, body: { key: 'beta', ...failure } })
      expect(seen(await send(BULK))).toEqual({ status: 400, body: failure })
    }
  })

  it('is a 404 for a flag that is not there, and a 401 without a token that is known', async () => {
    const { tenant } = await createShop()
    expect(seen(await resolve(tenant, 'nosuch'))).toEqual({
      status: 404,
      body: { key: 'nosuch', errorCode: 'FLAG_NOT_FOUND', errorDetails: expect.any(String) },
    })
    for (const path of [BULK, `${BULK}/beta`]) {
      for (const headers of [{}, { Authorization: 'Bearer phc_nobody' }, { 'X-API-Key': 'phc_nobody' }]) {
        const { status, body } = await tenant.send('POST', path, {
          body: { context: ADA },
          headers: headers as Record<string, string>,
        })
        expect([status, body.type]).toEqual([401, 'authentication_error'])
      }
      const headers = { 'X-API-Key': tenant.projectToken }
      expect(await tenant.send('POST', path, { body: { context: ADA }, headers })).toMatchObject({
        status: 200,
      })
    }
  })

  it('concerns a poisoned flag alone', async () => {
    const { tenant } = await createShop()
    const { id } = await tenant.flag({ key: 'poisoned', filters: open() })
    await env.DB.prepare('UPDATE feature_flags SET filters = ? WHERE id = ?').bind('{', id).run()
    await publishSilently(tenant)
    const failure = {
      key: 'poisoned',
      errorCode: 'GENERAL',
      errorDetails: 'The flag could not be evaluated: data_parsing_error',
    }
    expect(seen(await resolve(tenant, 'poisoned'))).toEqual({ status: 400, body: failure })
    const { status, body } = await resolveAll(tenant)
    expect([status, body.flags.length, body.flags.at(-1)]).toEqual([200, 5, failure])
  })

  it('concerns flags that need storage alone while that is away', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const d1 = fragile(env.DB)
    const tenant = await createTenant({ harness: createHarness({ bindings: { DB: d1.d1 } }) })
    await tenant.flag({ key: 'beta', filters: where(property({ value: 'ada@example.com' })) })
    await tenant.flag({ key: 'open', filters: open() })
    await resolveAll(tenant)
    d1.break()
    const failure = {
      key: 'beta',
      errorCode: 'GENERAL',
      errorDetails: 'The flag could not be evaluated: database_unavailable',
    }
    const someone = { targetingKey: 'ada' }
    expect(seen(await resolve(tenant, 'beta', someone))).toEqual({ status: 400, body: failure })
    expect((await resolve(tenant, 'open', someone)).body.value).toBe(true)
    expect((await resolve(tenant, 'beta')).body.value).toBe(true)
    expect((await resolveAll(tenant, someone)).body.flags).toMatchObject([
      failure,
      { key: 'open', value: true },
    ])
  })

  it('is a 429 when the quota is used up', async () => {
    const { tenant } = await createShop()
    await configureProject(tenant, { quotaLimited: ['feature_flags'] })
    await publishSilently(tenant)
    for (const answer of [await resolve(tenant, 'beta'), await resolveAll(tenant)]) {
      expect(seen(answer)).toEqual({
        status: 429,
        body: {
          type: 'throttled_error',
          code: 'quota_limited',
          detail: 'The project has used up its flag evaluations.',
          attr: null,
        },
      })
      expect(answer.headers.get('Retry-After')).toBe('60')
    }
  })
})
