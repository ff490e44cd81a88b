// Setting up and ending a second factor (docs/reference/accounts.md#second-factor).
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { activityLog, backupCodes, loginChallenges, sessions, totpDevices } from '../../../drizzle'
import { secretText } from '../../../src/account/two-factor/codes'
import { joinOrganization } from '../../support/database/account-rows'
import { refused, seen } from '../../support/responses'
import { createHarness } from '../../support/harness'
import { type Browser, signIn } from '../../support/session'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { codeOf, giveSecondFactor, pendingSecretOf } from '../../support/two-factor'
import { updateUser } from '../../support/user'

const path = (name: string) => `/api/users/@me/${name}/`
const DONE = { status: 200, body: { success: true } }
const EXPIRED = refused(null, '2FA setup session expired. Please start setup again.', 'setup_expired')
const INVALID = refused(null, 'Token is not valid', 'token_invalid')

async function signedIn(): Promise<{ tenant: Tenant; browser: Browser }> {
  const tenant = await createTenant()
  return { tenant, browser: await signIn(tenant) }
}

const confirm = (browser: Browser, token: string) => browser.post(path('two_factor_validate'), { token })

const statusOf = async (browser: Browser) => (await browser.get(path('two_factor_status'))).body

describe('GET start_2fa_setup', () => {
  it('responds without a body and stores an encrypted secret in the session', async () => {
    const { browser } = await signedIn()
    expect(seen(await browser.get(path('start_2fa_setup')))).toEqual({ status: 200, body: null })
    const [row] = await database().select().from(sessions).where(eq(sessions.id, browser.sessionId))
    const secret = await pendingSecretOf(browser)
    expect(secret).toHaveLength(20)
    expect(row!.pendingTotpSecret).toMatch(/^enc:test:/)
    for (const plain of [secretText(secret), btoa(String.fromCharCode(...secret))]) {
      expect(JSON.stringify(row)).not.toContain(plain)
    }
    expect((await statusOf(browser)).is_enabled).toBe(false)
  })

  it.each(['start_2fa_setup', 'two_factor_start_setup'])(
    'is a 405 for HEAD of %s, which replaces nothing',
    async (name) => {
      const { browser } = await signedIn()
      await browser.get(path('start_2fa_setup'))
      const pending = await pendingSecretOf(browser)
      const response = await browser.send('HEAD', path(name))
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET'])
      expect(await pendingSecretOf(browser)).toEqual(pending)
    },
  )

  it('replaces the secret each time, for this session only', async () => {
    const { tenant, browser } = await signedIn()
    const other = await signIn(tenant)
    await browser.get(path('start_2fa_setup'))
    const first = await pendingSecretOf(browser)
    await browser.get(path('start_2fa_setup'))
    expect(await pendingSecretOf(browser)).not.toEqual(first)
    expect(seen(await confirm(browser, codeOf(first, tenant.clock.now())))).toEqual(INVALID)
    const code = codeOf(await pendingSecretOf(browser), tenant.clock.now())
    expect(seen(await confirm(other, code))).toEqual(EXPIRED)
  })
})

