// Skipping and delegating onboarding over HTTP (spec "Onboarding skip", reference/account-api.md §3).
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { organizationInvites, users } from '../../../drizzle'
import { joinOrganization } from '../../support/account-rows'
import { refused, seen } from '../../support/answers'
import { createHarness } from '../../support/harness'
import { signIn } from '../../support/session'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { storedUser, updateUser } from '../../support/user'

const PATH = '/api/users/@me/onboarding/skip/'
const delegatePath = ({ organizationId }: Tenant) => `/api/organizations/${organizationId}/invites/delegate/`

const skip = (tenant: Tenant, reason: string) => tenant.post(PATH, { reason })

/** The part of the user record that this is about. */
const onboardingIn = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name.startsWith('onboarding_')))

const record = async (tenant: Tenant) => onboardingIn((await tenant.get('/api/users/@me/')).body)

const NOTHING = {
  onboarding_skipped_at: null,
  onboarding_skipped_reason: null,
  onboarding_skipped_organization_id: null,
  onboarding_delegated_to_invite: null,
  onboarding_delegated_to_organization_id: null,
  onboarding_delegation_accepted_at: null,
}
const skipped = (tenant: Tenant, reason: string, at: string) => ({
  ...NOTHING,
  onboarding_skipped_at: at,
  onboarding_skipped_reason: reason,
  onboarding_skipped_organization_id: tenant.organizationId,
})

describe('POST onboarding/skip', () => {
  it('sets the moment and the reason, and answers with the whole user record', async () => {
    const tenant = await createTenant()
    const { status, body } = await skip(tenant, 'later')
    expect(status).toBe(200)
    expect(onboardingIn(body)).toEqual(skipped(tenant, 'later', '2026-03-10T12:00:00Z'))
    expect(body).toEqual((await tenant.get('/api/users/@me/')).body)
    for (const secret of ['password', 'current_password']) expect(body).not.toHaveProperty(secret)
  })

  it('is idempotent: a repeat keeps the moment, another reason is taken over', async () => {
    const tenant = await createTenant()
    await skip(tenant, 'later')
    tenant.clock.advance({ days: 1 })
    expect(onboardingIn((await skip(tenant, 'later')).body)).toEqual(
      skipped(tenant, 'later', '2026-03-10T12:00:00Z'),
    )
    expect(onboardingIn((await skip(tenant, 'other')).body)).toEqual(
      skipped(tenant, 'other', '2026-03-10T12:00:00Z'),
    )
  })

  it('follows the user into another organization', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    await skip(tenant, 'later')
    await joinOrganization(tenant, other.organizationId)
    await updateUser(tenant, { currentOrganizationId: other.organizationId })
    expect(onboardingIn((await skip(tenant, 'later')).body)).toEqual(
      skipped(other, 'later', '2026-03-10T12:00:00Z'),
    )
  })

  it('works for somebody without an organization', async () => {
    const tenant = await createTenant()
    await database().run(`DELETE FROM organization_memberships WHERE user_id = ${tenant.user.id}`)
    const { status, body } = await skip(tenant, 'other')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      onboarding_skipped_reason: 'other',
      onboarding_skipped_organization_id: null,
      organization: null,
      team: null,
      organizations: [],
    })
  })

  it('keeps one moment when many skip at once', async () => {
    const tenant = await createTenant()
    const answers = await Promise.all(
      ['later', 'other', 'later', 'other', 'later'].map((reason) => skip(tenant, reason)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await record(tenant)).toMatchObject({ onboarding_skipped_at: '2026-03-10T12:00:00Z' })
  })

  it('reads once and writes once', async () => {
    const tenant = await createTenant()
    await skip(tenant, 'later')
    const { line } = await skip(tenant, 'later')
    expect(line.d1_round_trips).toBe(2)
  })

  it.each([
    [{}, 'reason', 'This field is required.', 'required'],
    [{ reason: null }, 'reason', 'This field may not be null.', 'null'],
    [{ reason: 'delegated' }, 'reason', '"delegated" is not a valid choice.', 'invalid_choice'],
    [{ reason: 'bored' }, 'reason', '"bored" is not a valid choice.', 'invalid_choice'],
    [
      { reason: 'later', step_at_skip: 'x'.repeat(65) },
      'step_at_skip',
      'Ensure this field has no more than 64 characters.',
      'max_length',
    ],
    [{ reason: 'later', step_at_skip: null }, 'step_at_skip', 'This field may not be null.', 'null'],
  ])('refuses %j, and changes nothing', async (body, attr, detail, code) => {
    const tenant = await createTenant()
    expect(seen(await tenant.post(PATH, body))).toEqual(refused(attr, detail, code))
    expect(await record(tenant)).toEqual(NOTHING)
  })

  it('takes a step that is blank, and unknown keys', async () => {
    const tenant = await createTenant()
    const body = { reason: 'later', step_at_skip: '', onboarding_skipped_at: '2001-01-01', x: 1 }
    expect((await tenant.post(PATH, body)).body.onboarding_skipped_at).toBe('2026-03-10T12:00:00Z')
  })

  it('wants a session that signed in lately', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    tenant.clock.advance({ seconds: 7_199 })
    expect((await browser.post(PATH, { reason: 'later' })).status).toBe(200)
    tenant.clock.advance({ seconds: 1 })
    expect(seen(await browser.post(PATH, { reason: 'other' }))).toEqual({
      status: 403,
      body: {
        type: 'authentication_error',
        code: 'sensitive_action_required_reauth',
        detail: 'This action requires you to be recently authenticated.',
        attr: null,
      },
    })
    expect(await record(tenant)).toMatchObject({ onboarding_skipped_reason: 'later' })
  })

  it('lets staff skip for an active user, and nobody else', async () => {
    const [staff, other, gone] = [await createTenant(), await createTenant(), await createTenant()]
    await updateUser(staff, { isStaff: true })
    await updateUser(gone, { isActive: false })
    const { status, body } = await staff.post(`/api/users/${other.user.uuid}/onboarding/skip/`, {
      reason: 'later',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      uuid: other.user.uuid,
      pending_invites: [],
      is_organization_first_user: null,
    })
    for (const uuid of [gone.user.uuid, crypto.randomUUID(), 'x']) {
      const answer = await staff.post(`/api/users/${uuid}/onboarding/skip/`, { reason: 'later' })
      expect(seen(answer)).toEqual({
        status: 404,
        body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
      })
    }
    expect((await storedUser(staff)).onboardingSkippedAt).toBe(null)
  })
})

