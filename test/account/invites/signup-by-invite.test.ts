// Coming in by an invite.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { memberships, organizationInvites, organizations, users } from '../../../drizzle'
import { verifyPassword } from '../../../src/account/password/hash'
import { joinOrganization } from '../../support/database/account-rows'
import { NOT_FOUND, refused, seen } from '../../support/responses'
import { createHarness } from '../../support/harness'
import { signIn } from '../../support/session'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { updateUser } from '../../support/user'

const pathOf = ({ organizationId }: Tenant) => `/api/organizations/${organizationId}/invites/`

const signup = (id: string) => `/api/signup/${id}/`

/** Invites somebody from a session that signed in just now. */
const invite = async (tenant: Tenant, body: Record<string, unknown> = {}): Promise<string> => {
  const browser = await signIn(tenant)
  const response = await browser.post(pathOf(tenant), { target_email: 'grace@example.com', ...body })
  if (response.status !== 201) throw new Error(JSON.stringify(response.body))
  return response.body.id
}

const STRONG = 'four-Green-herons-9'

/** Two tenants that one clock and one service serve. */
async function pair(level: 1 | 8 | 15 = 8): Promise<[host: Tenant, guest: Tenant]> {
  const harness = createHarness()
  return [await createTenant({ harness, level }), await createTenant({ harness })]
}

describe('GET signup/:invite_id', () => {
  it('shows the invite without credentials', async () => {
    const tenant = await createTenant()
    const id = await invite(tenant, { first_name: 'Grace' })
    const [organization] = await database()
      .select()
      .from(organizations)
      .where(eq(organizations.id, tenant.organizationId))
    expect(seen(await tenant.send('GET', signup(id)))).toEqual({
      status: 200,
      body: {
        id,
        target_email: 'grace@example.com',
        first_name: 'Grace',
        organization_name: organization!.name,
      },
    })
  })

  it('distinguishes expired and unknown invites', async () => {
    const tenant = await createTenant()
    const id = await invite(tenant)
    tenant.clock.advance({ days: 3 })
    expect(seen(await tenant.send('GET', signup(id)))).toEqual(
      refused(null, 'This invite has expired. Please ask your admin for a new one.', 'expired'),
    )
    expect(seen(await tenant.send('GET', signup(crypto.randomUUID())))).toEqual(
      refused(null, 'The provided invite ID is not valid.'),
    )
    expect(seen(await tenant.send('GET', signup('x')))).toEqual(NOT_FOUND)
  })
})

describe('an invite whose inviter was deactivated', () => {
  const UNKNOWN = refused(null, 'The provided invite ID is not valid.')

  it('is unknown until the inviter is active again', async () => {
    const [host, guest] = await pair()
    const id = await invite(host, { target_email: guest.user.email, level: 8 })
    const browser = await signIn(guest)
    const pending = async () => (await browser.get('/api/users/@me/')).body.pending_invites
    const admin = await createTenant({ harness: host })
    await joinOrganization(admin, host.organizationId, 8)
    const isExpired = async () =>
      (await admin.get(`/api/organizations/${host.organizationId}/invites/`)).body.results[0].is_expired
    expect(await isExpired()).toBe(false)
    await updateUser(host, { isActive: false })
    expect(await isExpired()).toBe(true)
    expect(seen(await host.send('GET', signup(id)))).toEqual(UNKNOWN)
    expect(seen(await browser.post(signup(id)))).toEqual(UNKNOWN)
    expect(await pending()).toEqual([])
    await updateUser(host, { isActive: true })
    expect(await isExpired()).toBe(false)
    expect(await pending()).toMatchObject([{ id }])
    expect((await browser.post(signup(id))).status).toBe(201)
  })

  it('makes no account', async () => {
    const [host] = await pair()
    const email = `${crypto.randomUUID()}@example.com`
    const id = await invite(host, { target_email: email, level: 8 })
    await updateUser(host, { isActive: false })
    const account = { first_name: 'Grace', password: STRONG }
    expect(seen(await host.send('POST', signup(id), { body: account }))).toEqual(UNKNOWN)
    expect(await database().select().from(users).where(eq(users.email, email))).toEqual([])
  })
})

