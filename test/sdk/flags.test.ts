// Forms of the response of `/flags` and `/decide`: docs/reference/evaluation.md#forms-of-the-response.
import { beforeAll, describe, expect, it } from 'vitest'
import { seen } from '../support/responses'
import { configureProject } from '../support/database/rows'
import { createTenant } from '../support/tenant'
import { ask, publishSilently, valuesOf } from './flags-support'
import { ADA, CONFIG, createShop, DETAILED, ENVELOPE, PAYLOADS, VALUES } from './shop'

describe('the form of a response', () => {
  let shop: Awaited<ReturnType<typeof createShop>>
  beforeAll(async () => {
    shop = await createShop()
  })

  it.each([
    '/flags/?v=2',
    '/flags?v=2',
    '/flags/?v=3',
    '/flags/?v=10&config=false',
    '/decide/?v=4',
    '/decide?v=5',
  ])('has a record of every flag: %s', async (path) => {
    const { tenant, flags } = shop
    const response = await ask(tenant, ADA, path)
    expect(seen(response)).toEqual({
      status: 200,
      body: { errorsWhileComputingFlags: false, flags: DETAILED(flags), ...ENVELOPE(tenant) },
    })
  })

  it.each([
    '/flags/?v=1',
    '/flags/?v=0',
    '/flags/?v=',
    '/flags/?v=two',
    '/flags/?v=2.5',
    '/flags/?v=-2',
    '/flags/?config=0',
    '/decide/?v=3',
  ])('has maps of values and payloads: %s', async (path) => {
    const { tenant } = shop
    expect(seen(await ask(tenant, ADA, path))).toEqual({
      status: 200,
      body: {
        errorsWhileComputingFlags: false,
        featureFlags: VALUES,
        featureFlagPayloads: PAYLOADS,
        ...ENVELOPE(tenant),
      },
    })
  })

  it('has only flags that are on, in the oldest versions', async () => {
    const { tenant } = shop
    const common = { errorsWhileComputingFlags: false, ...ENVELOPE(tenant) }
    expect((await ask(tenant, ADA, '/decide/?v=2')).body).toEqual({
      ...common,
      featureFlags: { beta: true, colour: 'green' },
    })
    for (const path of ['/decide/', '/decide', '/decide/?v=1', '/decide/?v=nonsense']) {
      expect((await ask(tenant, ADA, path)).body).toEqual({ ...common, featureFlags: ['beta', 'colour'] })
    }
  })

  it('has the configuration on request, or without any parameter', async () => {
    const { tenant, flags } = shop
    for (const path of [
      '/flags/',
      '/flags',
      '/flags/?v=2&config=true',
      '/flags/?v=2&config',
      '/flags/?v=2&config=1',
    ]) {
      const { body } = await ask(tenant, ADA, path)
      expect(body).toMatchObject({ flags: DETAILED(flags), ...CONFIG })
    }
    expect((await ask(tenant, ADA, '/flags/?config=true')).body).toMatchObject({
      featureFlags: VALUES,
      ...CONFIG,
    })
    for (const no of ['false', '0', 'no', 'OFF']) {
      expect((await ask(tenant, ADA, `/flags/?v=2&config=${no}`)).body).not.toHaveProperty(
        'supportedCompression',
      )
    }
  })

  it('is empty when flags are disabled, in every version', async () => {
    const { tenant } = shop
    const common = { errorsWhileComputingFlags: false, ...ENVELOPE(tenant) }
    for (const [path, empty] of [
      ['/flags/?v=2', { flags: {} }],
      ['/flags/?v=1', { featureFlags: {}, featureFlagPayloads: {} }],
      ['/decide/?v=2', { featureFlags: {} }],
      ['/decide/', { featureFlags: [] }],
    ] as const) {
      for (const word of [true, 'true', 'True', 1])
        expect((await ask(tenant, { disable_flags: word }, path)).body).toEqual({ ...common, ...empty })
      expect((await ask(tenant, { disable_flags: false }, path)).body).not.toEqual({ ...common, ...empty })
    }
  })

  it('is empty with `quotaLimited` over the quota, and complete afterwards', async () => {
    const { tenant } = await createShop()
    await configureProject(tenant, { quotaLimited: ['feature_flags'] })
    await publishSilently(tenant)
    const quotaLimited = ['feature_flags']
    expect((await ask(tenant, ADA)).body).toEqual({
      errorsWhileComputingFlags: false,
      flags: {},
      quotaLimited,
      ...ENVELOPE(tenant),
    })
    expect((await ask(tenant, ADA, '/decide/?v=3')).body).toMatchObject({ featureFlags: {}, quotaLimited })
    await configureProject(tenant, { quotaLimited: ['events'] })
    await publishSilently(tenant)
    expect(valuesOf(await ask(tenant, ADA))).toEqual(VALUES)
  })

  it('is empty for a project without flags', async () => {
    const tenant = await createTenant()
    expect(await ask(tenant)).toMatchObject({
      status: 200,
      body: { flags: {}, errorsWhileComputingFlags: false },
    })
  })

  it('carries the id of the request, when that is a UUID', async () => {
    const tenant = await createTenant()
    const id = '01961234-5678-7ABC-8def-0123456789ab'
    expect((await ask(tenant, {}, '/flags/?v=2', { 'X-Request-Id': id })).body.requestId).toBe(id)
    const other = await ask(tenant, {}, '/flags/?v=2', { 'X-Request-Id': 'mine' })
    expect(other.body.requestId).toBe(other.line.request_id)
    expect(other.headers.get('X-Request-Id')).toBe(other.line.request_id)
  })
})

describe('GET /array/:token/config', () => {
  it('disables other features of browser SDKs, for five minutes', async () => {
    const tenant = await createTenant()
    const response = await tenant.send('GET', `/array/${tenant.projectToken}/config`)
    expect(response).toMatchObject({ status: 200, body: { ...CONFIG, siteApps: [] } })
    expect(response.body).not.toHaveProperty('surveys')
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=300')
    expect(await tenant.send('GET', '/array/phc_nobody/config')).toMatchObject({
      status: 401,
      body: { code: 'invalid_api_key' },
    })
  })
})
