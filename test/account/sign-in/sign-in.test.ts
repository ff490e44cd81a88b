// POST /api/login/ (docs/reference/accounts.md#sign-in).
import nodeCrypto, * as crypto from 'node:crypto'
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { loginChallenges, sessions } from '../../../drizzle'
import { csrfTokenOf } from '../../../src/auth/csrf'
import { MAX_SESSIONS } from '../../../src/auth/sessions'
import { forbidden, refused, seen } from '../../support/responses'
import { withBatch } from '../../project/support'
import { createHarness } from '../../support/harness'
import { browserWith, cookiesOf, signIn } from '../../support/session'
import { database, type Tenant } from '../../support/tenant'
import { codeOf, giveSecondFactor } from '../../support/two-factor'
import { cookieIn, createMember, freshIp, login, PASSWORD, updateUser } from '../../support/user'

const WRONG = refused(null, 'Invalid email or password.', 'invalid_credentials')
const LOCKED = {
  status: 403,
  body: {
    type: 'authentication_error',
    code: 'too_many_failed_attempts',
    detail: 'Too many failed login attempts. Please try again in 10 minutes.',
    attr: null,
  },
}

const sessionsOf = (userId: number) => database().select().from(sessions).where(eq(sessions.userId, userId))

describe('POST login', () => {
  it('sets a session and a CSRF token for fourteen days, and stores neither', async () => {
    const tenant = await createMember()
    const response = await login(tenant, { headers: { 'User-Agent': 'curl/8.5.0' } })
    expect(seen(response)).toEqual({ status: 200, body: { success: true } })
    const token = cookieIn(response, 'sessionid')!
    expect(response.headers.getSetCookie()).toEqual([
      `sessionid=${token}; Max-Age=1209600; Path=/; HttpOnly; Secure; SameSite=Lax`,
      `posthog_csrftoken=${csrfTokenOf(token)}; Max-Age=1209600; Path=/; Secure; SameSite=Lax`,
      'login_challenge=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    ])
    const rows = await sessionsOf(tenant.user.id)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      tokenHash: crypto.createHash('sha256').update(token).digest('hex'),
      createdAt: '2026-03-10T12:00:00.000000Z',
      expiresAt: '2026-03-24T12:00:00.000000Z',
      loginMethod: 'password',
      userAgent: 'curl/8.5.0',
    })
    expect(JSON.stringify(rows)).not.toContain(token)
    expect((await browserWith(tenant, token, '').get('/api/users/@me/')).body.email).toBe(tenant.user.email)
  })

  it('accepts any case of the address, and surrounding white space', async () => {
    const tenant = await createMember()
    expect((await login(tenant, { email: ` ${tenant.user.email.toUpperCase()} ` })).status).toBe(200)
  })

  it('requires both fields', async () => {
    const tenant = await createMember()
    const send = (body: object) => tenant.send('POST', '/api/login/', { body })
    expect(seen(await send({ password: 'x' }))).toEqual(
      refused('email', 'This field is required.', 'required'),
    )
    expect(seen(await send({ email: 'a@b.c' }))).toEqual(
      refused('password', 'This field is required.', 'required'),
    )
  })

  it('responds alike for a wrong password, an unknown address, no password and an inactive user', async () => {
    const [tenant, without, inactive] = [await createMember(), await createMember(), await createMember()]
    await updateUser(without, { passwordHash: null })
    await updateUser(inactive, { isActive: false })
    const responses = [
      await login(tenant, { password: `${PASSWORD}x` }),
      await login(tenant, { email: 'nobody@example.com' }),
      await login(without),
      await login(inactive),
    ]
    for (const response of responses) {
      expect(seen(response)).toEqual(WRONG)
      expect(response.headers.getSetCookie()).toEqual([])
      expect(response.line.d1_round_trips).toBe(1)
    }
  })

  it('hashes a password for unknown addresses too', async () => {
    const tenant = await createMember()
    const hash = vi.spyOn(nodeCrypto, 'scrypt')
    try {
      await login(tenant, { password: 'wrong' })
      await login(tenant, { password: 'wrong', email: 'nobody@example.com' })
      // The same work for both: the password, the length of the key, and the cost.
      const [known, unknown] = hash.mock.calls.map(([password, , length, cost]) => [password, length, cost])
      expect(hash).toHaveBeenCalledTimes(2)
      expect(unknown).toEqual(known)
    } finally {
      hash.mockRestore()
    }
  })

  it('rejects a page of another origin', async () => {
    const tenant = await createMember()
    const response = await login(tenant, { headers: { Origin: 'https://evil.test' } })
    expect(seen(response)).toEqual(
      forbidden('CSRF Failed: Origin checking failed - the request does not come from this site.'),
    )
  })

  it('writes neither address nor password to the log', async () => {
    const tenant = await createMember()
    await login(tenant)
    await login(tenant, { password: 'wellkept-wrong' })
    const said = JSON.stringify(tenant.lines)
    for (const secret of ['wellkept', tenant.user.email]) expect(said).not.toContain(secret)
  })
})

