// Sign-in at the provider of an organization: who gets an account, which one, and what is asked of them first.
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import {
  activityLog,
  memberships,
  organizationInvites,
  organizations,
  organizationSso,
  sessions,
  ssoDomains,
  ssoIdentities,
  throttleWindows,
  users,
} from '../../../drizzle'
import { clientOf } from '../../../src/auth/client'
import { toStoredTimestamp } from '../../../src/timestamps'
import { joinOrganization } from '../../support/database/account-rows'
import { createOvertaken } from '../../support/faults/overtaken'
import { createTenant, database, setLevel, type Tenant } from '../../support/tenant'
import { codeOf, giveSecondFactor } from '../../support/two-factor'
import { cookieIn, freshIp, passwordHash, PASSWORD, sendCode, updateUser } from '../../support/user'
import {
  claimsOf,
  comeBack,
  createSso,
  depart,
  departureIn,
  identitiesOf,
  localSession,
  noticeIn,
  outcomeOf,
  signInBySso,
  type SsoTenant,
  submit,
} from './support'

/** A member of the organization with a password, whose address is in its domain. */
async function newMember(
  tenant: SsoTenant,
  { level = 1, isElsewhere = false, hasPassword = true } = {},
): Promise<Tenant> {
  const member = await createTenant({ harness: tenant })
  const email = `member-${crypto.randomUUID().slice(0, 8)}@${tenant.domain}`
  await updateUser(member, { email, passwordHash: hasPassword ? await passwordHash() : null })
  if (!isElsewhere) await database().delete(memberships).where(eq(memberships.userId, member.user.id))
  await joinOrganization(member, tenant.organizationId, level)
  return { ...member, user: { ...member.user, email } }
}

const userWith = async (email: string) =>
  (await database().select().from(users).where(eq(users.email, email)))[0]

const membershipOf = async (userId: number, { organizationId }: Tenant) =>
  (
    await database()
      .select()
      .from(memberships)
      .where(and(eq(memberships.userId, userId), eq(memberships.organizationId, organizationId)))
  )[0]

const entriesOf = ({ organizationId }: Tenant) =>
  database().select().from(activityLog).where(eq(activityLog.organizationId, organizationId))

const invite = async (tenant: SsoTenant, email: string, level: number) => {
  const { send } = await localSession(tenant)
  const path = `/api/organizations/${tenant.organizationId}/invites/`
  expect((await send('POST', path, { target_email: email, level })).status).toBe(201)
}

const linkCookie = (response: Parameters<typeof cookieIn>[0]) => `sso_link=${cookieIn(response, 'sso_link')}`

const prove = (tenant: SsoTenant, cookies: string, password = PASSWORD, ip = freshIp()) =>
  submit(tenant, '/login/sso/link', { password }, cookies, ip)

