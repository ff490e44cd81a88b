// The link of an invite, as a browser without scripts follows it.
import { describe, expect, it } from 'vitest'
import { csrfTokenOf } from '../../../src/auth/csrf'
import { createHarness, type TestResponse } from '../../support/harness'
import { type Browser, signIn } from '../../support/session'
import { createTenant, type Tenant } from '../../support/tenant'
import { cookieIn, storedUser } from '../../support/user'

const STRONG = 'four-Green-herons-9'

const textIn = ({ body }: TestResponse) => String(body)
const fieldIn = (response: TestResponse, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(textIn(response))?.[1]

async function invite(tenant: Tenant, email = `${crypto.randomUUID()}@example.com`) {
  const { body } = await tenant.post(`/api/organizations/${tenant.organizationId}/invites/`, {
    target_email: email,
    first_name: 'Grace',
  })
  return { path: `/signup/${body.id}`, email }
}

/** Sends the form of the page as the browser that was shown it. */
async function signUp(tenant: Tenant, path: string, fields: Record<string, string> = {}) {
  const page = await tenant.send('GET', path)
  return tenant.send('POST', path, {
    raw: new URLSearchParams({
      csrf: fieldIn(page, 'csrf')!,
      first_name: 'Grace',
      password: STRONG,
      ...fields,
    }),
    headers: { Cookie: `login_form=${cookieIn(page, 'login_form')}` },
  })
}

const join = (browser: Browser, path: string) =>
  browser.send('POST', path, {
    raw: new URLSearchParams({ csrf: csrfTokenOf(browser.token) }),
    headers: { 'X-CSRFToken': '' },
  })

describe('/signup/:invite_id', () => {
  it('makes an account, signs it in and leads to the console', async () => {
    const tenant = await createTenant({ level: 8 })
    const { path, email } = await invite(tenant)
    const page = await tenant.send('GET', path)
    expect(page.status).toBe(200)
    expect(textIn(page)).not.toMatch(/<script|style="/)
    expect(textIn(page)).toContain(email)
    expect(fieldIn(page, 'csrf')).toBeDefined()

    const response = await signUp(tenant, path)
    expect([response.status, response.headers.get('Location')]).toEqual([303, '/'])
    const me = await tenant.send('GET', '/api/users/@me/', {
      headers: { Cookie: `sessionid=${cookieIn(response, 'sessionid')}` },
    })
    expect(me.body).toMatchObject({
      email,
      first_name: 'Grace',
      organization: { id: tenant.organizationId, membership_level: 1 },
    })
    expect((await storedUser({ user: me.body })).lastLogin).toBe('2026-03-10T12:00:00.000000Z')
  })

  it('keeps the entered values after an error, except the password', async () => {
    const tenant = await createTenant({ level: 8 })
    const { path } = await invite(tenant)
    const weak = await signUp(tenant, path, { first_name: '"><script>', password: 'password1' })
    expect(weak.status).toBe(400)
    expect(textIn(weak)).toContain('This password is too weak.')
    expect(textIn(weak)).toContain('value="&quot;&gt;&lt;script&gt;"')
    expect(textIn(weak)).not.toContain('password1')
    expect((await signUp(tenant, path)).status).toBe(303)
  })

  it('rejects a form of another page', async () => {
    const tenant = await createTenant({ level: 8 })
    const { path } = await invite(tenant)
    for (const headers of [{}, { Cookie: 'login_form=planted' }, { Origin: 'https://evil.test' }]) {
      const response = await tenant.send('POST', path, {
        raw: new URLSearchParams({ csrf: 'x', first_name: 'Eve', password: STRONG }),
        headers: headers as never,
      })
      expect(response.status).toBe(403)
      expect(cookieIn(response, 'sessionid')).toBe(null)
    }
    expect((await signUp(tenant, path)).status).toBe(303)
  })

  it('shows that a used, deleted or expired invite is invalid', async () => {
    const tenant = await createTenant({ level: 8 })
    const [used, late] = [await invite(tenant), await invite(tenant)]
    await signUp(tenant, used.path)
    for (const path of [used.path, `/signup/${crypto.randomUUID()}`, '/signup/x']) {
      const response = await tenant.send('GET', path)
      expect(response.status).toBe(404)
      expect(textIn(response)).toContain('This invite is not valid')
    }
    tenant.clock.advance({ days: 3 })
    const expired = await tenant.send('GET', late.path)
    expect(expired.status).toBe(410)
    expect(textIn(expired)).toContain('This invite has expired')
  })

  it('sends an address with an account to sign-in, and lets the signed-in user join', async () => {
    const harness = createHarness()
    const [tenant, guest] = [await createTenant({ harness, level: 8 }), await createTenant({ harness })]
    const { path } = await invite(tenant, guest.user.email)
    const anonymous = await tenant.send('GET', path)
    expect([anonymous.status, anonymous.headers.get('Location')]).toEqual([
      303,
      `/login?next=${encodeURIComponent(path)}`,
    ])
    const browser = await signIn(guest)
    expect(textIn(await browser.get(path))).toContain(`You are signed in as ${guest.user.email}`)
    const forged = await browser.send('POST', path, { raw: new URLSearchParams({ csrf: 'x' }) })
    expect(forged.status).toBe(403)
    const response = await join(browser, path)
    expect([response.status, response.headers.get('Location')]).toEqual([303, '/'])
    expect((await browser.get('/api/users/@me/')).body.organization.id).toBe(tenant.organizationId)
    expect((await join(browser, path)).status).toBe(404)
  })

  it('shows another user whom it is for, and offers to sign out', async () => {
    const harness = createHarness()
    const [tenant, other] = [await createTenant({ harness, level: 8 }), await createTenant({ harness })]
    const { path, email } = await invite(tenant)
    const browser = await signIn(other)
    const page = await browser.get(path)
    expect(textIn(page)).toContain('This invite is for another user')
    expect(textIn(page)).toContain(email)
    expect(textIn(await join(browser, path))).toContain('This invite is for another user')
    const out = await browser.send('POST', `/logout?next=${encodeURIComponent(path)}`, {
      raw: new URLSearchParams({ csrf: fieldIn(page, 'csrf')! }),
      headers: { 'X-CSRFToken': '' },
    })
    expect(out.headers.get('Location')).toBe(path)
  })
})
