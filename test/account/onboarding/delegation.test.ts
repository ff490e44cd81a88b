// Delegating onboarding over HTTP, and how a delegation ends (docs/reference/accounts.md#onboarding).
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { organizationInvites, users } from '../../../drizzle'
import { joinOrganization } from '../../support/database/account-rows'
import { forbidden, refused, seen } from '../../support/responses'
import { createHarness } from '../../support/harness'
import { NOTHING, onboardingIn, record, skip, skipped } from '../../support/onboarding'
import { signIn } from '../../support/session'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { storedUser } from '../../support/user'

const delegatePath = ({ organizationId }: Tenant) => `/api/organizations/${organizationId}/invites/delegate/`

describe('POST invites/delegate', () => {
  it('creates an invite and marks the user in one batch', async () => {
    const tenant = await createTenant({ level: 8 })
    const browser = await signIn(tenant)
    const response = await browser.post(delegatePath(tenant), {
      target_email: 'Grace@Example.com',
      message: 'Please',
      step_at_delegation: 'install',
    })
    expect(seen(response)).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
        target_email: 'grace@example.com',
        first_name: '',
        emailing_attempt_made: false,
        level: 8,
        is_expired: false,
        created_by: expect.objectContaining({ id: tenant.user.id, email: tenant.user.email }),
        created_at: '2026-03-10T12:00:00Z',
        updated_at: '2026-03-10T12:00:00Z',
        message: 'Please',
        private_project_access: [],
        send_email: false,
        combine_pending_invites: false,
      },
    })
    expect(onboardingIn((await browser.get('/api/users/@me/')).body)).toEqual({
      ...skipped(tenant, 'delegated', '2026-03-10T12:00:00Z'),
      onboarding_delegated_to_invite: response.body.id,
      onboarding_delegated_to_organization_id: tenant.organizationId,
    })
  })

  it('invites at member level for a member', async () => {
    const tenant = await createTenant()
    const { body } = await tenant.post(delegatePath(tenant), { target_email: 'grace@example.com' })
    expect(body.level).toBe(1)
  })

  it('returns the invite of a pending delegation and changes nothing', async () => {
    const tenant = await createTenant()
    const first = await tenant.post(delegatePath(tenant), { target_email: 'grace@example.com' })
    tenant.clock.advance({ days: 2 })
    const again = await tenant.post(delegatePath(tenant), { target_email: 'joan@example.com' })
    expect(seen(again)).toEqual(seen(first))
    expect(await record(tenant)).toMatchObject({ onboarding_skipped_at: '2026-03-10T12:00:00Z' })
  })

  it('creates one invite under concurrent requests', async () => {
    const tenant = await createTenant()
    const responses = await Promise.all(
      Array.from({ length: 4 }, () =>
        tenant.post(delegatePath(tenant), { target_email: 'grace@example.com' }),
      ),
    )
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
  })

  it('starts over once the invite has expired', async () => {
    const tenant = await createTenant()
    const first = await tenant.post(delegatePath(tenant), { target_email: 'grace@example.com' })
    tenant.clock.advance({ days: 3 })
    const second = await tenant.post(delegatePath(tenant), { target_email: 'grace@example.com' })
    expect(second.status).toBe(201)
    expect(second.body.id).not.toBe(first.body.id)
    expect(await record(tenant)).toMatchObject({
      onboarding_delegated_to_invite: second.body.id,
      onboarding_skipped_at: '2026-03-13T12:00:00Z',
    })
  })

  it.each([
    [{}, 'target_email', 'This field is required.', 'required'],
    [{ target_email: 'nobody' }, 'target_email', 'Enter a valid email address.', undefined],
    [{ target_email: '' }, 'target_email', 'This field may not be blank.', 'blank'],
  ])('rejects %j', async (body, attr, detail, code) => {
    const tenant = await createTenant()
    expect(seen(await tenant.post(delegatePath(tenant), body))).toEqual(refused(attr, detail, code))
  })

  it('rejects members, including the caller', async () => {
    const tenant = await createTenant()
    const response = await tenant.post(delegatePath(tenant), {
      target_email: tenant.user.email.toUpperCase(),
    })
    expect(seen(response)).toEqual(
      refused('target_email', 'A user with this email address already belongs to the organization.'),
    )
    expect(await record(tenant)).toEqual(NOTHING)
  })
})

