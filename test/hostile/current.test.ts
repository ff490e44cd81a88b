// `@current` follows a switch at once, in every isolate: a write must never reach the project that a user just left.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { featureFlags, projects } from '../../drizzle'
import { joinOrganization } from '../support/database/account-rows'
import { createHarness } from '../support/harness'
import { signIn } from '../support/session'
import { createTenant, database, type Tenant } from '../support/tenant'

/** A member of two organizations who works in the first, and the same key in two isolates. */
async function memberOfTwo() {
  const harness = createHarness()
  const elsewhere = createHarness({ clock: harness.clock })
  const [tenant, other] = [await createTenant({ harness, level: 15 }), await createTenant({ harness })]
  await joinOrganization(tenant, other.organizationId, 8)
  const headers = { Authorization: `Bearer ${tenant.key}` }
  await tenant.patch('/api/users/@me/', { set_current_organization: tenant.organizationId })
  return {
    tenant,
    other,
    /** Creates a flag through `@current` in one of two isolates; returns the project that has it. */
    async write(isolate: 'here' | 'elsewhere'): Promise<number> {
      const { send } = isolate === 'here' ? harness : elsewhere
      const key = `written-${crypto.randomUUID()}`
      const response = await send('POST', '/api/projects/@current/feature_flags/', { body: { key }, headers })
      expect([response.status, response.body.key]).toEqual([201, key])
      const [row] = await database()
        .select({ projectId: featureFlags.projectId })
        .from(featureFlags)
        .where(eq(featureFlags.id, response.body.id))
      return row!.projectId
    },
  }
}

const SWITCHES: readonly [
  how: string,
  change: (tenant: Tenant, other: Tenant) => Promise<{ status: number }>,
][] = [
  [
    'set_current_organization',
    (tenant, other) => tenant.patch('/api/users/@me/', { set_current_organization: other.organizationId }),
  ],
  [
    'set_current_team',
    (tenant, other) => tenant.patch('/api/users/@me/', { set_current_team: other.projectId }),
  ],
  [
    'scene_personalisation',
    (tenant, other) =>
      tenant.post('/api/users/@me/scene_personalisation/', { set_current_team: other.projectId }),
  ],
  [
    'a session',
    async (tenant, other) =>
      (await signIn(tenant)).patch('/api/users/@me/', { set_current_organization: other.organizationId }),
  ],
]

describe.each(SWITCHES)('a switch by %s', (_, change) => {
  it.each(['here', 'elsewhere'] as const)('counts for the next write %s', async (isolate) => {
    const { tenant, other, write } = await memberOfTwo()
    expect(await write(isolate)).toBe(tenant.projectId)
    expect((await change(tenant, other)).status).toBe(200)
    expect(await write(isolate)).toBe(other.projectId)
  })
})

describe('@current', () => {
  it('follows an accepted invite', async () => {
    const { tenant, write } = await memberOfTwo()
    const host = await createTenant({ harness: tenant })
    expect(await write('here')).toBe(tenant.projectId)
    const { body } = await host.post(`/api/organizations/${host.organizationId}/invites/`, {
      target_email: tenant.user.email,
    })
    const browser = await signIn(tenant)
    expect((await browser.post(`/api/signup/${body.id}/`)).status).toBe(201)
    expect(await write('here')).toBe(host.projectId)
    expect(await write('elsewhere')).toBe(host.projectId)
  })

  it('falls back when the user is removed from the organization', async () => {
    const { tenant, other, write } = await memberOfTwo()
    const owner = await createTenant({ harness: tenant })
    await joinOrganization(owner, other.organizationId, 15)
    await tenant.patch('/api/users/@me/', { set_current_organization: other.organizationId })
    expect(await write('here')).toBe(other.projectId)
    const path = `/api/organizations/${other.organizationId}/members/${tenant.user.uuid}/`
    expect((await (await signIn(owner)).delete(path)).status).toBe(204)
    expect(await write('here')).toBe(tenant.projectId)
    expect(await write('elsewhere')).toBe(tenant.projectId)
  })

  it('follows for organizations', async () => {
    const { tenant, other } = await memberOfTwo()
    const current = async () => (await tenant.get('/api/organizations/@current/')).body.id
    expect(await current()).toBe(tenant.organizationId)
    await tenant.patch('/api/users/@me/', { set_current_organization: other.organizationId })
    expect(await current()).toBe(other.organizationId)
  })

  it('finds the first project of an organization as soon as there is one', async () => {
    const tenant = await createTenant({ level: 15 })
    await database().delete(projects).where(eq(projects.id, tenant.projectId))
    expect((await tenant.get('/api/projects/@current/')).status).toBe(404)
    const { body } = await tenant.post('/api/projects/', { name: 'First' })
    expect((await tenant.get('/api/projects/@current/')).body.id).toBe(body.id)
  })

  it('costs one D1 round trip more than an id when the key is cached', async () => {
    const { tenant } = await memberOfTwo()
    const { id } = await tenant.flag()
    const costs = async (path: string) => {
      await tenant.get(path)
      const { status, line } = await tenant.get(path)
      return [status, line.d1_round_trips]
    }
    expect(await costs(`/api/projects/${tenant.projectId}/feature_flags/${id}/`)).toEqual([200, 1])
    expect(await costs(`/api/projects/@current/feature_flags/${id}/`)).toEqual([200, 2])
  })
})
