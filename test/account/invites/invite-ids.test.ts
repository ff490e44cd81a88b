// The id of an invite is the way in: to whom it is shown (decided for safety; compatibility page).
import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { createHarness } from '../../support/harness'
import { signIn } from '../../support/session'
import { createTenant, type Tenant } from '../../support/tenant'
import { updateUser } from '../../support/user'

const invitesOf = ({ organizationId }: Tenant) => `/api/organizations/${organizationId}/invites/`

const STAND_IN = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/

/** A user with an invite for their own level, made by delegating onboarding: the list and the user's record both have it. */
async function delegated(level: 1 | 8, harness = createHarness()) {
  const tenant = await createTenant({ harness, level })
  const browser = await signIn(tenant)
  const { body } = await browser.post(`${invitesOf(tenant)}delegate/`, { target_email: 'grace@example.com' })
  return { tenant, id: body.id as string }
}

const listed = async (caller: Pick<Tenant, 'get'>, tenant: Tenant): Promise<string> =>
  (await caller.get(invitesOf(tenant))).body.results[0].id

const recorded = async (caller: Pick<Tenant, 'get'>): Promise<string> =>
  (await caller.get('/api/users/@me/')).body.onboarding_delegated_to_invite

describe('the id of an invite', () => {
  it('is shown to sessions, and for member invites to keys with organization_member:write', async () => {
    const { tenant, id } = await delegated(1)
    const key = await tenant.withKey({ scopes: ['organization_member:write', 'user:read'] })
    for (const caller of [key, await signIn(tenant)]) {
      expect([await listed(caller, tenant), await recorded(caller)]).toEqual([id, id])
    }
  })

  it('is masked for every key if the invite is for an admin', async () => {
    const { tenant, id } = await delegated(8)
    const key = await tenant.withKey({ scopes: ['*'] })
    const shown = await listed(key, tenant)
    expect([shown, await recorded(key)]).toEqual([expect.stringMatching(STAND_IN), shown])
    expect(await listed(await signIn(tenant), tenant)).toBe(id)
  })

  it('is masked for a read-only key', async () => {
    const { tenant, id } = await delegated(1)
    const key = await tenant.withKey({ scopes: ['organization_member:read', 'user:read'] })
    const shown = await listed(key, tenant)
    expect(shown).toMatch(STAND_IN)
    expect([await listed(key, tenant), await recorded(key)]).toEqual([shown, shown])
    expect(seen(await tenant.send('GET', `/api/signup/${shown}/`))).toEqual(
      refused(null, 'The provided invite ID is not valid.'),
    )
    expect((await tenant.send('GET', `/api/signup/${id}/`)).status).toBe(200)
  })

  it('is masked for impersonating staff', async () => {
    const harness = createHarness()
    const { tenant } = await delegated(1, harness)
    const staff = await createTenant({ harness })
    await updateUser(staff, { isStaff: true })
    const browser = await signIn(staff, {
      impersonatedUserId: tenant.user.id,
      impersonationReason: 'support',
      impersonationReadOnly: true,
      impersonationStartedAt: '2026-03-10T12:00:00.000000Z',
    })
    expect([await listed(browser, tenant), await recorded(browser)]).toEqual([
      expect.stringMatching(STAND_IN),
      expect.stringMatching(STAND_IN),
    ])
  })

  it('is masked in pending invites, except for sessions of the user', async () => {
    const harness = createHarness()
    const [host, guest] = [await createTenant({ harness, level: 8 }), await createTenant({ harness })]
    await updateUser(guest, { isEmailVerified: true })
    const { body } = await host.post(invitesOf(host), { target_email: guest.user.email })
    const waiting = async (caller: Pick<Tenant, 'get'>) =>
      (await caller.get('/api/users/@me/')).body.pending_invites[0].id
    expect(await waiting(await signIn(guest))).toBe(body.id)
    expect(await waiting(await guest.withKey({ scopes: ['user:read'] }))).toMatch(STAND_IN)
  })

  it('is masked in the user record for restricted keys', async () => {
    const { tenant } = await delegated(1)
    const key = await tenant.withKey({ scopes: ['*'], scopedTeams: [tenant.projectId] })
    expect(await recorded(key)).toMatch(STAND_IN)
  })
})