describe('a delegation', () => {
  const delegated = async (tenant: Tenant, email = 'grace@example.com') =>
    (await tenant.post(delegatePath(tenant), { target_email: email })).body.id as string

  const inviteExists = async (id: string) =>
    (await database().select().from(organizationInvites).where(eq(organizationInvites.id, id))).length > 0

  it('ends with a skip: deletes the invite and keeps the timestamp', async () => {
    const tenant = await createTenant()
    const invite = await delegated(tenant)
    tenant.clock.advance({ hours: 1 })
    expect(onboardingIn((await skip(tenant, 'later')).body)).toEqual(
      skipped(tenant, 'later', '2026-03-10T12:00:00Z'),
    )
    expect(await inviteExists(invite)).toBe(false)
    const log = `/api/projects/${tenant.projectId}/activity_log/?scope=OrganizationMembership`
    expect((await tenant.get(log)).body.results).toMatchObject([
      { detail: { changes: [{ action: 'deleted', field: 'invite', before: 1, after: null }] } },
      { detail: { changes: [{ action: 'created', field: 'invite', before: null, after: 1 }] } },
    ])
  })

  it('is not ended by a key without access to its organization', async () => {
    const tenant = await createTenant()
    const other = await createTenant({ harness: tenant })
    await joinOrganization(tenant, other.organizationId)
    const invite = await delegated(tenant)
    const restrictions = [
      { scopedTeams: [tenant.projectId] },
      { scopedTeams: [other.projectId] },
      { scopedOrganizations: [other.organizationId] },
    ]
    for (const restriction of restrictions)
      expect(seen(await skip(await tenant.withKey(restriction), 'later'))).toEqual(
        forbidden(
          'This API key has no access to the organization whose invite delegates onboarding, and a skip deletes the invite. Skip with another ' +
            'key, or signed in.',
        ),
      )
    expect(await record(tenant)).toMatchObject({ onboarding_delegated_to_invite: invite })
    expect(await inviteExists(invite)).toBe(true)
    const inside = await tenant.withKey({ scopedOrganizations: [tenant.organizationId] })
    expect((await skip(inside, 'later')).status).toBe(200)
    expect(await inviteExists(invite)).toBe(false)
  })

  it('ends when its invite is deleted', async () => {
    const tenant = await createTenant()
    const invite = await delegated(tenant)
    const path = `/api/organizations/${tenant.organizationId}/invites/${invite}/`
    expect((await tenant.delete(path)).status).toBe(204)
    expect(await record(tenant)).toEqual(NOTHING)
    expect((await storedUser(tenant)).onboardingDelegatedToInvite).toBe(null)
  })

  it('ends when its invite expires', async () => {
    const tenant = await createTenant()
    await delegated(tenant)
    tenant.clock.advance({ days: 2, hours: 23, minutes: 59 })
    expect(await record(tenant)).toMatchObject({ onboarding_skipped_reason: 'delegated' })
    tenant.clock.advance({ minutes: 1 })
    expect(await record(tenant)).toEqual(NOTHING)
    expect(onboardingIn((await skip(tenant, 'other')).body)).toEqual(
      skipped(tenant, 'other', '2026-03-13T12:00:00Z'),
    )
  })

  it('is accepted with its invite, permanently', async () => {
    const harness = createHarness()
    const [tenant, guest] = [await createTenant({ harness }), await createTenant({ harness })]
    const invite = await delegated(tenant, guest.user.email)
    tenant.clock.advance({ hours: 2 })
    const browser = await signIn(guest)
    expect((await browser.post(`/api/signup/${invite}/`)).status).toBe(201)
    const accepted = {
      ...skipped(tenant, 'delegated', '2026-03-10T12:00:00Z'),
      onboarding_delegated_to_invite: invite,
      onboarding_delegated_to_organization_id: tenant.organizationId,
      onboarding_delegation_accepted_at: '2026-03-10T14:00:00Z',
    }
    expect(await record(tenant)).toEqual(accepted)
    tenant.clock.advance({ days: 30 })
    expect(await record(tenant)).toEqual(accepted)
    expect(await record(guest)).toEqual(NOTHING)
  })

  it('stays expired when another invite is accepted', async () => {
    const harness = createHarness()
    const [tenant, guest] = [await createTenant({ harness }), await createTenant({ harness })]
    await delegated(tenant, guest.user.email)
    tenant.clock.advance({ days: 3 })
    const { body } = await tenant.post(`/api/organizations/${tenant.organizationId}/invites/`, {
      target_email: guest.user.email,
    })
    expect((await (await signIn(guest)).post(`/api/signup/${body.id}/`)).status).toBe(201)
    expect(await record(tenant)).toEqual(NOTHING)
  })

  it('keeps invites of other users', async () => {
    const harness = createHarness()
    const [tenant, other] = [await createTenant({ harness }), await createTenant({ harness })]
    await joinOrganization(other, tenant.organizationId)
    const [invite, theirs] = [
      await delegated(tenant),
      await delegated({ ...other, organizationId: tenant.organizationId }),
    ]
    expect(invite).not.toBe(theirs)
    await skip(tenant, 'later')
    expect(await inviteExists(theirs)).toBe(true)
    expect(await record(other)).toMatchObject({ onboarding_delegated_to_invite: theirs })
    const [row] = await database().select().from(users).where(eq(users.id, tenant.user.id))
    expect(row!.onboardingDelegatedToInvite).toBe(null)
  })
})
