import { describe, expect, it } from 'vitest'
import { event, eventsOf } from '../support/capture'
import { createTenant } from '../support/tenant'

const ORIGIN = 'https://shop.example'

describe('calls from pages of any origin', () => {
  it('are announced with OPTIONS', async () => {
    const tenant = await createTenant()
    for (const [path, methods] of [
      ['/batch/', 'POST, OPTIONS'],
      ['/e', 'POST, GET, OPTIONS'],
      ['/i/v0/e/?compression=gzip-js', 'POST, GET, OPTIONS'],
    ] as const) {
      const asked = 'content-type,x-posthog-session-id,traceparent'
      const { status, body, headers } = await tenant.send('OPTIONS', path, {
        headers: {
          Origin: ORIGIN,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': asked,
        },
      })
      expect({ status, body }).toEqual({ status: 204, body: null })
      expect(Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control')))).toEqual({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': methods,
        'access-control-allow-headers': asked,
        'access-control-max-age': '86400',
      })
      expect(headers.get('Vary')).toBe('Origin')
    }
  })

  it('may read responses and errors', async () => {
    const tenant = await createTenant()
    for (const [api_key, status] of [
      [tenant.projectToken, 200],
      ['phc_nobody', 401],
    ] as const) {
      const body = { api_key, batch: [event('ada')] }
      const response = await tenant.send('POST', '/batch/', { body, headers: { Origin: ORIGIN } })
      expect(response.status).toBe(status)
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN)
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBe('true')
    }
  })

  it('are any origin for callers that have none', async () => {
    const tenant = await createTenant()
    const { headers } = await tenant.send('POST', '/batch/', { body: {} })
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(headers.get('Access-Control-Allow-Credentials')).toBe(null)
  })

  it('are not allowed to the management API', async () => {
    const tenant = await createTenant()
    const { headers } = await tenant.send('GET', tenant.flags(), { headers: { Origin: ORIGIN } })
    expect(headers.get('Access-Control-Allow-Origin')).toBe(null)
  })
})

describe('features that do not exist here', () => {
  const from = { Origin: ORIGIN }

  it.each([
    ['/api/surveys/?token=phc_x', { surveys: [], survey_config: null }],
    ['/api/early_access_features/?token=phc_x&stage=beta', { earlyAccessFeatures: [] }],
    ['/api/web_experiments/?token=phc_x', { experiments: [] }],
    ['/api/product_tours/?token=phc_x', { product_tours: [] }],
  ])('%s is an empty list', async (path, lists) => {
    const tenant = await createTenant()
    for (const each of [path, path.replace('/?', '?')]) {
      const { status, body, headers } = await tenant.send('GET', each, { headers: from })
      expect({ status, body }).toEqual({ status: 200, body: lists })
      expect(headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN)
    }
  })

  it.each(['/i/v1/logs', '/i/v1/metrics', '/i/v1/traces'])('%s discards its body', async (path) => {
    const tenant = await createTenant()
    const answer = await tenant.send('POST', path, { raw: 'anything', headers: from })
    expect(answer).toMatchObject({
      status: 200,
      body: { partialSuccess: { errorMessage: 'This service does not store telemetry.' } },
    })
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN)
  })

  it.each([
    '/s/',
    '/i/v0/ai/',
    '/engage/',
    '/static/9.9.9/surveys.js.map',
    '/api/conversations/v1/widget/message',
  ])('%s is a 404 that pages of any origin can read', async (path) => {
    const tenant = await createTenant()
    const answer = await tenant.send('POST', path, { raw: '{}', headers: from })
    expect(answer.status).toBe(404)
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN)
    expect((await tenant.send('OPTIONS', path, { headers: from })).status).toBe(204)
  })
})

describe('scripts for browsers', () => {
  it.each([
    '/static/array.js',
    '/array/phc_x/array.js',
    '/static/surveys.js',
    '/static/1.449.2-beta.1/surveys.js',
  ])('%s is cached, with a tag', async (path) => {
    const tenant = await createTenant()
    const { status, headers } = await tenant.send('GET', path, { headers: { Origin: ORIGIN } })
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN)
    expect(headers.get('Cache-Control')).toBe('public, max-age=86400, stale-while-revalidate=604800')
    const again = await tenant.send('GET', path, { headers: { 'If-None-Match': headers.get('ETag')! } })
    expect(again.status).toBe(304)
  })

  it('read the configuration of a known project', async () => {
    const tenant = await createTenant()
    const {
      status,
      body: text,
      headers,
    } = await tenant.send('GET', `/array/${tenant.projectToken}/config.js`)
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    const window: Record<string, Record<string, { config: object; siteApps: unknown[] }>> = {}
    const [, name, json] = /^\(window\.(\w+) = .*?\)\["phc_\w+"\] = (.*);\n$/.exec(text)!
    window[name!] = { [tenant.projectToken]: JSON.parse(json!) }
    expect(window._POSTHOG_REMOTE_CONFIG![tenant.projectToken]).toMatchObject({
      config: { hasFeatureFlags: true },
      siteApps: [],
    })
    expect((await tenant.send('GET', '/array/phc_nobody/config.js')).status).toBe(401)
  })
})

describe('methods of SDK endpoints', () => {
  it('respond to HEAD', async () => {
    const tenant = await createTenant()
    const sent = JSON.stringify({ api_key: tenant.projectToken, ...event('ada') })
    for (const path of ['/batch/', `/e/?data=${encodeURIComponent(sent)}`])
      expect(await tenant.send('HEAD', path)).toMatchObject({ status: 200, body: null })
    expect(await eventsOf(tenant)).toEqual([])
  })

  it('reject other methods', async () => {
    const tenant = await createTenant()
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, body, headers } = await tenant.send(method, '/batch/')
      expect({ status, body }).toEqual({
        status: 405,
        body: {
          type: 'invalid_request',
          code: 'method_not_allowed',
          detail: `Method "${method}" not allowed.`,
          attr: null,
        },
      })
      expect(headers.get('Allow')).toBe('POST, OPTIONS')
    }
  })

  it('do not exist on other paths', async () => {
    const tenant = await createTenant()
    expect(await tenant.send('POST', '/i/v0/other/')).toMatchObject({ status: 404 })
  })
})
