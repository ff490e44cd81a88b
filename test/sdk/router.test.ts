import { describe, expect, it } from 'vitest'
import { event } from '../support/capture'
import { createTenant } from '../support/tenant'

const ORIGIN = 'https://shop.example'

describe('calls from pages of any origin', () => {
  it('are announced with OPTIONS', async () => {
    const tenant = await createTenant()
    for (const path of ['/batch/', '/e', '/i/v0/e/?compression=gzip-js']) {
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
        'access-control-allow-methods': 'POST, OPTIONS',
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

describe('methods of SDK endpoints', () => {
  it('respond to HEAD', async () => {
    const tenant = await createTenant()
    expect(await tenant.send('HEAD', '/batch/')).toMatchObject({ status: 200, body: null })
  })

  it('reject other methods', async () => {
    const tenant = await createTenant()
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, body, headers } = await tenant.send(method, '/e/')
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
