// The pages of a sign-in at the chat provider, as far as no provider is needed (docs/reference/accounts.md#chat-links).
import { describe, expect, it } from 'vitest'
import { workspace } from '../../support/database/account-rows'
import { createHarness } from '../../support/harness'
import { signIn } from '../../support/session'
import { createTenant, type Tenant } from '../../support/tenant'
import { updateUser } from '../../support/user'

const PATH = '/api/users/@me/integrations/'

const START = `${PATH}chat/start/`

const gate = (tenant: Tenant, body: Record<string, unknown> = {}) =>
  tenant.flag({ key: 'chat-app-oauth', filters: { groups: [{ rollout_percentage: 100 }] }, ...body })

describe('the pages of a sign-in', () => {
  it('report a missing provider', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    const { body } = await tenant.post(START)
    const browser = await signIn(tenant)
    const { pathname, search } = new URL(body.install_url)
    const response = await browser.get(pathname + search)
    expect([response.status, response.headers.get('Location')]).toEqual([
      302,
      '/settings/user-personal-integrations?chat_link_error=not_configured',
    ])
  })

  it('report a flag that was turned off in the meantime', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    const { body } = await tenant.post(START)
    await gate(tenant, { active: false })
    const { pathname, search } = new URL(body.install_url)
    const response = await (await signIn(tenant)).get(pathname + search)
    expect(response.headers.get('Location')).toBe(
      '/settings/user-personal-integrations?chat_link_error=flag_off',
    )
  })

  it('reject impersonating staff', async () => {
    const harness = createHarness()
    const [staff, other] = [await createTenant({ harness }), await createTenant({ harness })]
    await updateUser(staff, { isStaff: true })
    await workspace(other)
    const { body } = await other.post(START)
    const browser = await signIn(staff, {
      impersonatedUserId: other.user.id,
      impersonationReason: 'support',
      impersonationReadOnly: false,
      impersonationStartedAt: harness.clock.now().toISOString(),
    })
    const { pathname, search } = new URL(body.install_url)
    expect((await browser.get(pathname + search)).headers.get('Location')).toBe(
      '/settings/user-personal-integrations?chat_link_error=session_mismatch',
    )
    expect((await browser.post(START)).body).toMatchObject({ code: 'impersonation_path_blocked' })
  })

  it('reject HEAD of the callback, which would spend the sign-in', async () => {
    const browser = await signIn(await createTenant())
    const response = await browser.send('HEAD', '/complete/chat-link/?state=x&code=y')
    expect([response.status, response.headers.get('Allow'), response.headers.get('Location')]).toEqual([
      405,
      'GET',
      null,
    ])
  })

  it('reject keys', async () => {
    const tenant = await createTenant()
    await workspace(tenant)
    const { body } = await tenant.post(START)
    const { pathname, search } = new URL(body.install_url)
    const response = await tenant.get(pathname + search)
    expect([response.status, response.headers.get('Location')?.split('?')[0]]).toEqual([302, '/login'])
  })
})