describe('the way to the provider', () => {
  it('has all parameters of OpenID Connect and PKCE, and leaves a cookie for ten minutes', async () => {
    const tenant = await createSso()
    const { response, url } = await depart(tenant)
    expect(url.origin + url.pathname).toBe(`${tenant.provider.issuer}/authorize`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'halyard',
      scope: 'openid email profile',
      response_type: 'code',
      redirect_uri: 'http://localhost/login/sso/callback',
      state: expect.stringMatching(/^[0-9a-f]{64}$/),
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sso_state=[\w.-]+; Max-Age=600; Path=\/login\/sso; HttpOnly; SameSite=Lax$/),
    ])
  })

  it.each([
    ['nowhere', 'Enter a valid email address.'],
    ['a@b@c.example.com', 'Enter a valid email address.'],
    [
      'a@unknown.example.net',
      'No organization here has single sign-on for unknown.example.net. Sign in with your password.',
    ],
  ])('is refused for %s', async (email, says) => {
    const tenant = await createSso()
    const response = await submit(tenant, '/login/sso', { email, next: '/' })
    expect([response.status, noticeIn(response)]).toEqual([400, says])
  })

  it('is refused for a domain that is not verified', async () => {
    const tenant = await createSso({ isVerified: false })
    const response = await submit(tenant, '/login/sso', { email: `a@${tenant.domain}`, next: '/' })
    expect(noticeIn(response)).toMatch(/^No organization here has single sign-on for /)
  })

  it('counts as a failed sign-in until it succeeds', async () => {
    const tenant = await createSso()
    const ip = '2001:db8:7::1'
    const attempt = () => submit(tenant, '/login/sso', { email: 'nowhere@unknown.example.net' }, '', ip)
    for (let each = 0; each < 30; each += 1) expect((await attempt()).status).toBe(400)
    const response = await attempt()
    expect([response.status, noticeIn(response)]).toEqual([
      403,
      'Too many failed login attempts. Please try again in 10 minutes.',
    ])
  })

  it.each(['a new member', 'a member with a password'])(
    'leaves no failed sign-in once it has signed in %s',
    async (kind) => {
      const tenant = await createSso()
      const ip = freshIp()
      const { email } =
        kind === 'a new member' ? { email: `new@${tenant.domain}` } : (await newMember(tenant)).user
      const returned = await comeBack(tenant, await depart(tenant, { ip }), claimsOf(email), { ip })
      const last =
        kind === 'a new member' ? returned : await prove(tenant, linkCookie(returned), PASSWORD, ip)
      expect((await outcomeOf(tenant, last)).email).toBe(email)
      const network = clientOf(
        new Request('http://localhost', { headers: { 'CF-Connecting-IP': ip } }),
      ).network
      expect(
        await database().select().from(throttleWindows).where(eq(throttleWindows.subject, network)),
      ).toMatchObject([{ name: 'login', count: 0 }])
    },
  )

  it('says when the provider cannot be reached', async () => {
    const tenant = await createSso()
    await tenant.provider.receiver.answer([{ status: 500 }])
    const response = await submit(tenant, '/login/sso', { email: `a@${tenant.domain}` })
    expect([response.status, noticeIn(response)]).toEqual([
      503,
      'The provider of your organization cannot be reached. Try again, or ask an admin to test it in the settings of the organization.',
    ])
  })
})