describe('POST signup/:invite_id, signed in', () => {
  it('makes the user a member and switches the organization', async () => {
    const [host, guest] = await pair()
    const id = await invite(host, { target_email: guest.user.email, level: 8 })
    const browser = await signIn(guest)
    expect(seen(await browser.post(signup(id)))).toEqual({
      status: 201,
      body: expect.objectContaining({ id: guest.user.id, email: guest.user.email }),
    })
    const [membership] = await database()
      .select()
      .from(memberships)
      .where(eq(memberships.organizationId, host.organizationId))
      .orderBy(memberships.joinedAt)
      .offset(1)
      .limit(1)
    expect(membership).toMatchObject({ userId: guest.user.id, level: 8, invitedById: host.user.id })
    const { body } = await browser.get('/api/users/@me/')
    expect(body).toMatchObject({
      organization: { id: host.organizationId, membership_level: 8, member_count: 2 },
      team: { id: host.projectId },
      is_organization_first_user: false,
    })
    expect(body.organizations.map((each: { id: string }) => each.id).sort()).toEqual(
      [host.organizationId, guest.organizationId].sort(),
    )
    expect((await browser.get(host.flags())).status).toBe(200)
  })

  it("shows the invite in the user's record until it is used or expired", async () => {
    const [host, guest] = await pair()
    const pending = async (tenant: Tenant) => (await tenant.get('/api/users/@me/')).body.pending_invites
    const id = await invite(host, { target_email: guest.user.email.toUpperCase() })
    expect(await pending(guest)).toEqual([
      {
        id,
        target_email: guest.user.email,
        organization_id: host.organizationId,
        organization_name: expect.any(String),
        created_at: '2026-03-10T12:00:00Z',
      },
    ])
    expect(await pending(host)).toEqual([])
    host.clock.advance({ days: 3 })
    expect(await pending(guest)).toEqual([])
    await (await signIn(guest)).post(signup(await invite(host, { target_email: guest.user.email })))
    expect(await pending(guest)).toEqual([])
  })

  it('is hidden from users with an unverified address', async () => {
    const [host, guest] = await pair()
    const email = `${crypto.randomUUID()}@example.com`
    await invite(host, { target_email: email })
    const browser = await signIn(guest)
    const { status, body } = await browser.patch('/api/users/@me/', { email })
    expect([status, body.email, body.is_email_verified, body.pending_invites]).toEqual([200, email, null, []])
    expect((await browser.get('/api/users/@me/')).body.pending_invites).toEqual([])
  })

  it('uses up all invites of the address to the organization', async () => {
    const [host, guest] = await pair()
    const [one, two] = [
      await invite(host, { target_email: guest.user.email }),
      await invite(host, { target_email: guest.user.email }),
    ]
    const browser = await signIn(guest)
    expect((await browser.post(signup(one))).status).toBe(201)
    expect(seen(await browser.post(signup(two)))).toEqual(
      refused(null, 'The provided invite ID is not valid.'),
    )
  })

  it('rejects an invite for another address', async () => {
    const [host, guest] = await pair()
    const id = await invite(host)
    expect(seen(await (await signIn(guest)).post(signup(id)))).toEqual(
      refused(null, 'This invite is intended for another email address.', 'invalid_recipient'),
    )
    expect((await host.send('GET', signup(id))).status).toBe(200)
  })

  it('rejects a member', async () => {
    const [host, guest] = await pair()
    const id = await invite(host, { target_email: guest.user.email })
    await joinOrganization(guest, host.organizationId)
    expect(seen(await (await signIn(guest)).post(signup(id)))).toEqual(
      refused(null, 'You already are a member of this organization.', 'user_already_member'),
    )
  })

  it('adds the user once under repeated requests', async () => {
    const [host, guest] = await pair()
    const id = await invite(host, { target_email: guest.user.email })
    const browser = await signIn(guest)
    const responses = await Promise.all(Array.from({ length: 4 }, () => browser.post(signup(id))))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400])
  })

  it('requires the CSRF token of the session', async () => {
    const [host, guest] = await pair()
    const id = await invite(host, { target_email: guest.user.email })
    const { headers } = await signIn(guest)
    const { 'X-CSRFToken': _token, ...without } = headers
    const response = await host.send('POST', signup(id), { body: {}, headers: without })
    expect(response.status).toBe(403)
    expect((await host.send('GET', signup(id))).status).toBe(200)
  })

  it('rejects impersonating staff', async () => {
    const [host, guest] = await pair()
    const staff = await createTenant({ harness: host })
    await database().update(users).set({ isStaff: true }).where(eq(users.id, staff.user.id))
    const id = await invite(host, { target_email: guest.user.email })
    const browser = await signIn(staff, {
      impersonatedUserId: guest.user.id,
      impersonationReason: 'support',
      impersonationReadOnly: false,
      impersonationStartedAt: host.clock.now().toISOString(),
    })
    expect(seen(await browser.post(signup(id)))).toEqual({
      status: 403,
      body: {
        type: 'authentication_error',
        code: 'impersonation_path_blocked',
        detail: 'This action is not allowed during impersonation.',
        attr: null,
      },
    })
    expect((await host.send('GET', signup(id))).status).toBe(200)
  })
})

