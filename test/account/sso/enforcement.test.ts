// What an organization that requires single sign-on closes, and what stays open.
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { memberships, organizationSso, sessions, ssoIdentities, throttleWindows } from '../../../drizzle'
import { clientOf } from '../../../src/auth/client'
import { joinOrganization } from '../../support/database/account-rows'
import { createOvertaken } from '../../support/faults/overtaken'
import type { TestResponse } from '../../support/harness'
import { refused, seen } from '../../support/responses'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { cookieIn, createMember, freshIp, login, storedUser, updateUser } from '../../support/user'
import {
  claimsOf,
  createSso,
  identitiesOf,
  localSession,
  noticeIn,
  signInBySso,
  type SsoTenant,
  submit,
} from './support'

const ENFORCED = refused(null, 'You can only login with SSO for this account (oidc).', 'sso_enforced')

/** A member with a password; by default in the domain. */
async function memberOf(tenant: SsoTenant, { level = 1, email = '' } = {}): Promise<Tenant> {
  const member = await createMember({ harness: tenant })
  const address = email || `${crypto.randomUUID()}@${tenant.domain}`
  await updateUser(member, { email: address })
  await database().delete(memberships).where(eq(memberships.userId, member.user.id))
  await joinOrganization(member, tenant.organizationId, level)
  return { ...member, user: { ...member.user, email: address } }
}

const networkOf = (ip: string) =>
  clientOf(new Request('http://localhost', { headers: { 'CF-Connecting-IP': ip } })).network

const enforced = (options: Parameters<typeof createSso>[0] = {}) =>
  createSso({ isEnforced: true, ...options })

describe('a password', () => {
  it('no longer signs a member in, also on the page, and says so for the right one alone', async () => {
    const tenant = await enforced()
    const member = await memberOf(tenant, { level: 8 })
    const response = await login(member)
    expect(seen(response)).toEqual(ENFORCED)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(seen(await login(member, { password: 'wrong' }))).toEqual(
      refused(null, 'Invalid email or password.', 'invalid_credentials'),
    )
    const page = await submit(tenant, '/login', { email: member.user.email, password: 'wellkept-Tr0ub4dor' })
    expect([page.status, noticeIn(page)]).toEqual([400, ENFORCED.body.detail])
    expect(page.text).toContain('href="/login/sso"')
    expect(await database().select().from(sessions).where(eq(sessions.userId, member.user.id))).toEqual([])
  })

  it('that is right does not count as a failed sign-in', async () => {
    const tenant = await enforced()
    const member = await memberOf(tenant)
    const ip = freshIp()
    for (const password of ['wrong', undefined, undefined])
      expect((await login(member, { password, ip })).status).toBe(400)
    expect(
      await database()
        .select({ count: throttleWindows.count })
        .from(throttleWindows)
        .where(and(eq(throttleWindows.name, 'login'), eq(throttleWindows.subject, networkOf(ip)))),
    ).toEqual([{ count: 1 }])
  })

  it.each<[string, object, Parameters<typeof memberOf>[1]]>([
    ['an owner', {}, { level: 15 }],
    ['a member with an address in another domain', {}, { email: `${crypto.randomUUID()}@example.com` }],
    ['a member of an organization that does not require it', { isEnforced: false }, {}],
    ['a member while the domain is not verified', { isVerified: false }, {}],
  ])('signs in %s', async (_, options, who) => {
    const tenant = await enforced(options)
    expect((await login(await memberOf(tenant, who))).status).toBe(200)
  })

  it('signs in a user of another organization whose address is in the domain', async () => {
    const tenant = await enforced()
    const stranger = await createMember({ harness: tenant })
    const email = `${crypto.randomUUID()}@${tenant.domain}`
    await updateUser(stranger, { email })
    expect((await login(stranger, { email })).status).toBe(200)
  })

  it('still links an account, which then signs in', async () => {
    const tenant = await enforced()
    const member = await memberOf(tenant)
    const asked = await signInBySso(tenant, claimsOf(member.user.email))
    const cookies = `sso_link=${cookieIn(asked, 'sso_link')}`
    const proven = await submit(tenant, '/login/sso/link', { password: 'wellkept-Tr0ub4dor' }, cookies)
    expect(cookieIn(proven, 'sessionid')).not.toBeNull()
  })

  it('gets no link for a new one once the member uses single sign-on', async () => {
    const tenant = await enforced()
    const session = await localSession(tenant)
    const member = await memberOf(tenant)
    const reset = (uuid: string) =>
      session.send('POST', `/api/organizations/${tenant.organizationId}/members/${uuid}/password_reset/`, {})
    // To prove the account with.
    expect((await reset(member.user.uuid)).status).toBe(201)
    const email = `grace@${tenant.domain}`
    await signInBySso(tenant, claimsOf(email))
    const { body } = await session.send('GET', `/api/organizations/${tenant.organizationId}/members/`)
    const { user } = body.results.find((each: { user: { email: string } }) => each.user.email === email)
    expect(seen(await reset(user.uuid))).toEqual(
      refused(null, 'This member has to use single sign-on, and needs no password.', 'sso_enforced'),
    )
  })
})

