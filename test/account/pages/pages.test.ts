// The pages as a browser without scripts meets them. test/browser drives them in a real one.
import { describe, expect, it } from 'vitest'
import { safeNext } from '../../../src/pages/login-redirect'
import { csrfTokenOf } from '../../../src/auth/csrf'
import { type TestResponse, createHarness, ORIGIN } from '../../support/harness'
import { type Browser, signIn } from '../../support/session'
import { createTenant } from '../../support/tenant'
import { cookieIn, createMember, freshIp, PASSWORD } from '../../support/user'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const textIn = ({ body }: TestResponse) => String(body)
const fieldIn = (response: TestResponse, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(textIn(response))?.[1]

/** A form of the page, filled in and sent by the browser that was shown it. */
const submit = (browser: Browser, path: string, fields: Record<string, string> = {}) =>
  browser.send('POST', path, {
    raw: new URLSearchParams({ csrf: csrfTokenOf(browser.token), ...fields }),
    headers: { 'X-CSRFToken': '' },
  })

describe('safeNext', () => {
  it.each(['/settings', '/complete/chat-link/start/?state=a%2Fb', '/a?next=//b'])(
    'redirects to %s',
    (next) => {
      expect(safeNext(next, ORIGIN)).toBe(next)
    },
  )

  it.each([
    null,
    '',
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/\t/evil.test',
    'javascript:alert(1)',
    'settings',
    ' /settings',
    '/%00\n//',
    '/.//evil.test',
    '/a/..//evil.test',
    '/./\\evil.test',
    '/%2e//evil.test',
  ])('does not lead to %j', (next) => {
    const target = new URL(safeNext(next, ORIGIN), ORIGIN)
    expect(target.origin).toBe(ORIGIN)
    expect(target.pathname).not.toMatch(/^\/\//)
    expect(new URL(target.pathname, ORIGIN).origin).toBe(ORIGIN)
  })
})

describe('/', () => {
  it.each(['*/*', 'application/json', ''])('answers programs with text, for Accept %j', async (accept) => {
    const response = await createHarness().send('GET', '/', { headers: { Accept: accept } })
    expect([response.status, response.headers.get('Content-Type'), textIn(response)]).toEqual([
      200,
      'text/plain;charset=UTF-8',
      `Halyard: feature flags, accounts and saved queries over HTTP.

Reference   ${ORIGIN}/docs
Health      ${ORIGIN}/health
Readiness   ${ORIGIN}/ready
Console     ${ORIGIN}/ in a browser
`,
    ])
  })

  it('sends browsers to the console', async () => {
    const response = await createHarness().send('GET', '/', { headers: { Accept: 'text/html,*/*;q=0.8' } })
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/login'])
  })
})

describe('/login', () => {
  it('shows a form under a policy without scripts', async () => {
    const response = await createHarness().send('GET', '/login')
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('Content-Security-Policy')).toBe(POLICY)
    expect(response.headers.get('Cache-Control')).toBe('private, no-store')
    expect(textIn(response)).toMatch(/^<!doctype html><html lang="en">/)
    expect(textIn(response)).not.toMatch(/<script|style="|javascript:/)
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^login_form=\w+; Max-Age=3600; Path=\/login; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ])
  })

  it('has the theme that was chosen in the console', async () => {
    const harness = createHarness()
    for (const [cookie, attribute] of [
      ['theme=dark', ' data-theme="dark"'],
      ['other=1; theme=light; last=2', ' data-theme="light"'],
      ['theme="><script>', ''],
      ['nottheme=dark', ''],
    ] as const) {
      const response = await harness.send('GET', '/login', { headers: { Cookie: cookie } })
      expect(textIn(response)).toContain(`<!doctype html><html lang="en"${attribute}><head>`)
    }
  })

  it('signs in, and redirects within this service only', async () => {
    const tenant = await createMember()
    const page = await tenant.send('GET', '/login?next=https://evil.test/')
    const cookie = { Cookie: `login_form=${cookieIn(page, 'login_form')}` }
    const fields = { csrf: fieldIn(page, 'csrf')!, email: tenant.user.email, password: PASSWORD }
    const enter = (next: string, extra = {}) =>
      tenant.send('POST', '/login', {
        raw: new URLSearchParams({ ...fields, next, ...extra }),
        headers: { ...cookie, 'CF-Connecting-IP': freshIp() },
      })
    expect(fieldIn(page, 'next')).toBe('/')
    const response = await enter('//evil.test')
    expect([response.status, response.headers.get('Location')]).toEqual([303, '/'])
    expect(cookieIn(response, 'sessionid')).not.toBe(null)
    expect((await enter('/complete/x')).headers.get('Location')).toBe('/complete/x')

    const wrong = await enter('/settings', { password: 'x', email: '"><script>' })
    expect(wrong.status).toBe(400)
    expect(textIn(wrong)).toContain('Invalid email or password.')
    expect(textIn(wrong)).toContain('value="&quot;&gt;&lt;script&gt;"')
  })

  it('rejects a form of another page', async () => {
    const tenant = await createMember()
    const raw = () => new URLSearchParams({ email: tenant.user.email, password: PASSWORD, csrf: 'x' })
    for (const headers of [{}, { Cookie: 'login_form=planted' }, { Origin: 'https://evil.test' }]) {
      const response = await tenant.send('POST', '/login', { raw: raw(), headers: headers as never })
      expect(response.status).toBe(403)
      expect(cookieIn(response, 'sessionid')).toBe(null)
    }
    expect((await tenant.send('POST', '/login', { body: {} })).status).toBe(415)
    const long = await tenant.send('POST', '/login', { raw: 'a'.repeat(70_000), headers: FORM })
    expect(long.status).toBe(413)
  })
})