describe('POST signup/:invite_id, with a new account', () => {
  const account = { first_name: 'Grace', password: STRONG }

  it('creates an account and a membership without a session', async () => {
    const tenant = await createTenant()
    const email = `${crypto.randomUUID()}@example.com`
    const id = await invite(tenant, { target_email: email })
    const response = await tenant.send('POST', signup(id), { body: account })
    expect(seen(response)).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        uuid: expect.any(String),
        distinct_id: expect.any(String),
        first_name: 'Grace',
        last_name: '',
        email,
        is_email_verified: null,
        hedgehog_config: null,
        role_at_organization: null,
      },
    })
    expect(response.headers.get('Set-Cookie')).toBe(null)
    const [user] = await database().select().from(users).where(eq(users.email, email))
    expect(user!.isStaff).toBe(false)
    expect(await verifyPassword(STRONG, user!.passwordHash!)).toBe(true)
    const joined = await database().select().from(memberships).where(eq(memberships.userId, user!.id))
    expect(joined).toMatchObject([
      { organizationId: tenant.organizationId, level: 1, invitedById: tenant.user.id },
    ])
    const login = await tenant.send('POST', '/api/login/', { body: { email, password: STRONG } })
    expect(seen(login)).toEqual({ status: 200, body: { success: true } })
  })

  it('works once', async () => {
    const tenant = await createTenant()
    const email = `${crypto.randomUUID()}@example.com`
    const id = await invite(tenant, { target_email: email })
    const responses = await Promise.all(
      Array.from({ length: 3 }, () => tenant.send('POST', signup(id), { body: account })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400])
    expect(await database().select().from(users).where(eq(users.email, email))).toHaveLength(1)
    expect(await database().select().from(organizationInvites).where(eq(organizationInvites.id, id))).toEqual(
      [],
    )
  })

  it('rejects an address with an account', async () => {
    const [host, guest] = await pair()
    const id = await invite(host, { target_email: guest.user.email })
    expect(seen(await host.send('POST', signup(id), { body: account }))).toEqual(
      refused(
        null,
        'There already exists an account with this email address. Please log in to accept the invite.',
        'account_exists',
      ),
    )
  })

  it.each([
    [{ password: STRONG }, 'first_name', 'This field is required.', 'required'],
    [{ first_name: '', password: STRONG }, 'first_name', 'This field may not be blank.', 'blank'],
    [
      { first_name: 'Grace https://x.test', password: STRONG },
      'first_name',
      'Names must not contain links.',
      undefined,
    ],
    [
      { first_name: 'see www.x.test', password: STRONG },
      'first_name',
      'Names must not contain links.',
      undefined,
    ],
    [{ first_name: 'Grace' }, 'password', 'This field is required.', 'required'],
    [
      { first_name: 'Grace', password: 'x7$kP' },
      'password',
      'This password is too short. It must contain at least 8 characters.',
      undefined,
    ],
  ])('refuses %j, and makes nothing', async (body, attr, detail, code) => {
    const tenant = await createTenant()
    const id = await invite(tenant)
    expect(seen(await tenant.send('POST', signup(id), { body }))).toEqual(refused(attr, detail, code))
    expect((await tenant.send('GET', signup(id))).status).toBe(200)
  })

  it('rejects a weak password, such as the invited address', async () => {
    const tenant = await createTenant()
    const email = 'grace.hopperson@example.com'
    const id = await invite(tenant, { target_email: email })
    for (const password of ['password123', 'Hopperson', 'aaaaaaaaaaaa']) {
      const { status, body } = await tenant.send('POST', signup(id), {
        body: { first_name: 'Grace', password },
      })
      expect([status, body.attr]).toEqual([400, 'password'])
    }
  })
})
