// The second factor that an organization requires of its members.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { organizations, totpDevices } from '../../../drizzle'
import { joinOrganization } from '../../support/database/account-rows'
import { createHarness } from '../../support/harness'
import { forbidden, refused, seen } from '../../support/responses'
import { signIn } from '../../support/session'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { codeOf, giveSecondFactor, pendingSecretOf } from '../../support/two-factor'
import { cookieIn, createMember, freshIp, login, PASSWORD, updateUser } from '../../support/user'
import { pathOf } from '../organizations/project'

const REQUIRED = forbidden('2FA setup required', 'two_factor_setup_required')

const enforce = ({ organizationId }: Pick<Tenant, 'organizationId'>) =>
  database().update(organizations).set({ enforce2fa: true }).where(eq(organizations.id, organizationId))

describe('PATCH organizations/:id with enforce_2fa', () => {
  it('takes an admin with a second factor', async () => {
    const tenant = await createTenant({ level: 8 })
    const browser = await signIn(tenant)
    const set = (value: boolean | null) => browser.patch(pathOf(tenant), { enforce_2fa: value })
    expect(seen(await set(true))).toEqual(
      refused(
        'enforce_2fa',
        'Set up two-factor authentication for your own account first.',
        '2fa_not_enabled',
      ),
    )
    expect((await set(false)).body.enforce_2fa).toBe(false)
    await giveSecondFactor(tenant)
    expect((await set(true)).body.enforce_2fa).toBe(true)
    expect((await set(null)).body.enforce_2fa).toBe(null)
  })

  it('rejects members with 403', async () => {
    const tenant = await createTenant()
    expect(seen(await tenant.patch(pathOf(tenant), { enforce_2fa: true }))).toEqual(
      forbidden('Your organization access level is insufficient.'),
    )
  })
})

describe('a session of a user without the required second factor', () => {
  it('can only set one up', async () => {
    const tenant = await createTenant({ level: 15 })
    const browser = await signIn(tenant)
    await enforce(tenant)
    for (const path of [tenant.flags(), '/api/organizations/', '/api/personal_api_keys/']) {
      expect(seen(await browser.get(path))).toEqual(REQUIRED)
    }
    expect(seen(await browser.patch('/api/users/@me/', { first_name: 'Eve' }))).toEqual(REQUIRED)
    expect(seen(await browser.patch(pathOf(tenant), { enforce_2fa: false }))).toEqual(REQUIRED)
    expect((await browser.get('/api/users/@me/')).body).toMatchObject({
      is_2fa_enabled: false,
      organization: { enforce_2fa: true },
    })
    expect((await browser.get('/api/users/@me/start_2fa_setup/')).status).toBe(200)
    expect((await browser.get('/api/users/@me/two_factor_qr/')).status).toBe(200)
    const token = codeOf(await pendingSecretOf(browser), tenant.clock.now())
    expect((await browser.post('/api/users/@me/two_factor_validate/', { token })).status).toBe(200)
    expect((await browser.post('/api/users/@me/two_factor_backup_codes/')).status).toBe(200)
    expect((await browser.get(tenant.flags())).status).toBe(200)
  })

  it('is limited by any organization of the user, not only the current one', async () => {
    const harness = createHarness()
    const [tenant, other] = [await createTenant({ harness }), await createTenant({ harness })]
    await joinOrganization(tenant, other.organizationId)
    const browser = await signIn(tenant)
    expect((await browser.get(tenant.flags())).status).toBe(200)
    await enforce(other)
    expect(seen(await browser.get(tenant.flags()))).toEqual(REQUIRED)
  })

  it('reads no other user as staff', async () => {
    const harness = createHarness()
    const [staff, other] = [await createTenant({ harness }), await createTenant({ harness })]
    await updateUser(staff, { isStaff: true })
    await enforce(staff)
    expect(seen(await (await signIn(staff)).get(`/api/users/${other.user.uuid}/`))).toEqual(REQUIRED)
  })

  it('leads from sign-in to the section that sets it up', async () => {
    const tenant = await createMember()
    await enforce(tenant)
    const page = await tenant.send('GET', '/login')
    const csrf = /name="csrf" value="([^"]*)"/.exec(String(page.body))![1]!
    const response = await tenant.send('POST', '/login', {
      raw: new URLSearchParams({ csrf, email: tenant.user.email, password: PASSWORD, next: '/x' }),
      headers: { Cookie: `login_form=${cookieIn(page, 'login_form')}`, 'CF-Connecting-IP': freshIp() },
    })
    expect([response.status, response.headers.get('Location')]).toEqual([
      303,
      '/settings?next=%2Fx#two-factor',
    ])
  })

  it('does not affect users with a second factor, keys, and impersonation', async () => {
    const harness = createHarness()
    const [tenant, staff] = [await createMember({ harness }), await createTenant({ harness })]
    await enforce(tenant)
    expect((await tenant.get(tenant.flags())).status).toBe(200)
    await updateUser(staff, { isStaff: true })
    const helper = await signIn(staff, {
      impersonatedUserId: tenant.user.id,
      impersonationReason: 'ticket',
      impersonationReadOnly: true,
      impersonationStartedAt: '2026-03-10T12:00:00.000000Z',
      impersonationLastActivity: '2026-03-10T12:00:00.000000Z',
    })
    expect((await helper.get(tenant.flags())).status).toBe(200)
    expect((await login(tenant)).status).toBe(200)
    await giveSecondFactor(tenant)
    const browser = await signIn(tenant)
    expect((await browser.get(tenant.flags())).status).toBe(200)
    await database().delete(totpDevices).where(eq(totpDevices.userId, tenant.user.id))
    expect(seen(await browser.get(tenant.flags()))).toEqual(REQUIRED)
  })
})