describe('GET two_factor_start_setup', () => {
  it('returns the secret, which validate_2fa confirms', async () => {
    const { tenant, browser } = await signedIn()
    const response = await browser.get(path('two_factor_start_setup'))
    const secret = await pendingSecretOf(browser)
    expect(seen(response)).toEqual({ status: 200, body: { success: true, secret: secretText(secret) } })
    expect(response.body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(response.headers.get('Cache-Control')).toBe('private, no-store')
    const validate = (token: string) => browser.post(path('validate_2fa'), { token })
    expect(seen(await validate('abcdef'))).toEqual(INVALID)
    expect(seen(await validate(codeOf(secret, tenant.clock.now())))).toEqual(DONE)
    expect((await statusOf(browser)).is_enabled).toBe(true)
    expect(seen(await validate(codeOf(secret, tenant.clock.now())))).toEqual(EXPIRED)
  })

  it('replaces the secret each time, under both names', async () => {
    const { tenant, browser } = await signedIn()
    const first = await browser.get(path('two_factor_start_setup'))
    const old = await pendingSecretOf(browser)
    await browser.get(path('start_2fa_setup'))
    expect(secretText(await pendingSecretOf(browser))).not.toBe(first.body.secret)
    expect(
      seen(await browser.post(path('validate_2fa'), { token: codeOf(old, tenant.clock.now()) })),
    ).toEqual(INVALID)
  })

  it('rejects keys', async () => {
    const { tenant } = await signedIn()
    const { status, body } = await tenant.get(path('two_factor_start_setup'))
    expect([status, body.detail]).toEqual([403, 'This action does not support personal API key access'])
  })
})

describe('GET two_factor_qr', () => {
  it('draws the pending secret, else 404', async () => {
    const { tenant, browser } = await signedIn()
    expect((await browser.get(path('two_factor_qr'))).status).toBe(404)
    await browser.get(path('start_2fa_setup'))
    const { status, body, headers } = await browser.get(path('two_factor_qr'))
    expect([status, headers.get('Content-Type')]).toEqual([200, 'image/svg+xml'])
    expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'")
    expect(body).toMatch(/^<svg [^]*<\/svg>$/)
    tenant.clock.advance({ minutes: 10 })
    expect((await browser.get(path('two_factor_qr'))).status).toBe(404)
  })
})

/** Sign-ins that wait for a code. */
const challenges = ({ user }: { user: { id: number } }) =>
  database().select().from(loginChallenges).where(eq(loginChallenges.userId, user.id))

describe('POST two_factor_validate', () => {
  it('enables the secret, ends other sessions and sign-ins that have begun, and its code is used up', async () => {
    const { tenant, browser } = await signedIn()
    const other = await signIn(tenant)
    await database().insert(loginChallenges).values({
      tokenHash: crypto.randomUUID(),
      userId: tenant.user.id,
      expiresAt: '2027-01-01T00:00:00.000000Z',
    })
    await browser.get(path('start_2fa_setup'))
    const secret = await pendingSecretOf(browser)
    expect(seen(await confirm(browser, codeOf(secret, tenant.clock.now())))).toEqual(DONE)
    expect(await statusOf(browser)).toEqual({
      is_enabled: true,
      method: 'TOTP',
      has_passkeys: false,
      has_totp: true,
      passkeys_enabled_for_2fa: false,
      backup_codes_remaining: 0,
    })
    expect((await other.get('/api/users/@me/')).status).toBe(401)
    expect(await challenges(tenant)).toEqual([])
    const [device] = await database().select().from(totpDevices).where(eq(totpDevices.userId, tenant.user.id))
    expect(device!.secret).toMatch(/^enc:test:/)
    expect(device!.lastStep).toBe(Math.floor(tenant.clock.now().getTime() / 30_000))
    expect(seen(await confirm(browser, codeOf(secret, tenant.clock.now())))).toEqual(EXPIRED)
  })

  it('rejects an empty code, a wrong code, and an expired setup', async () => {
    const { tenant, browser } = await signedIn()
    expect(seen(await confirm(browser, '123456'))).toEqual(EXPIRED)
    expect(seen(await browser.post(path('two_factor_validate')))).toEqual(
      refused('token', 'This field is required.', 'required'),
    )
    await browser.get(path('start_2fa_setup'))
    const secret = await pendingSecretOf(browser)
    expect(seen(await confirm(browser, 'abcdef'))).toEqual(INVALID)
    tenant.clock.advance({ minutes: 10 })
    expect(seen(await confirm(browser, codeOf(secret, tenant.clock.now())))).toEqual(EXPIRED)
  })

  it('allows six attempts within twenty minutes', async () => {
    const { tenant, browser } = await signedIn()
    await browser.get(path('start_2fa_setup'))
    for (let round = 0; round < 6; round += 1) {
      expect(seen(await confirm(browser, '000000'))).toEqual(INVALID)
    }
    tenant.clock.advance({ minutes: 5 })
    const code = codeOf(await pendingSecretOf(browser), tenant.clock.now())
    const response = await confirm(browser, code)
    expect(seen(response)).toEqual({
      status: 429,
      body: {
        type: 'throttled_error',
        code: 'throttled',
        detail: 'Request was throttled. Expected available in 900 seconds.',
        attr: null,
      },
    })
    expect(response.headers.get('Retry-After')).toBe('900')
  })

  it('does not count attempts without a pending secret', async () => {
    const { tenant, browser } = await signedIn()
    for (let round = 0; round < 7; round += 1) {
      expect(seen(await confirm(browser, '000000'))).toEqual(EXPIRED)
    }
    await browser.get(path('start_2fa_setup'))
    const code = codeOf(await pendingSecretOf(browser), tenant.clock.now())
    expect(seen(await confirm(browser, code))).toEqual(DONE)
  })

  it('replaces an earlier one and deletes its backup codes', async () => {
    const { tenant, browser } = await signedIn()
    await giveSecondFactor(tenant)
    await browser.post(path('two_factor_backup_codes'))
    await browser.get(path('start_2fa_setup'))
    await confirm(browser, codeOf(await pendingSecretOf(browser), tenant.clock.now()))
    expect(await statusOf(browser)).toMatchObject({ is_enabled: true, backup_codes_remaining: 0 })
  })

  it('fails without a key ring, and stores nothing in clear text', async () => {
    const harness = createHarness({ bindings: { ACCOUNT_KEYS: '' } })
    const browser = await signIn(await createTenant({ harness }))
    expect((await browser.get(path('start_2fa_setup'))).status).toBe(500)
    expect(env.ACCOUNT_KEYS).not.toBe('')
    const [row] = await database().select().from(sessions).where(eq(sessions.id, browser.sessionId))
    expect(row!.pendingTotpSecret).toBe(null)
  })
})

describe('POST two_factor_backup_codes', () => {
  it('returns ten codes that replace all earlier ones, and stores digests', async () => {
    const { tenant, browser } = await signedIn()
    await giveSecondFactor(tenant)
    const first = (await browser.post(path('two_factor_backup_codes'))).body.backup_codes as string[]
    const { status, body } = await browser.post(path('two_factor_backup_codes'))
    expect(status).toBe(200)
    expect(body.backup_codes).toHaveLength(10)
    expect(body.backup_codes).not.toContain(first[0])
    const rows = await database().select().from(backupCodes).where(eq(backupCodes.userId, tenant.user.id))
    expect(rows).toHaveLength(10)
    expect(rows.every(({ codeHash }) => /^[0-9a-f]{64}$/.test(codeHash))).toBe(true)
    expect((await statusOf(browser)).backup_codes_remaining).toBe(10)
  })

  it('requires a second factor', async () => {
    const { browser } = await signedIn()
    expect(seen(await browser.post(path('two_factor_backup_codes')))).toEqual(
      refused(null, '2FA must be enabled first', '2fa_not_enabled'),
    )
  })
})

describe('POST two_factor_disable', () => {
  it('deletes it with its backup codes, and keeps other sessions', async () => {
    const { tenant, browser } = await signedIn()
    const other = await signIn(tenant)
    await giveSecondFactor(tenant)
    await browser.post(path('two_factor_backup_codes'))
    expect(seen(await browser.post(path('two_factor_disable')))).toEqual(DONE)
    expect(seen(await browser.post(path('two_factor_disable')))).toEqual(DONE)
    expect(await statusOf(browser)).toMatchObject({
      is_enabled: false,
      method: null,
      backup_codes_remaining: 0,
    })
    expect((await other.get('/api/users/@me/')).body.is_2fa_enabled).toBe(false)
  })

  it('lets staff disable it for another user', async () => {
    const [{ tenant }, staff] = [await signedIn(), await createTenant()]
    await giveSecondFactor(tenant)
    await updateUser(staff, { isStaff: true })
    const helper = await signIn(staff)
    const response = await helper.post(`/api/users/${tenant.user.uuid}/two_factor_disable/`)
    expect(seen(response)).toEqual(DONE)
    expect((await helper.post(`/api/users/${crypto.randomUUID()}/two_factor_disable/`)).status).toBe(404)
    expect((await statusOf(await signIn(tenant))).is_enabled).toBe(false)
  })

  it('is in the activity of each organization of another user, once', async () => {
    const harness = createHarness()
    const [tenant, second, staff] = [
      await createTenant({ harness }),
      await createTenant({ harness }),
      await createTenant({ harness }),
    ]
    await joinOrganization(tenant, second.organizationId)
    await giveSecondFactor(tenant)
    await updateUser(staff, { isStaff: true })
    const helper = await signIn(staff)
    for (let round = 0; round < 2; round += 1)
      expect(seen(await helper.post(`/api/users/${tenant.user.uuid}/two_factor_disable/`))).toEqual(DONE)
    for (const { organizationId } of [tenant, second]) {
      expect(
        await database().select().from(activityLog).where(eq(activityLog.organizationId, organizationId)),
      ).toMatchObject([
        {
          userId: staff.user.id,
          activity: 'updated',
          scope: 'OrganizationMembership',
          itemId: tenant.user.uuid,
          detail: {
            name: tenant.user.email,
            changes: [
              {
                type: 'OrganizationMembership',
                action: 'deleted',
                field: 'two_factor',
                before: true,
                after: null,
              },
            ],
          },
        },
      ])
    }
  })
})