describe('the first sign-in of an unknown address', () => {
  it('makes a user and a member of the default level, signed in by oidc', async () => {
    const tenant = await createSso()
    const email = `grace@${tenant.domain}`
    const response = await signInBySso(tenant, claimsOf(email), { next: '/settings' })
    expect(await outcomeOf(tenant, response)).toEqual({ status: 303, to: '/settings', email })
    const user = (await userWith(email))!
    expect(user).toMatchObject({
      firstName: 'Grace',
      passwordHash: null,
      isEmailVerified: true,
      isStaff: false,
    })
    expect(await membershipOf(user.id, tenant)).toMatchObject({ level: 1, invitedById: null })
    expect(await identitiesOf(tenant)).toMatchObject([
      { issuer: tenant.provider.issuer, subject: email, userId: user.id },
    ])
    expect(await database().select().from(sessions).where(eq(sessions.userId, user.id))).toMatchObject([
      { loginMethod: 'oidc' },
    ])
    const { body } = await tenant.get(
      `/api/projects/${tenant.projectId}/activity_log/?scope=OrganizationMembership`,
    )
    expect(body.results).toMatchObject([
      { activity: 'created', item_id: user.uuid, user: { email }, detail: { name: email } },
    ])
    const members = await tenant.get(`/api/organizations/${tenant.organizationId}/members/`)
    expect(members.body.results).toMatchObject([
      { has_social_auth: false },
      { user: { email }, has_social_auth: true, level: 1 },
    ])
  })

  it.each([
    ['admins', 8],
    [['people', 'admins'], 8],
    [['people'], 1],
    ['guests', 0],
    [['guests', 'people'], 1],
    ['others', 1],
    [undefined, 1],
    [{ admins: true }, 1],
    ['__proto__', 1],
  ])('gives the level that the claim %j gives', async (groups, level) => {
    const tenant = await createSso({ levelClaim: 'groups', levels: { admins: 8, people: 1, guests: 0 } })
    const email = `grace@${tenant.domain}`
    await signInBySso(tenant, claimsOf(email, { groups }))
    expect(await membershipOf((await userWith(email))!.id, tenant)).toMatchObject({ level })
  })

  it('gives the default level, also that of viewers', async () => {
    const tenant = await createSso({ defaultLevel: 0 })
    const email = `grace@${tenant.domain}`
    await signInBySso(tenant, claimsOf(email))
    expect(await membershipOf((await userWith(email))!.id, tenant)).toMatchObject({ level: 0 })
  })

  it.each([
    [0, 0],
    [8, 8],
    [15, 8],
  ])(
    'gives the level of an invite of level %i, but at most that of admins, before a claim',
    async (invited, level) => {
      const tenant = await createSso({
        level: 15,
        levelClaim: 'groups',
        levels: { people: 1 },
        isEnforced: true,
      })
      const email = `grace@${tenant.domain}`
      await invite(tenant, email, invited)
      await signInBySso(tenant, claimsOf(email, { groups: 'people' }))
      expect(await membershipOf((await userWith(email))!.id, tenant)).toMatchObject({
        level,
        invitedById: tenant.user.id,
      })
    },
  )

  it('makes nothing when the invite that gives the level is deleted at the same time', async () => {
    const { tenant: harness, overtake } = await createOvertaken('insert into "users"')
    const tenant = await createSso({ harness, level: 15 })
    const email = `grace@${tenant.domain}`
    await invite(tenant, email, 8)
    const departure = await depart(tenant)
    overtake(() => database().delete(organizationInvites).where(eq(organizationInvites.targetEmail, email)))
    const response = await comeBack(tenant, departure, claimsOf(email))
    expect([response.status, noticeIn(response)]).toEqual([
      400,
      'Your account changed during the sign-in. Begin again.',
    ])
    expect(await userWith(email)).toBeUndefined()
  })

  it('keeps the level of a member at the next one', async () => {
    const tenant = await createSso({ levelClaim: 'groups', levels: { admins: 8 } })
    const email = `grace@${tenant.domain}`
    await signInBySso(tenant, claimsOf(email))
    await signInBySso(tenant, claimsOf(email, { groups: 'admins' }))
    const user = (await userWith(email))!
    expect(await membershipOf(user.id, tenant)).toMatchObject({ level: 1 })
    expect(await identitiesOf(tenant)).toHaveLength(1)
  })

  it('makes one user of two sign-ins that began together', async () => {
    const tenant = await createSso()
    const email = `grace@${tenant.domain}`
    const departures = [await depart(tenant), await depart(tenant)]
    for (const departure of departures) await comeBack(tenant, departure, claimsOf(email))
    expect(await identitiesOf(tenant)).toHaveLength(1)
  })

  it('uses up the invites of the address, and accepts a delegation by one', async () => {
    const tenant = await createSso({ level: 15 })
    const owner = await localSession(tenant)
    const email = `grace@${tenant.domain}`
    const invites = `/api/organizations/${tenant.organizationId}/invites/`
    await owner.send('POST', `${invites}delegate/`, { target_email: email })
    await owner.send('POST', invites, { target_email: email, level: 8 })
    await signInBySso(tenant, claimsOf(email))
    expect((await owner.send('GET', invites)).body.results).toEqual([])
    const [delegate] = await database().select().from(users).where(eq(users.id, tenant.user.id))
    expect(delegate!.onboardingDelegationAcceptedAt).not.toBeNull()

    const { uuid } = (await userWith(email))!
    const path = `/api/organizations/${tenant.organizationId}/members/${uuid}/`
    expect((await owner.send('DELETE', path)).status).toBe(204)
    expect((await signInBySso(tenant, claimsOf(email))).status).toBe(403)
  })

  it('asks for a second factor where the organization requires one', async () => {
    const tenant = await createSso()
    await database()
      .update(organizations)
      .set({ enforce2fa: true })
      .where(eq(organizations.id, tenant.organizationId))
    const response = await signInBySso(tenant, claimsOf(`grace@${tenant.domain}`))
    expect(response.headers.get('Location')).toBe('/settings#two-factor')
  })
})

