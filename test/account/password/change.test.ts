// A new password through PATCH /api/users/@me/ (docs/reference/accounts.md#profile).
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { loginChallenges } from '../../../drizzle'
import { forbidden, refused, seen } from '../../support/responses'
import { signIn } from '../../support/session'
import { createTenant, database } from '../../support/tenant'
import { giveSecondFactor } from '../../support/two-factor'
import { createMember, login, PASSWORD, storedUser, updateUser } from '../../support/user'

const ME = '/api/users/@me/'
const NEW_PASSWORD = 'quite-0ther-w0rds'

describe('a new password', () => {
  it('requires the current one, ends all other sessions and pending sign-ins, and keeps this session', async () => {
    const tenant = await createMember()
    await giveSecondFactor(tenant)
    await login(tenant)
    const [browser, other] = [await signIn(tenant), await signIn(tenant)]
    const change = { password: NEW_PASSWORD, current_password: PASSWORD }
    const { status, body } = await browser.patch(ME, change)
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toContain(NEW_PASSWORD)
    expect((await other.get(ME)).status).toBe(401)
    expect((await browser.get(ME)).status).toBe(200)
    expect((await login(tenant)).status).toBe(400)
    expect((await login(tenant, { password: NEW_PASSWORD })).body.code).toBe('2fa_required')
    await expect(
      database().select().from(loginChallenges).where(eq(loginChallenges.userId, tenant.user.id)),
    ).resolves.toHaveLength(1)
    expect(JSON.stringify(tenant.lines)).not.toContain(NEW_PASSWORD)
  })

  it('checks the current one before the new one', async () => {
    const tenant = await createMember()
    const browser = await signIn(tenant)
    expect(seen(await browser.patch(ME, { password: 'x' }))).toEqual(
      refused('current_password', 'This field is required when updating your password.', 'required'),
    )
    expect(seen(await browser.patch(ME, { password: 'x', current_password: 'no' }))).toEqual(
      refused('current_password', 'Your current password is incorrect.', 'incorrect_password'),
    )
    expect(seen(await browser.patch(ME, { password: 'x', current_password: PASSWORD }))).toEqual(
      refused('password', 'This password is too short. It must contain at least 8 characters.'),
    )
    expect((await storedUser(tenant)).passwordHash).not.toBe(null)
    expect((await login(tenant)).status).toBe(200)
  })

  it('requires no current one if the user has none', async () => {
    const tenant = await createTenant()
    expect((await (await signIn(tenant)).patch(ME, { password: NEW_PASSWORD })).status).toBe(200)
    expect((await login(tenant, { password: NEW_PASSWORD })).status).toBe(200)
  })

  it('is rejected for keys, as are a new email address and an end of the opt-out of impersonation', async () => {
    const tenant = await createTenant()
    await updateUser(tenant, { allowImpersonation: false })
    for (const [field, value] of [
      ['password', 'someone@example.com'],
      ['email', 'someone@example.com'],
      ['allow_impersonation', true],
      ['allow_impersonation', null],
    ] as const) {
      expect(seen(await tenant.patch(ME, { [field]: value }))).toEqual(
        forbidden(`You can only change your ${field} when you are signed in, not with an API key or token.`),
      )
    }
    const unchanged = { email: tenant.user.email, allow_impersonation: false }
    expect((await tenant.patch(ME, unchanged)).status).toBe(200)
  })

  it('is set once by two concurrent requests', async () => {
    const tenant = await createMember()
    const browsers = [await signIn(tenant), await signIn(tenant)]
    const responses = await Promise.all(
      browsers.map((browser, index) =>
        browser.patch(ME, { password: `${NEW_PASSWORD}-${index}`, current_password: PASSWORD }),
      ),
    )
    const winner = responses.findIndex(({ status }) => status === 200)
    // The new password has ended the other session.
    expect(responses[1 - winner]!.status).toBe(401)
    expect((await login(tenant, { password: `${NEW_PASSWORD}-${winner}` })).status).toBe(200)
  })

  it('is not delayed by requests with a key', async () => {
    const tenant = await createMember()
    const change = { password: NEW_PASSWORD, current_password: PASSWORD }
    for (let round = 0; round < 6; round += 1) expect((await tenant.patch(ME, change)).status).toBe(403)
    expect((await (await signIn(tenant)).patch(ME, change)).status).toBe(200)
  })

  it('allows five attempts a minute', async () => {
    const tenant = await createMember()
    const browser = await signIn(tenant)
    const attempt = () => browser.patch(ME, { password: NEW_PASSWORD, current_password: 'no' })
    for (let round = 0; round < 5; round += 1) expect((await attempt()).status).toBe(400)
    tenant.clock.advance({ seconds: 25 })
    const response = await browser.patch(ME, { password: NEW_PASSWORD, current_password: PASSWORD })
    expect(seen(response)).toEqual({
      status: 429,
      body: {
        type: 'throttled_error',
        code: 'throttled',
        detail: 'Request was throttled. Expected available in 35 seconds.',
        attr: null,
      },
    })
    expect(response.headers.get('Retry-After')).toBe('35')
    tenant.clock.advance({ seconds: 34 })
    expect((await attempt()).headers.get('Retry-After')).toBe('1')
    tenant.clock.advance({ seconds: 1 })
    expect((await attempt()).status).toBe(400)
  })
})
