// Inviting people.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { memberships, organizations } from '../../../drizzle'
import { type Level, LEVELS } from '../../../src/auth/actor'
import { forbidden, NOT_FOUND, refused, seen } from '../../support/responses'
import { createHarness } from '../../support/harness'
import { signIn } from '../../support/session'
import { createTenant, database, setLevel, type Tenant } from '../../support/tenant'

const pathOf = ({ organizationId }: Tenant) => `/api/organizations/${organizationId}/invites/`

const signup = (id: string) => `/api/signup/${id}/`

/** Invites somebody from a session that signed in just now. */
const invite = async (tenant: Tenant, body: Record<string, unknown> = {}): Promise<string> => {
  const browser = await signIn(tenant)
  const response = await browser.post(pathOf(tenant), { target_email: 'grace@example.com', ...body })
  if (response.status !== 201) throw new Error(JSON.stringify(response.body))
  return response.body.id
}

/** Two tenants that one clock and one service serve. */
async function pair(level: Level = 8): Promise<[host: Tenant, guest: Tenant]> {
  const harness = createHarness()
  return [await createTenant({ harness, level }), await createTenant({ harness })]
}

describe('POST invites', () => {
  it('creates an invite that its id suffices to use', async () => {
    const tenant = await createTenant()
    expect(seen(await tenant.post(pathOf(tenant), { target_email: ' Grace@Example.com ' }))).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        target_email: 'grace@example.com',
        first_name: '',
        emailing_attempt_made: false,
        level: 1,
        is_expired: false,
        created_by: expect.objectContaining({ uuid: tenant.user.uuid }),
        created_at: '2026-03-10T12:00:00Z',
        updated_at: '2026-03-10T12:00:00Z',
        message: null,
        private_project_access: [],
        send_email: false,
        combine_pending_invites: false,
      },
    })
  })

  it('are at most 1,000 of an organization that have not expired', async () => {
    const tenant = await createTenant()
    expect((await tenant.post(pathOf(tenant), { target_email: 'first@example.com' })).status).toBe(201)
    const copies = (from: number, to: number, createdAt: string) =>
      env.DB.prepare(
        `WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
          INSERT INTO organization_invites (id, organization_id, target_email, created_at, updated_at)
          SELECT ?3 || i, ?3, 'a' || i || '@example.com', ?4, ?4 FROM n`,
      )
        .bind(from, to, tenant.organizationId, createdAt)
        .run()
    await copies(1, 998, '2026-03-10T12:00:00.000000Z')
    await copies(2_000, 2_500, '2026-03-07T12:00:00.000000Z')
    expect((await tenant.post(pathOf(tenant), { target_email: 'last@example.com' })).status).toBe(201)
    expect(seen(await tenant.post(pathOf(tenant), { target_email: 'over@example.com' }))).toEqual(
      refused(null, 'An organization has at most 1000 pending invites. Delete one to create another.'),
    )
  })

  it.each([
    [1, [0, 1]],
    [8, [0, 1, 8]],
    [15, [0, 1, 8, 15]],
  ] as const)('lets level %i invite to %j and no higher', async (level, allowed) => {
    const tenant = await createTenant({ level })
    const browser = await signIn(tenant)
    for (const wanted of LEVELS) {
      const response = await browser.post(pathOf(tenant), {
        target_email: 'grace@example.com',
        level: wanted,
      })
      if (allowed.some((each) => each === wanted)) expect(response.status).toBe(201)
      else {
        expect(seen(response)).toEqual(
          forbidden('You cannot invite to a higher permission level than your own.'),
        )
      }
    }
  })

  it('is for admins only if the organization requires it', async () => {
    for (const level of [1, 8] as const) {
      const tenant = await createTenant({ level })
      await database()
        .update(organizations)
        .set({ membersCanInvite: false })
        .where(eq(organizations.id, tenant.organizationId))
      const response = await tenant.post(pathOf(tenant), { target_email: 'grace@example.com' })
      if (level === 8) expect(response.status).toBe(201)
      else expect(seen(response)).toEqual(forbidden('Only admins can invite people to this organization.'))
    }
  })

  it.each([
    [{}, 'target_email', 'This field is required.', 'required'],
    [{ target_email: 'grace' }, 'target_email', 'Enter a valid email address.', undefined],
    [{ target_email: 'grace@b.c' }, 'target_email', 'Enter a valid email address.', undefined],
    [{ target_email: '' }, 'target_email', 'This field may not be blank.', 'blank'],
    [{ target_email: 'a b@example.com' }, 'target_email', 'Enter a valid email address.', undefined],
    [
      { target_email: `${'x'.repeat(250)}@example.com` },
      'target_email',
      'Ensure this field has no more than 254 characters.',
      'max_length',
    ],
    [
      { target_email: 'ada@example.com', level: 5 },
      'level',
      '"5" is not a valid choice. Valid choices: 0, 1, 8, 15.',
      'invalid_choice',
    ],
    [
      { target_email: 'ada@example.com', first_name: 'www.evil.test' },
      'first_name',
      'Names must not contain links.',
      undefined,
    ],
    [
      { target_email: 'ada@example.com', level: 'admin' },
      'level',
      '"admin" is not a valid choice. Valid choices: 0, 1, 8, 15.',
      'invalid_choice',
    ],
  ])('rejects %j', async (body, attr, detail, code) => {
    const tenant = await createTenant({ level: 15 })
    expect(seen(await tenant.post(pathOf(tenant), body))).toEqual(refused(attr, detail, code))
  })

  it('checks the stored level, not the cached one', async () => {
    const tenant = await createTenant({ level: 15 })
    const owner = await invite(tenant, { level: 15 })
    await setLevel(tenant, 1)
    expect(seen(await tenant.post(pathOf(tenant), { target_email: 'grace@example.com', level: 8 }))).toEqual(
      forbidden('You cannot invite to a higher permission level than your own.'),
    )
    expect((await tenant.get(pathOf(tenant))).body.results).toEqual([])
    expect(seen(await tenant.delete(`${pathOf(tenant)}${owner}/`))).toEqual(NOT_FOUND)
    const delegated = await tenant.post(`${pathOf(tenant)}delegate/`, { target_email: 'ada@example.com' })
    expect([delegated.status, delegated.body.level]).toEqual([201, 1])
    await database().delete(memberships).where(eq(memberships.userId, tenant.user.id))
    expect(seen(await tenant.post(pathOf(tenant), { target_email: 'grace@example.com' }))).toEqual(
      forbidden("You don't have access to the organization."),
    )
  })

  it('rejects a member', async () => {
    const tenant = await createTenant()
    expect(seen(await tenant.post(pathOf(tenant), { target_email: tenant.user.email }))).toEqual(
      refused('target_email', 'A user with this email address already belongs to the organization.'),
    )
  })
})