describe('a known identity', () => {
  it('opens its account, also under another address of the domain, and ends the session of the browser', async () => {
    const tenant = await createSso()
    const email = `grace@${tenant.domain}`
    await signInBySso(tenant, claimsOf(email))
    const former = await localSession(tenant)
    const response = await signInBySso(tenant, claimsOf(`hopper@${tenant.domain}`, { sub: email }), {
      cookies: `sessionid=${former.token}`,
    })
    expect(await outcomeOf(tenant, response)).toEqual({ status: 303, to: '/', email })
    expect((await former.send('GET', '/api/users/@me/')).status).toBe(401)
    expect(cookieIn(response, 'sessionid')).not.toBe(former.token)
  })

  it('asks for the second factor of the account', async () => {
    const tenant = await createSso()
    const email = `grace@${tenant.domain}`
    await signInBySso(tenant, claimsOf(email))
    const user = (await userWith(email))!
    const secret = await giveSecondFactor({ ...tenant, user })
    const response = await signInBySso(tenant, claimsOf(email), { next: '/settings' })
    expect([response.status, response.headers.get('Location'), cookieIn(response, 'sessionid')]).toEqual([
      303,
      '/login/code?next=%2Fsettings',
      null,
    ])
    const challenge = cookieIn(response, 'login_challenge')
    const second = await submit(
      tenant,
      '/login/code',
      { token: codeOf(secret, tenant.clock.now()), next: '/settings' },
      `login_challenge=${challenge}`,
    )
    expect(await outcomeOf(tenant, second)).toEqual({ status: 303, to: '/settings', email })
    expect(
      await database()
        .select({ method: sessions.loginMethod })
        .from(sessions)
        .where(eq(sessions.userId, user.id)),
    ).toEqual([{ method: 'oidc' }, { method: 'oidc' }])
  })

  it('of a removed member opens and makes nothing', async () => {
    const tenant = await createSso()
    const email = `grace@${tenant.domain}`
    await signInBySso(tenant, claimsOf(email))
    const user = (await userWith(email))!
    await database().delete(memberships).where(eq(memberships.userId, user.id))
    const response = await signInBySso(tenant, claimsOf(email))
    expect([response.status, noticeIn(response), cookieIn(response, 'sessionid')]).toEqual([
      403,
      expect.stringMatching(
        /^You are no longer a member of Organization \d+\. Ask an admin for an invite of grace@\S+\.$/,
      ),
      null,
    ])
    expect(await membershipOf(user.id, tenant)).toBeUndefined()
  })

  it('of a removed member leads to the newest invite, unless the account belongs to another organization', async () => {
    const tenant = await createSso()
    const email = `grace@${tenant.domain}`
    await signInBySso(tenant, claimsOf(email))
    const user = (await userWith(email))!
    await database().delete(memberships).where(eq(memberships.userId, user.id))
    const at = tenant.clock.now().getTime()
    const id = crypto.randomUUID()
    for (const [each, time] of [
      [crypto.randomUUID(), at - 2],
      [id, at],
      [crypto.randomUUID(), at - 1],
    ] as const) {
      const created = toStoredTimestamp(new Date(time))
      await database().insert(organizationInvites).values({
        id: each,
        organizationId: tenant.organizationId,
        targetEmail: email,
        createdAt: created,
        updatedAt: created,
      })
    }
    expect(await outcomeOf(tenant, await signInBySso(tenant, claimsOf(email)))).toEqual({
      status: 303,
      to: `/signup/${id}`,
      email,
    })
    const other = await createTenant({ harness: tenant })
    await joinOrganization({ user: { ...other.user, id: user.id } }, other.organizationId)
    expect((await signInBySso(tenant, claimsOf(email))).status).toBe(403)
  })

  it('of a removed member leads to no invite of an address that only the user has entered', async () => {
    const tenant = await createSso({ level: 15 })
    const email = `grace@${tenant.domain}`
    await signInBySso(tenant, claimsOf(email))
    const user = (await userWith(email))!
    await database().delete(memberships).where(eq(memberships.userId, user.id))
    const invited = `owner-${user.id}@partner.example`
    await invite(tenant, invited, 15)
    const browser = await localSession({ ...tenant, user })
    expect((await browser.send('PATCH', '/api/users/@me/', { email: invited })).status).toBe(200)
    const response = await signInBySso(tenant, claimsOf(email))
    expect([response.status, response.headers.get('Location'), cookieIn(response, 'sessionid')]).toEqual([
      403,
      null,
      null,
    ])

    // The provider confirms this address, whatever that of the account is.
    await invite(tenant, email, 1)
    const led = await signInBySso(tenant, claimsOf(email))
    const [own] = await database()
      .select()
      .from(organizationInvites)
      .where(eq(organizationInvites.targetEmail, email))
    expect(led.headers.get('Location')).toBe(`/signup/${own!.id}`)
  })

  it('of a removed member with a second factor leads to a new invite, after the code', async () => {
    const tenant = await createSso({ level: 15 })
    const email = `grace@${tenant.domain}`
    await signInBySso(tenant, claimsOf(email))
    const user = (await userWith(email))!
    await database().delete(memberships).where(eq(memberships.userId, user.id))
    await invite(tenant, email, 1)
    const secret = await giveSecondFactor({ ...tenant, user })
    const asked = await signInBySso(tenant, claimsOf(email))
    expect(asked.headers.get('Location')).toMatch(/^\/login\/code\?next=%2Fsignup%2F/)
    const code = codeOf(secret, tenant.clock.now())
    expect((await sendCode(tenant, cookieIn(asked, 'login_challenge')!, code)).status).toBe(200)
  })

  it('of a closed account is refused', async () => {
    const tenant = await createSso()
    const email = `grace@${tenant.domain}`
    await signInBySso(tenant, claimsOf(email))
    await database().update(users).set({ isActive: false }).where(eq(users.email, email))
    const response = await signInBySso(tenant, claimsOf(email))
    expect([response.status, noticeIn(response)]).toEqual([403, 'This account is closed. Ask an admin.'])
  })
})

