// Viewers, the level of members who read only. test/security/viewers.test.ts has what each operation answers them.
import { describe, expect, it } from 'vitest'
import { joinOrganization } from '../../support/database/account-rows'
import { forbidden, seen } from '../../support/responses'
import { createHarness } from '../../support/harness'
import { signIn } from '../../support/session'
import { createTenant, setLevel, type Tenant } from '../../support/tenant'
import { pathOf } from './project'

const invites = (host: Tenant, id = '') => pathOf(host, `invites/${id}${id === '' ? '' : '/'}`)
const memberOf = (host: Tenant, { user }: Tenant) => pathOf(host, `members/${user.uuid}/`)

const readOnly = forbidden(
  expect.stringMatching(/^Your membership of organization '.+' is read-only \(viewer\)\./) as string,
)

/** An owner, and a user who is a member of the organization and works in it. */
async function pair() {
  const harness = createHarness()
  const [owner, other] = [await createTenant({ harness, level: 15 }), await createTenant({ harness })]
  await joinOrganization(other, owner.organizationId, 1)
  return { owner, other, browser: await signIn(owner) }
}

describe('a member who becomes a viewer', () => {
  it('loses the right to write at once, with a key that is known as that of a member, and gets it back', async () => {
    const { owner, other } = await pair()
    const create = async (key: string) => other.post(owner.flags(), { key })
    expect((await create('first')).status).toBe(201)
    // A key changes levels below admin.
    expect(await owner.patch(memberOf(owner, other), { level: 0 })).toMatchObject({
      status: 200,
      body: { level: 0 },
    })
    expect(seen(await create('second'))).toEqual(readOnly)
    expect((await other.get(owner.flags())).body.count).toBe(1)
    expect(await other.get(`/api/organizations/${owner.organizationId}/`)).toMatchObject({
      status: 200,
      body: { membership_level: 0 },
    })
    expect((await owner.patch(memberOf(owner, other), { level: 1 })).body.level).toBe(1)
    expect((await create('second')).status).toBe(201)
  })

  it('is a viewer of that organization only', async () => {
    const { owner, other } = await pair()
    await owner.patch(memberOf(owner, other), { level: 0 })
    expect((await other.post(other.flags(), { key: 'own' })).status).toBe(201)
  })

  it('loses the invites for members, and neither sees nor deletes any', async () => {
    const { owner, other } = await pair()
    for (const level of [0, 1]) {
      const made = await other.post(invites(owner), { target_email: `grace-${level}@example.com`, level })
      expect(made).toMatchObject({ status: 201, body: { level } })
    }
    await owner.patch(memberOf(owner, other), { level: 0 })
    const { body } = await owner.get(invites(owner))
    expect(body.results.map(({ level }: { level: number }) => level)).toEqual([0])
    const browser = await signIn(other)
    expect((await browser.get(invites(owner))).body).toMatchObject({ count: 0, results: [] })
    expect(seen(await browser.delete(invites(owner, body.results[0].id)))).toEqual(readOnly)
    expect(seen(await browser.post(invites(owner), { target_email: 'a@example.com', level: 0 }))).toEqual(
      readOnly,
    )
  })
})

describe('an invite for a viewer', () => {
  it('makes a viewer of who accepts it', async () => {
    const { owner } = await pair()
    const guest = await createTenant({ harness: owner })
    const { body } = await owner.post(invites(owner), { target_email: guest.user.email, level: 0 })
    const browser = await signIn(guest)
    expect((await browser.post(`/api/signup/${body.id}/`)).status).toBe(201)
    expect((await browser.get(owner.flags())).status).toBe(200)
    expect(seen(await browser.post(owner.flags(), { key: 'flag' }))).toEqual(readOnly)
  })

  it('goes with the member who made it', async () => {
    const { owner, other } = await pair()
    const { body } = await other.post(invites(owner), { target_email: 'grace@example.com', level: 0 })
    expect((await owner.delete(memberOf(owner, other))).status).toBe(204)
    expect((await owner.send('GET', `/api/signup/${body.id}/`)).status).toBe(400)
  })
})

describe('a viewer', () => {
  it('sees that flags cannot be edited, and no encrypted payload', async () => {
    const tenant = await createTenant()
    const body = (secret: string) => ({
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { groups: [{ rollout_percentage: 100 }], payloads: { true: JSON.stringify(secret) } },
    })
    const { id } = await tenant.flag(body('hidden'))
    const config = tenant.flags(`${id}/remote_config`)
    expect((await tenant.get(config)).body).toBe('"hidden"')
    await setLevel(tenant, 0)
    const viewer = await tenant.withKey({ scopes: ['*'] })
    const flag = await viewer.get(tenant.flags(id))
    expect(flag).toMatchObject({ status: 200, body: { can_edit: false, user_access_level: 'viewer' } })
    const evaluated = await viewer.post(tenant.flags(`${id}/test_evaluation`), { distinct_id: 'ada' })
    for (const response of [flag, evaluated, await viewer.get(config), await viewer.get(tenant.flags())]) {
      expect(response.status).toBe(200)
      expect(JSON.stringify(response.body)).not.toContain('hidden')
      expect(JSON.stringify(response.body)).toContain('(encrypted)')
    }
  })

  it('creates no project, also where members may', async () => {
    const tenant = await createTenant({ level: 0 })
    expect(seen(await tenant.post('/api/projects/', { name: 'Mine' }))).toEqual(readOnly)
    expect(seen(await tenant.post(pathOf(tenant, 'projects/'), { name: 'Mine' }))).toEqual(readOnly)
  })
})