describe('POST invites/delegate', () => {
  it('makes an invite and marks the user, in one step', async () => {
    const tenant = await createTenant({ level: 8 })
    const answer = await tenant.post(delegatePath(tenant), {
      target_email: 'Grace@Example.com',
      message: 'Please',
      step_at_delegation: 'install',
    })
    expect(seen(answer)).toEqual({
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
    expect(await record(tenant)).toEqual({
      ...skipped(tenant, 'delegated', '2026-03-10T12:00:00Z'),
      onboarding_delegated_to_invite: answer.body.id,
      onboarding_delegated_to_organization_id: tenant.organizationId,
    })
  })

  it('gives a member a member', async () => {
    const tenant = await createTenant()
    const { body } = await tenant.post(delegatePath(tenant), { target_email: 'grace@example.com' })
    expect(body.level).toBe(1)
  })

  it('answers the invite of a delegation that waits, and changes nothing', async () => {
    const tenant = await createTenant()
    const first = await tenant.post(delegatePath(tenant), { target_email: 'grace@example.com' })
    tenant.clock.advance({ days: 2 })
    const again = await tenant.post(delegatePath(tenant), { target_email: 'joan@example.com' })
    expect(seen(again)).toEqual(seen(first))
    expect(await record(tenant)).toMatchObject({ onboarding_skipped_at: '2026-03-10T12:00:00Z' })
  })

  it('makes one invite when many ask at once', async () => {
    const tenant = await createTenant()
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        tenant.post(delegatePath(tenant), { target_email: 'grace@example.com' }),
      ),
    )
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })

  it('starts over once the invite is too old', async () => {
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
  ])('refuses %j', async (body, attr, detail, code) => {
    const tenant = await createTenant()
    expect(seen(await tenant.post(delegatePath(tenant), body))).toEqual(refused(attr, detail, code))
  })

  it('refuses a member, oneself among them', async () => {
    const tenant = await createTenant()
    const answer = await tenant.post(delegatePath(tenant), { target_email: tenant.user.email.toUpperCase() })
    expect(seen(answer)).toEqual(
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

  it('is over when the user skips: its invite goes, and the moment is a new one', async () => {
    const tenant = await createTenant()
    const invite = await delegated(tenant)
    tenant.clock.advance({ hours: 1 })
    expect(onboardingIn((await skip(tenant, 'later')).body)).toEqual(
      skipped(tenant, 'later', '2026-03-10T13:00:00Z'),
    )
    expect(await inviteExists(invite)).toBe(false)
  })

  it('is over when its invite is taken back', async () => {
    const tenant = await createTenant()
    const invite = await delegated(tenant)
    const path = `/api/organizations/${tenant.organizationId}/invites/${invite}/`
    expect((await tenant.delete(path)).status).toBe(204)
    expect(await record(tenant)).toEqual(NOTHING)
    expect((await storedUser(tenant)).onboardingDelegatedToInvite).toBe(null)
  })

  it('is over when its invite is too old', async () => {
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

  it('is accepted when somebody comes in by its invite, and stays so', async () => {
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

  it('that is over is not revived by somebody who comes in by another invite', async () => {
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

  it("leaves somebody else's invite alone", async () => {
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