describe('a password that changes during sign-in', () => {
  /** Signs in; `meanwhile` happens once the password is checked, before the session is written. */
  async function overtaken(
    meanwhile: (tenant: Tenant) => Promise<unknown>,
    before: (tenant: Tenant) => Promise<unknown> = async () => {},
  ) {
    let act = async () => {}
    const DB = withBatch(env.DB, async (texts, run) => {
      if (texts.some((text) => /^insert into "(sessions|login_challenges)"/.test(text))) await act()
      return run()
    })
    const tenant = await createMember({ harness: createHarness({ bindings: { DB } }) })
    await before(tenant)
    act = () => meanwhile(tenant).then(() => {})
    return { tenant, answer: await login(tenant) }
  }

  it.each([
    ['is changed meanwhile', (tenant: Tenant) => updateUser(tenant, { passwordHash: 'scrypt$other' })],
    ['gets a second factor beside it meanwhile', (tenant: Tenant) => giveSecondFactor(tenant)],
    ['belongs to nobody active meanwhile', (tenant: Tenant) => updateUser(tenant, { isActive: false })],
  ])('opens no session when it %s', async (_, meanwhile) => {
    const { tenant, answer: response } = await overtaken(meanwhile)
    expect(seen(response)).toEqual(WRONG)
    expect(response.headers.getSetCookie()).toEqual([])
    await expect(sessionsOf(tenant.user.id)).resolves.toEqual([])
  })

  it('opens no second step', async () => {
    const { tenant, answer: response } = await overtaken(
      (each) => updateUser(each, { passwordHash: 'scrypt$other' }),
      giveSecondFactor,
    )
    expect(seen(response)).toEqual(WRONG)
    await expect(
      database().select().from(loginChallenges).where(eq(loginChallenges.userId, tenant.user.id)),
    ).resolves.toEqual([])
  })
})

describe('the former session of the browser', () => {
  it('ends with a new sign-in, and its token is not reused', async () => {
    const tenant = await createMember()
    const before = await signIn(tenant)
    const response = await login(tenant, { headers: cookiesOf(before.token) })
    expect(cookieIn(response, 'sessionid')).not.toBe(before.token)
    expect((await before.get('/api/users/@me/')).status).toBe(401)
    await expect(sessionsOf(tenant.user.id)).resolves.toHaveLength(1)
  })

  it.each(['first', 'second'])('ends no other one at the maximum, with a %s factor', async (step) => {
    const tenant = await createMember()
    for (let number = 1; number < MAX_SESSIONS; number += 1) await signIn(tenant)
    const before = await signIn(tenant)
    const headers = cookiesOf(before.token)
    if (step === 'first') expect((await login(tenant, { headers })).status).toBe(200)
    else {
      const secret = await giveSecondFactor(tenant)
      const challenge = cookieIn(await login(tenant), 'login_challenge')
      const Cookie = `${headers.Cookie}; login_challenge=${challenge}`
      const token = codeOf(secret, tenant.clock.now())
      const response = await tenant.send('POST', '/api/login/token/', {
        body: { token },
        headers: { ...headers, Cookie },
      })
      expect(response.status).toBe(200)
    }
    expect((await before.get('/api/users/@me/')).status).toBe(401)
    await expect(sessionsOf(tenant.user.id)).resolves.toHaveLength(MAX_SESSIONS)
  })

  it('does not adopt a planted token', async () => {
    const tenant = await createMember()
    const planted = browserWith(tenant, 'planted', '')
    const response = await login(tenant, { headers: { Cookie: 'sessionid=planted' } })
    expect(cookieIn(response, 'sessionid')).not.toBe('planted')
    expect((await planted.get('/api/users/@me/')).status).toBe(401)
  })
})

