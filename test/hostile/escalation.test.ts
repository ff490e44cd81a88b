// A leaked key, or a stolen session that is not recent, must not become an admin or an owner by way of an invite.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { organizationInvites, users } from '../../drizzle'
import { joinOrganization } from '../support/database/account-rows'
import { forbidden, refused, seen } from '../support/responses'
import { signIn } from '../support/session'
import { createTenant, database, type Tenant } from '../support/tenant'
import { updateUser } from '../support/user'

const invitesOf = ({ organizationId }: Tenant) => `/api/organizations/${organizationId}/invites/`
const someEmail = () => `${crypto.randomUUID()}@example.com`

const storedInvites = ({ organizationId }: Tenant) =>
  database()
    .select({ id: organizationInvites.id })
    .from(organizationInvites)
    .where(eq(organizationInvites.organizationId, organizationId))

const NO_KEY = forbidden(
  'Inviting admins and owners needs a recent sign-in. Personal API keys can invite members and viewers only.',
)
const NOT_RECENT = {
  status: 403,
  body: {
    type: 'authentication_error',
    code: 'sensitive_action_required_reauth',
    detail: 'This action requires you to be recently authenticated.',
    attr: null,
  },
}
const TWO_HOURS_AGO = '2026-03-10T10:00:00.000000Z'

/** Every operation that creates an invite, with a body that asks for a level. */
const WAYS: readonly [what: string, path: (tenant: Tenant) => string, body: () => object][] = [
  ['an invite of an admin', invitesOf, () => ({ target_email: someEmail(), level: 8 })],
  ['an invite of an owner', invitesOf, () => ({ target_email: someEmail(), level: 15 })],
  [
    'a delegation by an owner',
    (tenant) => `${invitesOf(tenant)}delegate/`,
    () => ({ target_email: someEmail() }),
  ],
]

describe.each(WAYS)('%s', (_, path, body) => {
  it.each([['*'], ['organization_member:write']])('is forbidden to a key with %s', async (scope) => {
    const owner = await createTenant({ level: 15 })
    const key = await owner.withKey({ scopes: [scope] })
    expect(seen(await key.post(path(owner), body()))).toEqual(NO_KEY)
    expect(await storedInvites(owner)).toEqual([])
  })

  it('is forbidden to a session that signed in two hours ago', async () => {
    const owner = await createTenant({ level: 15 })
    const stale = await signIn(owner, { authenticatedAt: TWO_HOURS_AGO })
    expect(seen(await stale.post(path(owner), body()))).toEqual(NOT_RECENT)
    expect(await storedInvites(owner)).toEqual([])
    expect((await (await signIn(owner)).post(path(owner), body())).status).toBe(201)
  })
})

describe('a pending invite of an admin', () => {
  it('keeps its id from keys, in every answer that has one', async () => {
    const owner = await createTenant({ level: 15 })
    const browser = await signIn(owner)
    const { body: invite } = await browser.post(`${invitesOf(owner)}delegate/`, {
      target_email: someEmail(),
    })
    const responses = [
      await owner.get(invitesOf(owner)),
      await owner.get('/api/users/@me/'),
      await owner.patch('/api/users/@me/', { theme_mode: 'dark' }),
      await owner.post(`${invitesOf(owner)}delegate/`, { target_email: someEmail() }),
      await owner.post('/api/users/@me/onboarding/skip/', { reason: 'later' }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 403, 200])
    for (const { body } of responses) expect(JSON.stringify(body)).not.toContain(invite.id)
  })

  it('keeps its id from the keys of its own recipient', async () => {
    const host = await createTenant({ level: 15 })
    const guest = await createTenant({ harness: host })
    await updateUser(guest, { isEmailVerified: true })
    const browser = await signIn(host)
    const { body: invite } = await browser.post(invitesOf(host), {
      target_email: guest.user.email,
      level: 8,
    })
    const waiting = async (caller: Pick<Tenant, 'get'>) =>
      (await caller.get('/api/users/@me/')).body.pending_invites[0].id
    expect(await waiting(guest)).not.toBe(invite.id)
    expect(await waiting(await signIn(guest))).toBe(invite.id)
  })
})

describe('an invite of a member', () => {
  it('can be created and read by a key, and by a session of long ago', async () => {
    const owner = await createTenant({ level: 15 })
    const stale = await signIn(owner, { authenticatedAt: TWO_HOURS_AGO })
    for (const caller of [owner, stale]) {
      const created = await caller.post(invitesOf(owner), { target_email: someEmail(), level: 1 })
      expect(created.status).toBe(201)
      const { body } = await caller.get(invitesOf(owner))
      expect(body.results.map((each: { id: string }) => each.id)).toContain(created.body.id)
    }
  })

  it('cannot be accepted for its recipient with a key', async () => {
    const host = await createTenant({ level: 8 })
    const guest = await createTenant({ harness: host })
    const { body: invite } = await host.post(invitesOf(host), { target_email: guest.user.email })
    const path = `/api/signup/${invite.id}/`
    const account = { first_name: 'Grace', password: 'four-Green-herons-9' }
    // The key counts for nothing: the request is that of somebody new, whose address has an account.
    for (const response of [
      await guest.post(path, account),
      await host.post(path, { ...account, personal_api_key: guest.key }),
    ]) {
      expect(seen(response)).toEqual(
        refused(
          null,
          'There already exists an account with this email address. Please log in to accept the invite.',
          'account_exists',
        ),
      )
    }
    expect(seen(await guest.post(path, {}))).toEqual(
      refused('first_name', 'This field is required.', 'required'),
    )
    expect(await storedInvites(host)).toEqual([{ id: invite.id }])
  })

  it('cannot be accepted by the session of another user', async () => {
    const host = await createTenant({ level: 8 })
    const [guest, other] = [await createTenant({ harness: host }), await createTenant({ harness: host })]
    const { body: invite } = await host.post(invitesOf(host), { target_email: guest.user.email })
    await joinOrganization(other, host.organizationId)
    expect(seen(await (await signIn(other)).post(`/api/signup/${invite.id}/`))).toEqual(
      refused(null, 'This invite is intended for another email address.', 'invalid_recipient'),
    )
  })
})

describe('staff', () => {
  it('are made by a recent session of staff alone', async () => {
    const [staff, user] = [await createTenant(), await createTenant()]
    await updateUser(staff, { isStaff: true })
    const path = `/api/users/${user.user.uuid}/`
    const stale = await signIn(staff, { authenticatedAt: TWO_HOURS_AGO })
    expect((await staff.patch(path, { is_staff: true })).status).toBe(403)
    expect(seen(await stale.patch(path, { is_staff: true }))).toEqual(NOT_RECENT)
    const [row] = await database().select().from(users).where(eq(users.id, user.user.id))
    expect(row!.isStaff).toBe(false)
  })
})