describe('an account that exists', () => {
  it('is linked by its password, once', async () => {
    const tenant = await createSso()
    const { user } = await newMember(tenant, { isElsewhere: true })
    const asked = await signInBySso(tenant, claimsOf(user.email, { sub: 's' }), { next: '/settings' })
    expect([asked.status, asked.headers.get('Location'), cookieIn(asked, 'sessionid')]).toEqual([
      302,
      '/login/sso/link',
      null,
    ])
    expect(await identitiesOf(tenant)).toEqual([])
    const cookies = linkCookie(asked)
    const page = await tenant.send('GET', 'http://localhost/login/sso/link', { headers: { Cookie: cookies } })
    expect([page.status, page.text]).toEqual([
      200,
      expect.stringContaining(`${user.email} already has an account`),
    ])

    const wrong = await prove(tenant, cookies, `${PASSWORD}x`)
    expect([wrong.status, noticeIn(wrong)]).toEqual([400, 'That is not the password of this account.'])
    expect(await identitiesOf(tenant)).toEqual([])

    const { email } = user
    expect(await outcomeOf(tenant, await prove(tenant, cookies))).toEqual({
      status: 303,
      to: '/settings',
      email,
    })
    expect(await identitiesOf(tenant)).toMatchObject([{ subject: 's', userId: user.id }])
    const entry = {
      activity: 'updated',
      scope: 'OrganizationMembership',
      itemId: user.uuid,
      userId: user.id,
      detail: {
        name: email,
        changes: [
          {
            type: 'OrganizationMembership',
            action: 'created',
            field: 'sso_issuer',
            before: null,
            after: tenant.provider.issuer,
          },
        ],
      },
    }
    expect(await entriesOf(tenant)).toMatchObject([entry])
    expect((await outcomeOf(tenant, await prove(tenant, cookies))).status).toBe(303)
    expect(await outcomeOf(tenant, await signInBySso(tenant, claimsOf(email, { sub: 's' })))).toMatchObject({
      email,
    })
    expect(await entriesOf(tenant)).toHaveLength(1)
  })

  it('is asked for the password of an owner too, and then for the second factor', async () => {
    const tenant = await createSso()
    const owner = await newMember(tenant, { level: 15 })
    const secret = await giveSecondFactor(owner)
    const asked = await signInBySso(tenant, claimsOf(owner.user.email))
    const proven = await prove(tenant, linkCookie(asked))
    expect([proven.headers.get('Location'), cookieIn(proven, 'sessionid')]).toEqual(['/login/code', null])
    expect(await identitiesOf(tenant)).toEqual([])

    const cookie = `login_challenge=${cookieIn(proven, 'login_challenge')}`
    const enter = (token: string) => submit(tenant, '/login/code', { token, next: '/' }, cookie)
    await enter('000000')
    expect(await identitiesOf(tenant)).toEqual([])
    await enter(codeOf(secret, tenant.clock.now()))
    expect(await identitiesOf(tenant)).toMatchObject([{ userId: owner.user.id }])
    expect(await entriesOf(tenant)).toHaveLength(1)
  })

  describe.each([
    ['is new', false],
    ['is known', true],
  ])('whose identity %s', (_, isKnown) => {
    const ofTenant = ({ organizationId }: Tenant) => eq(organizationSso.organizationId, organizationId)
    it.each<[string, (tenant: SsoTenant, member: Tenant) => Promise<unknown>]>([
      [
        'another issuer',
        (tenant) =>
          database()
            .update(organizationSso)
            .set({ issuer: 'https://other.example.com' })
            .where(ofTenant(tenant)),
      ],
      [
        'another client',
        (tenant) => database().update(organizationSso).set({ clientId: 'other' }).where(ofTenant(tenant)),
      ],
      [
        'another domain',
        (tenant) => database().delete(ssoDomains).where(eq(ssoDomains.organizationId, tenant.organizationId)),
      ],
      [
        'removed the member',
        (tenant, { user }) =>
          database()
            .delete(memberships)
            .where(
              and(eq(memberships.organizationId, tenant.organizationId), eq(memberships.userId, user.id)),
            ),
      ],
    ])('is not opened by a code, which does not count, once its organization has %s', async (__, change) => {
      const tenant = await createSso()
      const member = await newMember(tenant, { hasPassword: false })
      if (isKnown) await signInBySso(tenant, claimsOf(member.user.email))
      const secret = await giveSecondFactor(member)
      const asked = await signInBySso(tenant, claimsOf(member.user.email))
      expect(asked.headers.get('Location')).toMatch(/^\/login\/code/)
      await change(tenant, member)
      const token = codeOf(secret, tenant.clock.now())
      const response = await sendCode(tenant, cookieIn(asked, 'login_challenge')!, token)
      expect([response.body.code, cookieIn(response, 'sessionid')]).toEqual(['2fa_expired', null])
      expect(await identitiesOf(tenant)).toHaveLength(isKnown ? 1 : 0)
      expect(
        await database()
          .select()
          .from(throttleWindows)
          .where(
            and(eq(throttleWindows.name, 'two_factor'), eq(throttleWindows.subject, String(member.user.id))),
          ),
      ).toEqual([])
    })
  })

  it.each<[string, Parameters<typeof newMember>[1] & { isEmailVerified?: boolean | null }, boolean]>([
    ['a member of this organization alone is linked', {}, true],
    ['an owner is refused', { level: 15 }, false],
    ['a member of another organization, too, is refused', { isElsewhere: true }, false],
    ['a member who entered the address is refused', { isEmailVerified: null }, false],
    ['a member whose address is not confirmed is refused', { isEmailVerified: false }, false],
  ])('without a password: %s', async (_, { isEmailVerified = true, ...options }, isLinked) => {
    const tenant = await createSso()
    const member = await newMember(tenant, { ...options, hasPassword: false })
    await updateUser(member, { isEmailVerified })
    const { user } = member
    const response = await signInBySso(tenant, claimsOf(user.email))
    expect([response.status, noticeIn(response)]).toEqual(
      isLinked
        ? [303, undefined]
        : [403, expect.stringContaining('that has no password to prove that it is yours')],
    )
    expect(await identitiesOf(tenant)).toHaveLength(isLinked ? 1 : 0)
  })

  it('without a password is refused for staff', async () => {
    const tenant = await createSso()
    const member = await newMember(tenant, { hasPassword: false })
    await updateUser(member, { isStaff: true })
    expect((await signInBySso(tenant, claimsOf(member.user.email))).status).toBe(403)
  })

  it.each<[string, (member: Tenant, elsewhere: Tenant) => Promise<unknown>]>([
    ['staff', (member) => updateUser(member, { isStaff: true })],
    ['an owner', (member) => setLevel(member, 15)],
    [
      'a member of another organization',
      (member, other) => joinOrganization(member, other.organizationId, 1),
    ],
    ['a user who entered the address', (member) => updateUser(member, { isEmailVerified: null })],
    ['a user with a password', async (member) => updateUser(member, { passwordHash: await passwordHash() })],
  ])('without a password is not linked when it becomes that of %s', async (_, change) => {
    const { tenant: harness, overtake } = await createOvertaken('insert into "write_guards"')
    const tenant = await createSso({ harness })
    const member = await newMember(tenant, { hasPassword: false })
    const elsewhere = await createTenant({ harness })
    const departure = await depart(tenant)
    overtake(() => change({ ...member, organizationId: tenant.organizationId }, elsewhere))
    const response = await comeBack(tenant, departure, claimsOf(member.user.email))
    expect([response.status, noticeIn(response)]).toEqual([
      400,
      'Your account changed during the sign-in. Begin again.',
    ])
    expect(await identitiesOf(tenant)).toEqual([])
  })

  describe('without a password, with an address that its user entered,', () => {
    /** A member by single sign-on, who has entered another address, and what the person whom the provider confirms it of is answered. */
    async function taken() {
      const tenant = await createSso()
      await signInBySso(tenant, claimsOf(`trudy@${tenant.domain}`))
      const user = (await userWith(`trudy@${tenant.domain}`))!
      const browser = await localSession({ ...tenant, user })
      const enter = async (email: string) =>
        expect((await browser.send('PATCH', '/api/users/@me/', { email })).status).toBe(200)
      const email = `grace@${tenant.domain}`
      await enter(email)
      return { tenant, user, email, enter, response: await signInBySso(tenant, claimsOf(email)) }
    }

    it('is not shared with a colleague, who gets an account once its user changes the address', async () => {
      const { tenant, user, email, enter, response } = await taken()
      expect([response.status, noticeIn(response), cookieIn(response, 'sessionid')]).toEqual([
        403,
        `There is an account with the address ${email} that has no password to prove that it is yours. If it is yours, an admin can create a ` +
          'link that sets a password: then sign in again. If it is that of another person, they have to change its address.',
        null,
      ])
      expect(await identitiesOf(tenant)).toMatchObject([{ userId: user.id }])
      await enter(`trudy@${tenant.domain}`)
      expect(await outcomeOf(tenant, await signInBySso(tenant, claimsOf(email)))).toMatchObject({ email })
      expect((await userWith(email))!.id).not.toBe(user.id)
      expect(await outcomeOf(tenant, await signInBySso(tenant, claimsOf(user.email)))).toMatchObject({
        email: user.email,
      })
    })

    it('is free once an admin has removed its user, and staff have changed it, where single sign-on is required', async () => {
      const { tenant, user, email } = await taken()
      await database()
        .update(organizationSso)
        .set({ isEnforced: true })
        .where(eq(organizationSso.organizationId, tenant.organizationId))
      const staff = await createTenant({ harness: tenant })
      await updateUser(staff, { isStaff: true })
      const operator = await localSession(staff)
      const change = () =>
        operator.send('PATCH', `/api/users/${user.uuid}/`, { email: `trudy-${user.id}@example.com` })
      expect((await change()).status).toBe(400)
      const admin = await localSession(tenant)
      const member = `/api/organizations/${tenant.organizationId}/members/${user.uuid}/`
      expect((await admin.send('DELETE', member)).status).toBe(204)
      expect((await change()).status).toBe(200)
      expect(await outcomeOf(tenant, await signInBySso(tenant, claimsOf(email)))).toMatchObject({ email })
    })

    it('is linked to their own one by the password that the link of an admin sets', async () => {
      const { tenant, user, email } = await taken()
      // The provider of a new issuer has their new address, and no identity of theirs is known.
      await database().delete(ssoIdentities).where(eq(ssoIdentities.userId, user.id))
      const admin = await localSession(tenant)
      const members = `/api/organizations/${tenant.organizationId}/members/`
      const link = await admin.send('POST', `${members}${user.uuid}/password_reset/`)
      const form = { raw: new URLSearchParams({ password: PASSWORD }) }
      const set = await tenant.send('POST', new URL(link.body.url).pathname, form)
      expect([link.status, set.status]).toEqual([201, 200])
      const proven = await prove(tenant, linkCookie(await signInBySso(tenant, claimsOf(email))))
      expect(await outcomeOf(tenant, proven)).toMatchObject({ status: 303, email })
    })
  })

  it('without a password is linked at another issuer if single sign-on made it', async () => {
    const tenant = await createSso()
    const email = `grace@${tenant.domain}`
    await signInBySso(tenant, claimsOf(email))
    await database().delete(ssoIdentities).where(eq(ssoIdentities.organizationId, tenant.organizationId))
    const response = await signInBySso(tenant, claimsOf(email, { sub: 'another' }))
    expect(await outcomeOf(tenant, response)).toMatchObject({ status: 303, email })
    expect(await identitiesOf(tenant)).toMatchObject([{ subject: 'another' }])
  })

  it('of no member is refused, and joins nothing', async () => {
    const tenant = await createSso()
    const stranger = await createTenant({ harness: tenant })
    const email = `stranger@${tenant.domain}`
    await updateUser(stranger, { email, passwordHash: await passwordHash() })
    const response = await signInBySso(tenant, claimsOf(email))
    expect([response.status, noticeIn(response)]).toEqual([
      403,
      expect.stringContaining(`There is an account with the address ${email} that is not a member`),
    ])
    expect(await membershipOf(stranger.user.id, tenant)).toBeUndefined()
  })

  it('is not linked once it has left the organization, or the organization has left the provider', async () => {
    const tenant = await createSso()
    const member = await newMember(tenant)
    const cookies = linkCookie(await signInBySso(tenant, claimsOf(member.user.email)))
    await database().delete(memberships).where(eq(memberships.userId, member.user.id))
    expect((await prove(tenant, cookies)).status).toBe(400)
    await joinOrganization(member, tenant.organizationId)
    const session = await localSession(tenant)
    expect((await session.send('DELETE', tenant.path)).status).toBe(204)
    expect((await prove(tenant, cookies)).status).toBe(400)
  })
})