describe('lockout', () => {
  it('locks an IPv6 /64 at the thirtieth failure, and does not count successes', async () => {
    const tenant = await createMember()
    const network = freshIp().slice(0, -1)
    const ip = `${network}c`
    for (let failure = 1; failure <= 29; failure += 1) {
      expect(seen(await login(tenant, { ip: `${network}${failure}`, password: 'x' }))).toEqual(WRONG)
    }
    for (let success = 1; success <= 2; success += 1) expect((await login(tenant, { ip })).status).toBe(200)
    expect(seen(await login(tenant, { ip: `${network}a:b`, password: 'x' }))).toEqual(LOCKED)
    expect(seen(await login(tenant, { ip }))).toEqual(LOCKED)
    expect((await login(tenant)).status).toBe(200)
    tenant.clock.advance({ minutes: 9, seconds: 59 })
    expect(seen(await login(tenant, { ip }))).toEqual(LOCKED)
    tenant.clock.advance({ seconds: 1 })
    expect((await login(tenant, { ip })).status).toBe(200)
  }, 30_000)

  it('holds under concurrent attempts', async () => {
    const tenant = await createMember()
    const ip = freshIp()
    const wave = () => Promise.all(Array.from({ length: 10 }, () => login(tenant, { ip, password: 'x' })))
    const responses = [...(await wave()), ...(await wave()), ...(await wave()), ...(await wave())]
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(29)
    expect(responses.filter(({ status }) => status === 403)).toHaveLength(11)
  }, 30_000)
})

describe('the lifetime of a session', () => {
  it('is fourteen days from sign-in, regardless of use', async () => {
    const tenant = await createMember()
    const browser = browserWith(tenant, cookieIn(await login(tenant), 'sessionid')!, '')
    tenant.clock.advance({ days: 13, hours: 23, minutes: 59 })
    expect((await browser.get('/api/users/@me/')).status).toBe(200)
    tenant.clock.advance({ minutes: 1 })
    expect((await browser.get('/api/users/@me/')).status).toBe(401)
  })
})

describe('the sessions of a user', () => {
  it('are at most a hundred: a sign-in ends the one that was used least recently', async () => {
    const tenant = await createMember()
    const stranger = await signIn(await createMember())
    const last = await signIn(tenant, { lastActivity: '2026-03-01T08:00:00.000000Z' })
    for (let number = 1; number < MAX_SESSIONS - 1; number += 1) await signIn(tenant)
    expect((await login(tenant)).status).toBe(200)
    expect((await last.get('/api/users/@me/')).status).toBe(200)
    await database()
      .update(sessions)
      .set({ lastActivity: '2026-03-01T08:00:00.000000Z' })
      .where(eq(sessions.id, last.sessionId))
    expect((await login(tenant)).status).toBe(200)
    expect((await last.get('/api/users/@me/')).status).toBe(401)
    await expect(sessionsOf(tenant.user.id)).resolves.toHaveLength(MAX_SESSIONS)
    expect((await stranger.get('/api/users/@me/')).status).toBe(200)
  })
})
