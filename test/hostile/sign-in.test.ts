// Sign-in forms that another site prepared: a CSRF token derives from a random cookie of the browser, and there is no token without it.
import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sessions, throttleWindows } from '../../drizzle'
import { networkOf } from '../../src/auth/client'
import { csrfTokenOf, requireCsrfToken } from '../../src/auth/csrf'
import { createKeyring } from '../../src/storage/cipher'
import type { TestResponse } from '../support/harness'
import { ORIGIN } from '../support/harness'
import { database, type Tenant } from '../support/tenant'
import { cookieIn, createMember, freshIp, PASSWORD } from '../support/user'

const csrfIn = ({ body }: TestResponse) => /name="csrf" value="([^"]*)"/.exec(String(body))?.[1] ?? null

/** The token that a constant secret would give: what every version until now accepted without a cookie. */
const FORGED = createHmac('sha256', '').update('csrf').digest('base64url')

const ip = freshIp()
const submit = (tenant: Tenant, path: string, csrf: string, headers: Record<string, string>) =>
  tenant.send('POST', path, {
    raw: new URLSearchParams({ csrf, email: tenant.user.email, password: PASSWORD, token: '123456' }),
    headers: { 'CF-Connecting-IP': ip, ...headers },
  })

const sessionsOf = ({ user }: Tenant) =>
  database().select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, user.id))

describe.each(['/login', '/login/code'])('POST %s', (path) => {
  it.each<[what: string, headers: Record<string, string>]>([
    ['without cookies', {}],
    ['with an empty cookie', { Cookie: 'login_form=' }],
    ['with other cookies only', { Cookie: 'posthog_csrftoken=x; sessionid=' }],
    ['without a cookie, from this origin', { Origin: ORIGIN }],
  ])('refuses a form %s, and shows a fresh one that works', async (_, headers) => {
    const tenant = await createMember()
    for (const csrf of [FORGED, csrfTokenOf('planted'), '', 'x']) {
      const response = await submit(tenant, path, csrf, headers)
      expect(response.status).toBe(403)
      expect(String(response.body)).toContain(
        'CSRF Failed: CSRF cookie not set. Your browser may block cookies, or the form is too old.',
      )
      const cookie = cookieIn(response, 'login_form')!
      expect(cookie).toMatch(/^[0-9A-Za-z]{40,}$/)
      expect(csrfIn(response)).toBe(csrfTokenOf(cookie))
      expect(cookieIn(response, 'sessionid')).toBe(null)
    }
    expect(await sessionsOf(tenant)).toEqual([])
  })
})

describe('the form that comes with a rejection', () => {
  it('signs in', async () => {
    const tenant = await createMember()
    const refusal = await submit(tenant, '/login', FORGED, {})
    const headers = { Cookie: `login_form=${cookieIn(refusal, 'login_form')}`, 'CF-Connecting-IP': freshIp() }
    const response = await submit(tenant, '/login', csrfIn(refusal)!, headers)
    expect([response.status, response.headers.get('Location')]).toEqual([303, '/'])
    expect(await sessionsOf(tenant)).toHaveLength(1)
  })

  it('has a token that no other browser shares', async () => {
    const tenant = await createMember()
    const [one, other] = [await tenant.send('GET', '/login'), await tenant.send('GET', '/login')]
    expect(csrfIn(one)).not.toBe(csrfIn(other))
    const response = await submit(tenant, '/login', csrfIn(one)!, {
      Cookie: `login_form=${cookieIn(other, 'login_form')}`,
    })
    expect([response.status, String(response.body).includes('CSRF Failed: CSRF token incorrect.')]).toEqual([
      403,
      true,
    ])
  })

  it('does not count as a failed sign-in', async () => {
    const tenant = await createMember()
    const address = freshIp()
    await submit(tenant, '/login', FORGED, { 'CF-Connecting-IP': address })
    const rows = await database()
      .select()
      .from(throttleWindows)
      .where(eq(throttleWindows.subject, networkOf(address)))
    expect(rows).toEqual([])
  })
})

describe('a constant secret', () => {
  it('is rejected for a CSRF token', () => {
    expect(() => csrfTokenOf('')).toThrow('A CSRF token needs a secret.')
    const request = new Request(`${ORIGIN}/logout`, { method: 'POST' })
    for (const secret of ['', null])
      expect(() => requireCsrfToken(request, secret, FORGED)).toThrow('CSRF cookie not set')
  })

  it('is rejected in a key ring: every key has 32 bytes', () => {
    for (const configured of ['a:', `a:${btoa('x')}`, `a:${btoa('x'.repeat(32))},b:`]) {
      expect(() => createKeyring(configured)).toThrow('must have 32 bytes')
    }
    expect(() => createKeyring('').digests('x')).toThrow('no key is configured')
  })
})