describe('the provider of another organization', () => {
  it('leaves no session of a member who has an identity at both', async () => {
    const tenant = await createSso()
    const other = await createSso({ harness: tenant })
    const opened = await signInBySso(other, claimsOf(`grace@${other.domain}`))
    const [identity] = await identitiesOf(other)
    const grace = { user: { id: identity!.userId } } as Tenant
    await joinOrganization(grace, tenant.organizationId)
    await updateUser(grace, { email: `grace@${tenant.domain}` })
    await database()
      .insert(ssoIdentities)
      .values({ ...identity!, organizationId: tenant.organizationId, issuer: tenant.provider.issuer })
    const own = await signInBySso(tenant, claimsOf(`grace@${tenant.domain}`, { sub: identity!.subject }))
    const statusOf = async (response: TestResponse) =>
      (
        await tenant.send('GET', 'http://localhost/api/users/@me/', {
          headers: { Cookie: `sessionid=${cookieIn(response, 'sessionid')}` },
        })
      ).status
    expect([await statusOf(opened), await statusOf(own)]).toEqual([200, 200])
    const admin = await localSession(tenant)
    const settings = await admin.send('PUT', tenant.path, {
      issuer: tenant.provider.issuer,
      client_id: 'halyard',
      domains: [tenant.domain],
      is_enforced: true,
    })
    expect(settings.status).toBe(200)
    expect([await statusOf(opened), await statusOf(own)]).toEqual([401, 200])
  })

  it('signs in no member of an organization that requires its own, and leaves no session', async () => {
    const tenant = await createSso()
    const other = await createSso({ harness: tenant })
    const claims = claimsOf(`grace@${other.domain}`)
    const opened = await signInBySso(other, claims)
    const [identity] = await identitiesOf(other)
    const grace = { user: { id: identity!.userId } } as Tenant
    const { uuid } = await storedUser(grace)
    await joinOrganization(grace, tenant.organizationId)
    await updateUser(grace, { email: `grace@${tenant.domain}` })
    const read = () =>
      tenant.send('GET', 'http://localhost/api/users/@me/', {
        headers: { Cookie: `sessionid=${cookieIn(opened, 'sessionid')}` },
      })
    expect((await read()).status).toBe(200)

    await signInBySso(tenant, claimsOf(`ada@${tenant.domain}`))
    const admin = await localSession(tenant)
    const body = {
      issuer: tenant.provider.issuer,
      client_id: 'halyard',
      domains: [tenant.domain],
      is_enforced: true,
    }
    expect((await admin.send('PUT', tenant.path, body)).status).toBe(200)
    expect((await read()).status).toBe(401)
    const again = await signInBySso(other, claims)
    expect([again.status, cookieIn(again, 'sessionid'), noticeIn(again)]).toEqual([
      403,
      null,
      'Another organization requires its own single sign-on for your account. Sign in with the email address that the account has here.',
    ])
    // Proving the account at the required provider needs a password, which an admin of all its organizations can have her set.
    const link = `/api/organizations/${tenant.organizationId}/members/${uuid}/password_reset/`
    expect((await admin.send('POST', link, {})).status).toBe(403)
    await joinOrganization(tenant, other.organizationId, 8)
    expect((await admin.send('POST', link, {})).status).toBe(201)
    expect((await admin.send('PUT', tenant.path, { ...body, is_enforced: false })).status).toBe(200)
    expect((await signInBySso(other, claims)).status).toBe(303)
  })
})

