import { describe, expect, it } from 'vitest'
import { createHarness } from '../support/harness'

const { send } = createHarness()

describe('GET /docs', () => {
  it.each(['/docs', '/docs/'])('is a page at %s that takes everything from here', async (path) => {
    const { status, headers, body } = await send('GET', path)
    expect({
      status,
      type: headers.get('Content-Type'),
      caching: headers.get('Cache-Control'),
      policy: headers.get('Content-Security-Policy'),
      elsewhere: [...(body as string).matchAll(/(?:src|href)="(?!\/|data:)[^"]*"/g)],
    }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
      caching: 'no-cache',
      policy:
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      elsewhere: [],
    })
  })

  it('is not sent again while it is the same', async () => {
    const tag = (await send('GET', '/docs')).headers.get('ETag')!
    const { status, body } = await send('GET', '/docs', { headers: { 'If-None-Match': tag } })
    expect({ status, body }).toEqual({ status: 304, body: null })
  })

  it('has the theme that is chosen now, not that of a kept copy', async () => {
    const plain = await send('GET', '/docs')
    const tag = plain.headers.get('ETag')!
    for (const theme of ['dark', 'light']) {
      const { status, headers, body } = await send('GET', '/docs', {
        headers: { Cookie: `theme=${theme}`, 'If-None-Match': tag },
      })
      expect([status, headers.get('ETag'), headers.get('Vary')]).toEqual([200, null, 'Cookie'])
      expect(body).toContain(`data-theme="${theme}"`)
    }
    expect(plain.headers.get('Vary')).toBe('Cookie')
  })

  it('names its script by the version that the script has, so that browsers may keep it', async () => {
    const [, path, version] = /src="(\/docs\/scalar\.js\?v=([\d.]+))"/.exec(
      (await send('GET', '/docs')).body as string,
    )!
    const { status, headers, body } = await send('GET', path!)
    expect({
      status,
      type: headers.get('Content-Type'),
      caching: headers.get('Cache-Control'),
      banner: (body as string).slice(0, (body as string).indexOf(',')),
    }).toEqual({
      status: 200,
      type: 'text/javascript; charset=utf-8',
      caching: 'public, max-age=31536000, immutable',
      banner: `/*! @scalar/api-reference ${version}`,
    })
  })
})

describe.each([
  '/docs',
  '/docs/guide/tour',
  '/openapi.json',
  '/docs/reference.js',
  '/docs/guide.js',
  '/docs/scalar.js',
])('%s', (path) => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('does not take %s', async (method) => {
    const { status, body, headers } = await send(method, path)
    expect({ status, code: body.code, allow: headers.get('Allow') }).toEqual({
      status: 405,
      code: 'method_not_allowed',
      allow: 'GET',
    })
  })
})

describe('GET /', () => {
  it('leads a browser to the sign-in of the console', async () => {
    const { status, headers } = await send('GET', '/', {
      headers: { Accept: 'text/html,application/xhtml+xml' },
    })
    expect({ status, location: headers.get('Location') }).toEqual({ status: 302, location: '/login' })
  })
})