describe('the activity of the organization', () => {
  it('has invites without their ids, also once they are deleted', async () => {
    const tenant = await createTenant({ level: 15 })
    const log = `/api/projects/${tenant.projectId}/activity_log/?scope=OrganizationMembership`
    const id = await invite(tenant, { level: 15 })
    tenant.clock.advance({ minutes: 1 })
    expect((await tenant.delete(`${pathOf(tenant)}${id}/`)).status).toBe(204)
    tenant.clock.advance({ minutes: 1 })
    const delegated = await (
      await signIn(tenant)
    ).post(`${pathOf(tenant)}delegate/`, { target_email: 'lin@example.com' })
    expect(delegated.status).toBe(201)
    const { body } = await tenant.get(log)
    const entry = (name: string, before: number | null, after: number | null) => ({
      user: { email: tenant.user.email },
      activity: 'updated',
      item_id: '',
      detail: {
        id: '',
        name,
        changes: [
          {
            type: 'OrganizationMembership',
            action: before === null ? 'created' : 'deleted',
            field: 'invite',
            before,
            after,
          },
        ],
      },
    })
    expect(body.results).toMatchObject([
      entry('lin@example.com', null, 8),
      entry('grace@example.com', 15, null),
      entry('grace@example.com', null, 15),
    ])
    for (const secret of [id, delegated.body.id]) expect(JSON.stringify(body)).not.toContain(secret)
  })
})

describe('GET invites', () => {
  it("lists invites up to the caller's level, newest first, including expired ones", async () => {
    const tenant = await createTenant({ level: 15 })
    const old = await invite(tenant)
    tenant.clock.advance({ days: 3 })
    const member = await invite(tenant)
    tenant.clock.advance({ seconds: 1 })
    const owner = await invite(tenant, { level: 15 })
    const listed = async (as: Pick<Tenant, 'get'>) =>
      (await as.get(pathOf(tenant))).body.results.map((each: { id: string; is_expired: boolean }) => [
        each.id,
        each.is_expired,
      ])
    expect(await listed(await signIn(tenant))).toEqual([
      [owner, false],
      [member, false],
      [old, true],
    ])
    await setLevel(tenant, 1)
    expect(await listed(await tenant.withKey({}))).toEqual([
      [member, false],
      [old, true],
    ])
  })

  it('shows members none if only admins can invite', async () => {
    const tenant = await createTenant({ level: 8 })
    const id = await invite(tenant)
    await database()
      .update(organizations)
      .set({ membersCanInvite: false })
      .where(eq(organizations.id, tenant.organizationId))
    expect((await tenant.get(pathOf(tenant))).body.count).toBe(1)
    await setLevel(tenant, 1)
    const member = await tenant.withKey({})
    expect((await member.get(pathOf(tenant))).body.count).toBe(0)
    expect(seen(await member.delete(`${pathOf(tenant)}${id}/`))).toEqual(NOT_FOUND)
  })

  it('separates organizations', async () => {
    const [a, b] = await pair()
    await invite(a)
    expect((await b.get(pathOf(b))).body).toEqual({ count: 0, next: null, previous: null, results: [] })
  })
})

describe('DELETE invites', () => {
  it('deletes an invite once', async () => {
    const tenant = await createTenant()
    const id = await invite(tenant)
    expect(seen(await tenant.delete(`${pathOf(tenant)}${id}/`))).toEqual({ status: 204, body: null })
    expect(seen(await tenant.delete(`${pathOf(tenant)}${id}/`))).toEqual(NOT_FOUND)
    expect(seen(await tenant.send('GET', signup(id)))).toEqual(
      refused(null, 'The provided invite ID is not valid.'),
    )
  })

  it("responds with 404 for another organization's, and above the caller's level", async () => {
    const [host, guest] = await pair(15)
    const [member, owner] = [await invite(host), await invite(host, { level: 15 })]
    expect(seen(await guest.delete(`${pathOf(guest)}${member}/`))).toEqual(NOT_FOUND)
    await setLevel(host, 8)
    const admin = await host.withKey({})
    expect(seen(await admin.delete(`${pathOf(host)}${owner}/`))).toEqual(NOT_FOUND)
    expect((await host.send('GET', signup(owner))).status).toBe(200)
  })
})