describe('an account that joins by an invite', () => {
  it.each<[string, { isEnforced?: boolean; level?: number; status: number }]>([
    ['is signed out of what a password opened', { status: 401 }],
    ['stays signed in as an owner', { level: 15, status: 200 }],
    ['stays signed in where single sign-on is not required', { isEnforced: false, status: 200 }],
  ])('%s', async (_, { isEnforced = true, level = 1, status }) => {
    const tenant = await createSso({ isEnforced, level: 15 })
    const stranger = await createMember({ harness: tenant })
    const email = `${crypto.randomUUID()}@${tenant.domain}`
    await updateUser(stranger, { email })
    const owner = await localSession(tenant)
    const invite = await owner.send('POST', `/api/organizations/${tenant.organizationId}/invites/`, {
      target_email: email,
      level,
    })
    const [browser, other] = [await localSession(stranger), await localSession(stranger)]
    const joined = await browser.send('POST', `/api/signup/${invite.body.id}/`, {})
    expect([joined.status, joined.body.email]).toEqual([201, email])
    for (const each of [browser, other])
      expect((await each.send('GET', '/api/users/@me/')).status).toBe(status)
  })
})

describe('an owner who is demoted', () => {
  it('is signed out of what a password opened where single sign-on is required', async () => {
    const tenant = await enforced({ level: 15 })
    const [owner, exempt] = [
      await memberOf(tenant, { level: 15 }),
      await memberOf(tenant, { level: 15, email: `${crypto.randomUUID()}@example.com` }),
    ]
    const admin = await localSession(tenant)
    for (const [member, status] of [
      [owner, 401],
      [exempt, 200],
    ] as const) {
      const session = await localSession(member)
      const path = `/api/organizations/${tenant.organizationId}/members/${member.user.uuid}/`
      expect((await admin.send('PATCH', path, { level: 8 })).status).toBe(200)
      expect((await session.send('GET', '/api/users/@me/')).status).toBe(status)
    }
  })
})