describe('/logout', () => {
  it('ends the session, and redirects within this service', async () => {
    for (const [query, expected] of [
      ['', '/login'],
      ['?next=/login%3Fa=b', '/login?a=b'],
      ['?next=//evil.test', '/'],
    ]) {
      const browser = await signIn(await createTenant())
      const response = await submit(browser, `/logout${query}`)
      expect([response.status, response.headers.get('Location')]).toEqual([302, expected])
      expect([cookieIn(response, 'sessionid'), cookieIn(response, 'posthog_csrftoken')]).toEqual(['', ''])
      expect((await browser.get('/api/users/@me/')).status).toBe(401)
    }
  })

  it('accepts the token in the header, and rejects requests without it', async () => {
    const browser = await signIn(await createTenant())
    const forged = await browser.send('POST', '/logout', {
      raw: '',
      headers: { ...FORM, 'X-CSRFToken': 'x' },
    })
    expect(forged.status).toBe(403)
    expect((await browser.get('/api/users/@me/')).status).toBe(200)
    expect((await browser.send('POST', '/logout')).status).toBe(302)
    expect((await browser.get('/api/users/@me/')).status).toBe(401)
  })

  it('rejects GET', async () => {
    const browser = await signIn(await createTenant())
    const response = await browser.get('/logout')
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST'])
    expect((await browser.get('/api/users/@me/')).status).toBe(200)
  })

  it('changes nothing without a session cookie, and clears no cookie', async () => {
    const response = await createHarness().send('POST', '/logout')
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/login'])
    expect(response.headers.get('Set-Cookie')).toBeNull()
  })

  it('rejects any body without a token, and reads `next` from the form', async () => {
    const browser = await signIn(await createTenant())
    const bare = await browser.send('POST', '/logout', { headers: { 'X-CSRFToken': '' } })
    expect(bare.status).toBe(403)
    const response = await browser.send('POST', '/logout', {
      raw: new URLSearchParams({ next: '/login?a=b' }),
    })
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/login?a=b'])
  })
})

describe('/settings', () => {
  const html = { Accept: 'text/html' }

  it('redirects to sign-in without a session', async () => {
    const response = await createHarness().send('GET', '/settings?next=/x', { headers: html })
    expect([response.status, response.headers.get('Location')]).toEqual([
      302,
      '/login?next=%2Fsettings%3Fnext%3D%2Fx',
    ])
  })

  it('is no page of programs', async () => {
    const browser = await signIn(await createTenant())
    expect((await browser.get('/settings')).status).toBe(404)
  })
})

describe('/assets/pages.css', () => {
  it('is publicly cacheable', async () => {
    const { status, headers } = await createHarness().send('GET', '/assets/pages.css')
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/css; charset=utf-8'])
    expect(headers.get('Cache-Control')).toBe('public, max-age=300')
  })
})