describe('an address', () => {
  it.each([
    ['no email', { email: undefined }, /^Your provider sends no email address\./],
    ['an invalid email', { email: 'nobody' }, /^The email address that your provider sends is not one/],
    [
      'an email of another type',
      { email: ['a@b.example'] },
      /^The email address that your provider sends is not one/,
    ],
    [
      'no email_verified',
      { email_verified: undefined },
      /^Your provider does not confirm your email address\./,
    ],
    [
      'email_verified false',
      { email_verified: false },
      /^Your provider does not confirm your email address\./,
    ],
    [
      'email_verified "false"',
      { email_verified: 'false' },
      /^Your provider does not confirm your email address\./,
    ],
    ['another domain', { email: 'grace@example.com' }, /^grace@example\.com is in none of the domains/],
  ])('with %s is refused', async (_, more, says) => {
    const tenant = await createSso()
    const response = await signInBySso(tenant, claimsOf(`grace@${tenant.domain}`, more))
    expect([response.status, noticeIn(response)]).toEqual([403, expect.stringMatching(says)])
    expect(await identitiesOf(tenant)).toEqual([])
  })

  it('of a subdomain is not of the domain', async () => {
    const tenant = await createSso()
    expect((await signInBySso(tenant, claimsOf(`grace@sub.${tenant.domain}`))).status).toBe(403)
  })

  it.each([[{ email_verified: 'true' }], [{ email_verified: undefined, xms_edov: '1' }]])(
    'counts as verified with %j',
    async (more) => {
      const tenant = await createSso()
      expect((await signInBySso(tenant, claimsOf(`grace@${tenant.domain}`, more))).status).toBe(303)
    },
  )
})

describe('the test', () => {
  it('shows what the provider says and what a sign-in would do, and changes nothing', async () => {
    const tenant = await createSso({ levelClaim: 'groups', levels: { admins: 8 } })
    const session = await localSession(tenant)
    const email = `grace@${tenant.domain}`
    const test = async (claims: Record<string, unknown>) => {
      await tenant.provider.receiver.answer([tenant.provider.metadata()])
      const departure = departureIn(await session.send('GET', '/login/sso/test'))
      const response = await comeBack(tenant, departure, claims)
      expect([response.status, cookieIn(response, 'sessionid')]).toEqual([200, null])
      return response
    }
    const created = await test(claimsOf(email, { groups: ['admins'] }))
    expect(noticeIn(created)).toBe(`The sign-in would create ${email} as a member of level 8.`)
    expect(created.text).toMatch(/&quot;groups&quot;: \[\s+&quot;admins&quot;/)
    expect(noticeIn(await test(claimsOf('a@example.com')))).toMatch(
      /^The sign-in would be refused: a@example\.com is in none/,
    )
    expect(await userWith(email)).toBeUndefined()
    await setLevel(tenant, 1)
    expect((await session.send('GET', '/login/sso/test')).status).toBe(403)
  })
})
