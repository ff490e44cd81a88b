// Skipping onboarding over HTTP (docs/reference/accounts.md#onboarding).
import { describe, expect, it } from 'vitest'
import { joinOrganization } from '../../support/database/account-rows'
import { forbidden, refused, seen } from '../../support/responses'
import { NOTHING, onboardingIn, record, skip, SKIP_PATH, skipped } from '../../support/onboarding'
import { signIn } from '../../support/session'
import { createTenant, database } from '../../support/tenant'
import { storedUser, updateUser } from '../../support/user'

const NOT_MINE = forbidden("As a non-staff user you're only allowed to access the `@me` user instance.")

describe('POST onboarding/skip', () => {
  it('stores timestamp and reason, and returns the user record', async () => {
    const tenant = await createTenant()
    const { status, body } = await skip(tenant, 'later')
    expect(status).toBe(200)
    expect(onboardingIn(body)).toEqual(skipped(tenant, 'later', '2026-03-10T12:00:00Z'))
    expect(body).toEqual((await tenant.get('/api/users/@me/')).body)
    for (const secret of ['password', 'current_password']) expect(body).not.toHaveProperty(secret)
  })

  it('is idempotent: keeps the timestamp and updates the reason', async () => {
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

  it('records the current organization', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    await skip(tenant, 'later')
    await joinOrganization(tenant, other.organizationId)
    await updateUser(tenant, { currentOrganizationId: other.organizationId })
    expect(onboardingIn((await skip(tenant, 'later')).body)).toEqual(
      skipped(other, 'later', '2026-03-10T12:00:00Z'),
    )
  })

  it('works without an organization', async () => {
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

  it('keeps one timestamp under concurrent skips', async () => {
    const tenant = await createTenant()
    const responses = await Promise.all(
      ['later', 'other', 'later', 'other', 'later'].map((reason) => skip(tenant, reason)),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
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
    [[], 'reason', 'This field is required.', 'required'],
    ['later', 'reason', 'This field is required.', 'required'],
    [null, 'reason', 'This field is required.', 'required'],
    [{ reason: null }, 'reason', 'This field may not be null.', 'null'],
    [
      { reason: 'delegated' },
      'reason',
      '"delegated" is not a valid choice. Valid choices: later, other.',
      'invalid_choice',
    ],
    [
      { reason: 'bored' },
      'reason',
      '"bored" is not a valid choice. Valid choices: later, other.',
      'invalid_choice',
    ],
    [
      { reason: 'later', step_at_skip: 'x'.repeat(65) },
      'step_at_skip',
      'Ensure this field has no more than 64 characters.',
      'max_length',
    ],
    [{ reason: 'later', step_at_skip: null }, 'step_at_skip', 'This field may not be null.', 'null'],
  ])('refuses %j, and changes nothing', async (body, attr, detail, code) => {
    const tenant = await createTenant()
    expect(seen(await tenant.post(SKIP_PATH, body))).toEqual(refused(attr, detail, code))
    expect(await record(tenant)).toEqual(NOTHING)
  })

  it('accepts a blank step and unknown keys', async () => {
    const tenant = await createTenant()
    const body = { reason: 'later', step_at_skip: '', onboarding_skipped_at: '2001-01-01', x: 1 }
    expect((await tenant.post(SKIP_PATH, body)).body.onboarding_skipped_at).toBe('2026-03-10T12:00:00Z')
  })

  it('requires recent authentication', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    tenant.clock.advance({ seconds: 7_199 })
    expect((await browser.post(SKIP_PATH, { reason: 'later' })).status).toBe(200)
    tenant.clock.advance({ seconds: 1 })
    expect(seen(await browser.post(SKIP_PATH, { reason: 'other' }))).toEqual({
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

  it('lets only staff skip for another active user', async () => {
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
      const response = await staff.post(`/api/users/${uuid}/onboarding/skip/`, { reason: 'later' })
      expect(seen(response)).toEqual({
        status: 404,
        body: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
      })
    }
    expect((await storedUser(staff)).onboardingSkippedAt).toBe(null)
  })

  it('checks the target user before the body', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    for (const uuid of [other.user.uuid, crypto.randomUUID(), 'x']) {
      for (const body of [{}, { reason: 'bored' }, { reason: 'later' }]) {
        expect(seen(await tenant.post(`/api/users/${uuid}/onboarding/skip/`, body))).toEqual(NOT_MINE)
      }
      const torn = await tenant.send('POST', `/api/users/${uuid}/onboarding/skip/`, {
        raw: '{',
        headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
      })
      expect(seen(torn)).toEqual(NOT_MINE)
    }
  })
})
