// OpenFeature's remote evaluation protocol: every status and error code that it knows, for one flag and for all.
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { seen } from '../support/responses'
import { open, property, where } from '../support/filters'
import { createHarness } from '../support/harness'
import { configureProject } from '../support/database/rows'
import { createTenant } from '../support/tenant'
import { fragile, publishSilently } from './flags-support'
import { ADA, bearer, BULK, createShop, resolve, resolveAll } from './ofrep-shop'

afterEach(() => vi.restoreAllMocks())

describe('an evaluation that fails', () => {
  let shop: Awaited<ReturnType<typeof createShop>>
  beforeAll(async () => {
    shop = await createShop()
  })

  it('names the error of one flag, and of the whole', async () => {
    const { tenant } = shop
    const errors: [unknown, string][] = [
      [[], 'INVALID_CONTEXT'],
      [null, 'INVALID_CONTEXT'],
      ['ada', 'INVALID_CONTEXT'],
      [{}, 'TARGETING_KEY_MISSING'],
      [{ targetingKey: '' }, 'TARGETING_KEY_MISSING'],
      [{ targetingKey: 7 }, 'TARGETING_KEY_MISSING'],
      [{ targetingKey: 'ada', groups: 'acme' }, 'INVALID_CONTEXT'],
      [{ targetingKey: 'ada', groups: { company: {} } }, 'INVALID_CONTEXT'],
      [{ targetingKey: 'ada', evaluation_contexts: 'web' }, 'INVALID_CONTEXT'],
      [{ targetingKey: 'ada', evaluation_contexts: [7] }, 'INVALID_CONTEXT'],
      [{ targetingKey: 'ada', geoip_disable: 'maybe' }, 'INVALID_CONTEXT'],
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

  it('names the field of the context that cannot be read', async () => {
    const { tenant } = shop
    const context = { targetingKey: 'ada', groups: { company: ['acme'] } }
    expect(seen(await resolveAll(tenant, context))).toEqual({
      status: 400,
      body: {
        errorCode: 'INVALID_CONTEXT',
        errorDetails: "context.groups.company: The key of the group 'company' must be text or a number.",
      },
    })
  })

  it('is a 404 for an unknown flag, and a 401 for an unknown token', async () => {
    const { tenant } = shop
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

  it('affects only a malformed flag', async () => {
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
    expect([status, body.flags.length, body.flags.at(-1)]).toEqual([200, 7, failure])
  })

  it('affects only flags that need storage while it is unavailable', async () => {
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
    for (const response of [await resolve(tenant, 'beta'), await resolveAll(tenant)]) {
      expect(seen(response)).toEqual({
        status: 429,
        body: {
          type: 'throttled_error',
          code: 'quota_limited',
          detail: 'The project has used up its flag evaluations.',
          attr: null,
        },
      })
      expect(response.headers.get('Retry-After')).toBe('60')
    }
  })
})