describe('what else is open', () => {
  const SSO_REQUIRED = refused(
    null,
    'An organization requires single sign-on for this address: sign in that way, which makes your account, and then accept the invite.',
    'sso_enforced',
  )

  const inviteTo = async (
    tenant: SsoTenant,
    { send }: Awaited<ReturnType<typeof localSession>>,
    level: number,
  ) => {
    const { body } = await send('POST', `/api/organizations/${tenant.organizationId}/invites/`, {
      target_email: `${crypto.randomUUID()}@${tenant.domain}`,
      level,
    })
    return body.id as string
  }

  const signUp = (tenant: SsoTenant, id: string) =>
    tenant.send('POST', `/api/signup/${id}/`, {
      body: { first_name: 'Grace', password: 'wellkept-Tr0ub4dor' },
    })

  it('includes personal API keys', async () => {
    const tenant = await enforced({ level: 1 })
    expect((await tenant.get('/api/users/@me/')).status).toBe(200)
  })

  it('does not include sign-up by an invite, except for owners', async () => {
    const tenant = await enforced({ level: 15 })
    const session = await localSession(tenant)
    const invite = async (level: number) => {
      const id = await inviteTo(tenant, session, level)
      const page = await tenant.send('GET', `http://localhost/signup/${id}`)
      return { signUp: await signUp(tenant, id), to: page.headers.get('Location') }
    }
    const refusal = await invite(8)
    expect([seen(refusal.signUp), refusal.to]).toEqual([SSO_REQUIRED, '/login/sso'])
    const { signUp: made, to } = await invite(15)
    expect([made.status, to]).toEqual([201, null])
  })

  it('does not include sign-up by an invite of another organization, which would take the address', async () => {
    const [tenant, other] = [await enforced({ level: 15 }), await createSso({ level: 15 })]
    const { body } = await (
      await localSession(other)
    ).send('POST', `/api/organizations/${other.organizationId}/invites/`, {
      target_email: `${crypto.randomUUID()}@${tenant.domain}`,
      level: 15,
    })
    expect(seen(await signUp(other, body.id))).toEqual(SSO_REQUIRED)
  })

  it('does not include sign-up by an invite that overlaps the requirement', async () => {
    const { tenant: harness, overtake } = await createOvertaken('insert into "users"')
    const tenant = await createSso({ harness, level: 15 })
    const id = await inviteTo(tenant, await localSession(tenant), 1)
    overtake(() =>
      database()
        .update(organizationSso)
        .set({ isEnforced: true })
        .where(eq(organizationSso.organizationId, tenant.organizationId)),
    )
    expect(seen(await signUp(tenant, id))).toEqual(SSO_REQUIRED)
  })

  it('does not include another address', async () => {
    const tenant = await enforced()
    const session = await localSession(tenant)
    const outside = await createTenant({ harness: tenant })
    const change = (send: typeof session.send, email: string) => send('PATCH', '/api/users/@me/', { email })
    expect(seen(await change(session.send, `${crypto.randomUUID()}@example.com`))).toEqual(
      refused(
        'email',
        'Your organization requires single sign-on for your email address: change it at the provider.',
        'sso_enforced_current_email',
      ),
    )
    expect((await change(session.send, tenant.user.email)).status).toBe(200)
    const other = await localSession(outside)
    expect(seen(await change(other.send, `boss@${tenant.domain}`))).toEqual(
      refused(
        'email',
        'An organization requires single sign-on for the domain of this address: sign in that way to use it.',
        'sso_enforced_new_email',
      ),
    )
    const owner = await localSession(await memberOf(tenant, { level: 15 }))
    expect((await change(owner.send, `${crypto.randomUUID()}@${tenant.domain}`)).status).toBe(200)
  })
})

describe('what callers see', () => {
  it('is in the record of a user', async () => {
    const tenant = await enforced()
    const session = await localSession(tenant)
    const me = async () => {
      const { has_sso_enforcement: isEnforced, has_social_auth: isLinked } = (
        await session.send('GET', '/api/users/@me/')
      ).body
      return { isEnforced, isLinked }
    }
    expect(await me()).toEqual({ isEnforced: true, isLinked: false })
    await database()
      .update(organizationSso)
      .set({ isEnforced: false })
      .where(eq(organizationSso.organizationId, tenant.organizationId))
    expect(await me()).toEqual({ isEnforced: false, isLinked: false })
  })

  it('is in the list of sessions', async () => {
    const tenant = await enforced()
    const response = await signInBySso(tenant, claimsOf(`grace@${tenant.domain}`))
    const token = cookieIn(response, 'sessionid')!
    const list = await tenant.send('GET', '/api/users/@me/login_sessions/', {
      headers: { Cookie: `sessionid=${token}` },
    })
    expect(list.body).toMatchObject([{ login_method: 'oidc', is_current: true }])
  })

  it.each([
    ['an enforcing organization', {}, 'oidc'],
    ['one that offers it', { isEnforced: false }, null],
    ['one that has not verified it', { isVerified: false }, null],
  ])('is what the precheck says of a domain of %s', async (_, options, expected) => {
    const tenant = await enforced(options)
    const precheck = (email: string) => tenant.send('POST', '/api/login/precheck/', { body: { email } })
    const body = { sso_enforcement: expected, saml_available: false, webauthn_credentials: [] }
    for (const email of [tenant.user.email, `nobody@${tenant.domain}`])
      expect(seen(await precheck(email))).toEqual({ status: 200, body })
    expect((await precheck('nobody@example.com')).body.sso_enforcement).toBeNull()
  })
})
