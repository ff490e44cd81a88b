// Revoked access ends at once in the isolate that made the change, and within 30 seconds in others, which cache keys. The table has every
// write of the service that changes what a key opens.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { memberships, organizations, personalApiKeys } from '../../drizzle'
import { maskOf } from '../../src/auth/api-keys'
import { joinOrganization } from '../support/database/account-rows'
import { type TestResponse, createHarness, type Harness } from '../support/harness'
import { type Browser, signIn } from '../support/session'
import { createTenant, database, type Tenant } from '../support/tenant'
import { updateUser } from '../support/user'

/** An admin with a key, and who else acts on them. */
interface World {
  tenant: Tenant
  /** The id of the tenant's key. */
  keyId: string
  /** The tenant's own browser. */
  browser: Browser
  /** An owner of the tenant's organization, in a browser. */
  owner: Browser
  /** Staff, in a browser. */
  staff: Browser
}

async function createWorld(harness: Harness): Promise<World> {
  const tenant = await createTenant({ harness, level: 8 })
  const [owner, staff] = [await createTenant({ harness }), await createTenant({ harness })]
  await joinOrganization(owner, tenant.organizationId, 15)
  await updateUser(staff, { isStaff: true })
  const [row] = await database()
    .select({ id: personalApiKeys.id })
    .from(personalApiKeys)
    .where(eq(personalApiKeys.maskValue, maskOf(tenant.key)))
  return {
    tenant,
    keyId: row!.id,
    browser: await signIn(tenant),
    owner: await signIn(owner),
    staff: await signIn(staff),
  }
}

interface Revocation {
  /** Prepares the state that the change ends. */
  before?(world: World): Promise<unknown>
  change(world: World): Promise<TestResponse>
  /** What the key is used for; by default to list the project's flags. */
  request?(world: World): Promise<{ method: string; path: string }>
  /** Status before and after the change. */
  statuses: [before: number, after: number]
}

const keyPath = ({ keyId }: World) => `/api/personal_api_keys/${keyId}/`
const organizationPath = ({ tenant }: World) => `/api/organizations/${tenant.organizationId}/`
const memberPath = (world: World) => `${organizationPath(world)}members/${world.tenant.user.uuid}/`

const REVOCATIONS: Record<string, Revocation> = {
  'DELETE personal_api_keys/:id': {
    change: (world) => world.browser.delete(keyPath(world)),
    statuses: [200, 401],
  },
  'POST personal_api_keys/:id/roll': {
    change: (world) => world.browser.post(`${keyPath(world)}roll/`),
    statuses: [200, 401],
  },
  'PATCH personal_api_keys/:id, scopes': {
    change: (world) => world.browser.patch(keyPath(world), { scopes: ['user:read'] }),
    statuses: [200, 403],
  },
  'PATCH personal_api_keys/:id, scoped_teams': {
    async change(world) {
      const other = await createTenant({ harness: world.tenant })
      await joinOrganization(world.tenant, other.organizationId)
      return world.browser.patch(keyPath(world), { scoped_teams: [other.projectId] })
    },
    statuses: [200, 403],
  },
  'PUT personal_api_keys/:id': {
    change: (world) =>
      world.browser.send('PUT', keyPath(world), {
        body: { label: 'test', scopes: ['user:read'], scoped_teams: [], scoped_organizations: [] },
      }),
    statuses: [200, 403],
  },
  'PATCH organizations/:id, members_can_use_personal_api_keys': {
    before: ({ tenant }) =>
      database().update(memberships).set({ level: 1 }).where(eq(memberships.userId, tenant.user.id)),
    change: (world) =>
      world.owner.patch(organizationPath(world), { members_can_use_personal_api_keys: false }),
    statuses: [200, 403],
  },
  'PATCH organizations/:id/members/:uuid': {
    // Of an organization that lets only admins use keys.
    before: ({ tenant }) =>
      database()
        .update(organizations)
        .set({ membersCanUsePersonalApiKeys: false })
        .where(eq(organizations.id, tenant.organizationId)),
    change: (world) => world.owner.patch(memberPath(world), { level: 1 }),
    statuses: [200, 403],
  },
  'DELETE organizations/:id/members/:uuid': {
    change: (world) => world.owner.delete(memberPath(world)),
    statuses: [200, 403],
  },
  'DELETE organizations/:id/members/@me': {
    change: (world) => world.browser.delete(`${organizationPath(world)}members/@me/`),
    statuses: [200, 403],
  },
  'PATCH users/:uuid, is_staff': {
    before: ({ tenant }) => updateUser(tenant, { isStaff: true }),
    change: ({ tenant, staff }) => staff.patch(`/api/users/${tenant.user.uuid}/`, { is_staff: false }),
    async request() {
      return { method: 'GET', path: `/api/users/${(await createTenant()).user.uuid}/` }
    },
    statuses: [200, 403],
  },
}

