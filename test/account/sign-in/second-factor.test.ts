// POST /api/login/token/ (docs/reference/accounts.md#sign-in).
import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { browserWith, signIn } from '../../support/session'
import type { Tenant } from '../../support/tenant'
import { codeOf, giveSecondFactor } from '../../support/two-factor'
import { cookieIn, createMember, login, sendCode, updateUser } from '../../support/user'

const WRONG = refused(null, 'Invalid authentication code', '2fa_invalid')
const EXPIRED = refused(null, 'Your login attempt has expired. Please log in again.', '2fa_expired')
const TOO_MANY = refused(null, 'Too many attempts.', '2fa_too_many_attempts')
const DONE = { status: 200, body: { success: true } }

/** A tenant whose user has a second factor, and has sent the right password. */
async function challenged() {
  const tenant = await createMember()
  const secret = await giveSecondFactor(tenant)
  return { tenant, secret, challenge: await challengeOf(tenant), code: codeOf(secret, tenant.clock.now()) }
}

const challengeOf = async (tenant: Tenant) => cookieIn(await login(tenant), 'login_challenge')!

describe('POST login with a second factor', () => {
  it('requires it before opening a session', async () => {
    const tenant = await createMember()
    await giveSecondFactor(tenant)
    const response = await login(tenant)
    expect(seen(response)).toEqual({
      status: 401,
      body: { type: 'server_error', code: '2fa_required', detail: '2FA is required.', attr: null },
    })
    const challenge = cookieIn(response, 'login_challenge')
    expect(response.headers.getSetCookie()).toEqual([
      `login_challenge=${challenge}; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax`,
    ])
    expect((await browserWith(tenant, challenge!, '').get('/api/users/@me/')).status).toBe(401)
  })
})

describe('POST login/token', () => {
  it('opens a session for the right code', async () => {
    const { tenant, challenge, code } = await challenged()
    const response = await sendCode(tenant, challenge, code)
    expect(seen(response)).toEqual(DONE)
    const browser = browserWith(tenant, cookieIn(response, 'sessionid')!, '')
    expect((await browser.get('/api/users/@me/')).body.is_2fa_enabled).toBe(true)
  })

  it.each([-1, 0, 1])('accepts the code of step %i, as typed', async (steps) => {
    const { tenant, challenge, secret } = await challenged()
    const code = codeOf(secret, tenant.clock.now(), steps)
    expect(seen(await sendCode(tenant, challenge, ` ${code.slice(0, 3)} ${code.slice(3)} `))).toEqual(DONE)
  })

  it.each([-2, 2])('rejects the code of step %i', async (steps) => {
    const { tenant, challenge, secret } = await challenged()
    const code = codeOf(secret, tenant.clock.now(), steps)
    expect(seen(await sendCode(tenant, challenge, code))).toEqual(WRONG)
  })

  it.each(['12345', '1234567', 'abcdef', '-12345', '１２３４５６'])('rejects %j', async (code) => {
    const { tenant, challenge } = await challenged()
    expect(seen(await sendCode(tenant, challenge, code))).toEqual(WRONG)
  })

  it('accepts a code once, and none of an earlier step afterwards', async () => {
    const { tenant, challenge, secret, code } = await challenged()
    expect(seen(await sendCode(tenant, challenge, code))).toEqual(DONE)
    const again = await challengeOf(tenant)
    expect(seen(await sendCode(tenant, again, code))).toEqual(WRONG)
    expect(seen(await sendCode(tenant, again, codeOf(secret, tenant.clock.now(), -1)))).toEqual(WRONG)
    expect(seen(await sendCode(tenant, again, codeOf(secret, tenant.clock.now(), 1)))).toEqual(DONE)
  })

  it('opens one session for two concurrent requests with one code', async () => {
    const { tenant, challenge, code } = await challenged()
    const other = await challengeOf(tenant)
    const responses = await Promise.all([sendCode(tenant, challenge, code), sendCode(tenant, other, code)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('accepts a challenge once', async () => {
    const { tenant, challenge, secret, code } = await challenged()
    await sendCode(tenant, challenge, code)
    expect(seen(await sendCode(tenant, challenge, codeOf(secret, tenant.clock.now(), 1)))).toEqual(EXPIRED)
  })

  it('rejects expired and unknown challenges, and inactive users', async () => {
    const { tenant, challenge, secret, code } = await challenged()
    expect(seen(await sendCode(tenant, 'unknown', code))).toEqual(EXPIRED)
    expect(seen(await tenant.send('POST', '/api/login/token/', { body: { token: code } }))).toEqual(EXPIRED)
    tenant.clock.advance({ minutes: 10 })
    expect(seen(await sendCode(tenant, challenge, codeOf(secret, tenant.clock.now())))).toEqual(EXPIRED)
    const fresh = await challengeOf(tenant)
    await updateUser(tenant, { isActive: false })
    expect(seen(await sendCode(tenant, fresh, codeOf(secret, tenant.clock.now())))).toEqual(EXPIRED)
  })

  it('locks after six wrong codes within twenty minutes, across challenges', async () => {
    const { tenant, secret, challenge } = await challenged()
    for (let failure = 0; failure < 6; failure += 1) {
      expect(seen(await sendCode(tenant, challenge, '000000'))).toEqual(WRONG)
    }
    const code = () => codeOf(secret, tenant.clock.now())
    expect(seen(await sendCode(tenant, challenge, code()))).toEqual(TOO_MANY)
    expect(seen(await sendCode(tenant, await challengeOf(tenant), code()))).toEqual(TOO_MANY)
    tenant.clock.advance({ minutes: 20 })
    expect(seen(await sendCode(tenant, await challengeOf(tenant), code()))).toEqual(DONE)
  })

  it('accepts a backup code once, case-insensitively', async () => {
    const { tenant, challenge } = await challenged()
    const browser = await signIn(tenant)
    const { body } = await browser.post('/api/users/@me/two_factor_backup_codes/')
    const [first, second] = body.backup_codes as string[]
    expect(seen(await sendCode(tenant, challenge, first!.toUpperCase()))).toEqual(DONE)
    expect(seen(await sendCode(tenant, await challengeOf(tenant), first!))).toEqual(WRONG)
    expect(seen(await sendCode(tenant, await challengeOf(tenant), second!))).toEqual(DONE)
  })
})