async function arrange({ before, request }: Revocation) {
  const here = createHarness()
  const elsewhere = createHarness({ clock: here.clock })
  const world = await createWorld(here)
  await before?.(world)
  const { method, path } = (await request?.(world)) ?? { method: 'GET', path: world.tenant.flags() }
  const headers = { Authorization: `Bearer ${world.tenant.key}` }
  return {
    world,
    call: async ({ send }: Harness) => (await send(method, path, { headers })).status,
    here,
    elsewhere,
  }
}

describe.each(Object.entries(REVOCATIONS))('%s', (_, revocation) => {
  const { change, statuses } = revocation

  it('takes effect immediately in the isolate that made it', async () => {
    const { world, call, here } = await arrange(revocation)
    expect(await call(here)).toBe(statuses[0])
    expect((await change(world)).status).toBeLessThan(400)
    expect(await call(here)).toBe(statuses[1])
  })

  it('counts in another isolate within 30 seconds', async () => {
    const { world, call, here, elsewhere } = await arrange(revocation)
    expect(await call(elsewhere)).toBe(statuses[0])
    expect((await change(world)).status).toBeLessThan(400)
    here.clock.advance({ seconds: 30 })
    expect(await call(elsewhere)).toBe(statuses[1])
  })
})

describe('a user deactivated in the database', () => {
  it('loses sessions immediately, and cached keys within 30 seconds', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    const cold = await tenant.withKey({})
    expect((await tenant.get(tenant.flags())).status).toBe(200)
    expect((await browser.get(tenant.flags())).status).toBe(200)
    await updateUser(tenant, { isActive: false })
    expect((await browser.get(tenant.flags())).status).toBe(401)
    expect((await cold.get(cold.flags())).status).toBe(401)
    tenant.clock.advance({ seconds: 30 })
    expect((await tenant.get(tenant.flags())).status).toBe(401)
  })

  it('loses sessions that impersonate others', async () => {
    const tenant = await createTenant()
    const staff = await createTenant({ harness: tenant })
    await updateUser(staff, { isStaff: true })
    const browser = await signIn(staff, {
      impersonatedUserId: tenant.user.id,
      impersonationReason: 'support',
      impersonationReadOnly: true,
      impersonationStartedAt: tenant.clock.now().toISOString(),
    })
    expect((await browser.get(tenant.flags())).status).toBe(200)
    await updateUser(staff, { isActive: false })
    expect((await browser.get(tenant.flags())).status).toBe(401)
  })
})

describe('a revocation during a lookup', () => {
  it('is not undone when the lookup ends', async () => {
    let overtake: (() => Promise<unknown>) | null = null
    const DB = withLookup(env.DB, async (run) => {
      const result = await run()
      const others = overtake
      overtake = null
      await others?.()
      return result
    })
    const harness = createHarness({ bindings: { DB } })
    const world = await createWorld(harness)
    const { tenant, browser } = world
    overtake = () => browser.delete(keyPath(world))
    // The key was good when it was looked up.
    expect((await tenant.get(tenant.flags())).status).toBe(200)
    expect((await tenant.get(tenant.flags())).status).toBe(401)
  })
})

/** A database that runs `around` in place of the lookup of a key. */
function withLookup(real: D1Database, around: <T>(run: () => Promise<T>) => Promise<T>): D1Database {
  return {
    prepare(text: string) {
      const statement = real.prepare(text)
      if (!text.includes('from "personal_api_keys" inner join "users"')) return statement
      return {
        bind: (...values: unknown[]) => {
          const bound = statement.bind(...values)
          return { all: () => around(() => bound.all()) }
        },
      }
    },
    batch: (statements: D1PreparedStatement[]) => real.batch(statements),
  } as unknown as D1Database
}
