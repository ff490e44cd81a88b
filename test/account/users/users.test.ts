// GET and PATCH /api/users/@me/ (docs/reference/accounts.md#profile, #whom-a-path-names).
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { organizationSso, sessions, ssoDomains } from '../../../drizzle'
import { forbidden, refused, seen } from '../../support/responses'
import { signIn } from '../../support/session'
import { createOvertaken } from '../../support/faults/overtaken'
import { createTenant, database, setLevel } from '../../support/tenant'
import { createMember, login, storedUser, updateUser } from '../../support/user'

const ME = '/api/users/@me/'

describe('GET users/@me', () => {
  it('responds to keys and sessions in two round trips', async () => {
    const tenant = await createMember()
    const [byKey, bySession] = [await tenant.get(ME), await (await signIn(tenant)).get(ME)]
    expect(byKey.body).toMatchObject({
      uuid: tenant.user.uuid,
      has_password: true,
      sensitive_session_expires_at: null,
      team: { id: tenant.projectId },
      organization: { id: tenant.organizationId },
    })
    expect(bySession.body).toEqual({
      ...byKey.body,
      sensitive_session_expires_at: '2026-03-10T14:00:00Z',
    })
    expect([byKey.line.d1_round_trips, bySession.line.d1_round_trips]).toEqual([2, 2])
  })

  it('lets only staff read other active users', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const path = `/api/users/${other.user.uuid}/`
    expect((await tenant.get(path)).status).toBe(403)
    await updateUser(tenant, { isStaff: true })
    const staff = await tenant.withKey({})
    expect((await staff.get(path)).body).toMatchObject({ uuid: other.user.uuid, pending_invites: [] })
    await updateUser(other, { isActive: false })
    expect((await staff.get(path)).status).toBe(404)
    expect((await staff.get(`/api/users/${crypto.randomUUID()}/`)).status).toBe(404)
  })
})

describe('PATCH users/@me', () => {
  it('updates sent fields, ignores unknown and read-only ones, and returns the record', async () => {
    const tenant = await createTenant()
    const sent = {
      first_name: ' Grace ',
      last_name: 'Hopper',
      anonymize_data: true,
      allow_impersonation: null,
      toolbar_mode: 'disabled',
      theme_mode: 'dark',
      hedgehog_config: { version: 2 },
      allow_sidebar_suggestions: true,
      shortcut_position: 'hidden',
      role_at_organization: 'engineering',
      hide_mcp_hints: true,
      events_column_config: { active: ['a'] },
      has_seen_product_intro_for: { surveys: true },
    }
    const readOnly = { uuid: 'x', id: 1, distinct_id: 'x', is_email_verified: false, team: null, nonsense: 1 }
    const { status, body } = await tenant.patch(ME, { ...sent, ...readOnly })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...sent, first_name: 'Grace', uuid: tenant.user.uuid, id: tenant.user.id })
    expect(body).toEqual((await tenant.get(ME)).body)
    for (const secret of ['password', 'current_password']) {
      expect(body).not.toHaveProperty(secret)
    }
  })

  it.each([
    ['text', null],
    [[1], null],
    [{}, null],
    [
      { use_as_profile: false, color: 'red', name: 'Spike' },
      { use_as_profile: false, color: 'red', accessories: null, skin: null },
    ],
    [
      { version: 2, use_as_profile: true, actor_options: { skin: 'robot', accessories: ['hat'], id: 1 } },
      { use_as_profile: true, color: null, accessories: ['hat'], skin: 'robot' },
    ],
    [
      { version: 2, color: 'green' },
      { use_as_profile: null, color: 'green', accessories: null, skin: null },
    ],
  ])('takes any JSON as an avatar, of which others see four fields: %j', async (hedgehog_config, shown) => {
    const tenant = await createTenant()
    expect((await tenant.patch(ME, { hedgehog_config })).body).toMatchObject({ hedgehog_config })
    const { body } = await tenant.get('/api/organizations/@current/members/')
    expect(body.results[0].user.hedgehog_config).toEqual(shown)
  })

  it.each([
    [
      { theme_mode: 'blue' },
      'theme_mode',
      '"blue" is not a valid choice. Valid choices: light, dark, system, "".',
      'invalid_choice',
    ],
    [
      { toolbar_mode: 'x' },
      'toolbar_mode',
      '"x" is not a valid choice. Valid choices: disabled, toolbar, "".',
      'invalid_choice',
    ],
    [
      { role_at_organization: 'king' },
      'role_at_organization',
      '"king" is not a valid choice. Valid choices: engineering, data, product, founder, leadership, marketing, sales, other, "".',
      'invalid_choice',
    ],
    [
      { first_name: 'x'.repeat(151) },
      'first_name',
      'Ensure this field has no more than 150 characters.',
      'max_length',
    ],
    [{ first_name: 'see https://x.test' }, 'first_name', 'Names must not contain links.'],
    [{ first_name: null }, 'first_name', 'This field may not be null.', 'null'],
    [{ anonymize_data: 'maybe' }, 'anonymize_data', 'Must be a valid boolean.'],
    [{ email: 'nobody' }, 'email', 'Enter a valid email address.'],
    [{ email: 'mar\u212a@example.com' }, 'email', 'Enter a valid email address.'],
    [
      { passkeys_enabled_for_2fa: true },
      'passkeys_enabled_for_2fa',
      'You must have at least one passkey set up before enabling passkeys for 2FA.',
      'no_passkeys',
    ],
  ])('rejects %j', async (body, attr, detail, code?: string) => {
    const tenant = await createTenant()
    expect(seen(await tenant.patch(ME, body))).toEqual(refused(attr, detail, code))
  })

  it('merges notification settings, map by map', async () => {
    const tenant = await createTenant()
    const set = (notification_settings: unknown) => tenant.patch(ME, { notification_settings })
    await set({ project_weekly_digest_disabled: { 1: true }, plugin_disabled: false })
    const { body } = await set({ project_weekly_digest_disabled: { 2: false } })
    expect(body.notification_settings).toMatchObject({
      project_weekly_digest_disabled: { 1: true, 2: false },
      plugin_disabled: false,
      discussions_mentioned: true,
    })
    for (const [value, detail] of [
      [{ x: true }, 'Key x is not valid as a key for notification settings'],
      [
        { project_weekly_digest_disabled: { 1: 0 } },
        'Notification setting values must be boolean, got an integer',
      ],
      [{ plugin_disabled: 'x' }, 'x is not a valid type for notification settings, should be true or false'],
      [
        { all_weekly_digest_disabled: null },
        'null is not a valid type for notification settings, should be true or false',
      ],
      [
        { plugin_disabled: [1] },
        '[1] is not a valid type for notification settings, should be true or false',
      ],
      [
        { project_weekly_digest_disabled: true },
        'project_weekly_digest_disabled must be an object that maps ids to true or false',
      ],
      [
        { organization_member_join_email_disabled: [] },
        'organization_member_join_email_disabled must be an object that maps ids to true or false',
      ],
      [
        { data_pipeline_error_threshold: 2 },
        'data_pipeline_error_threshold must be between 0.0 and 1.0, got 2',
      ],
      [
        { data_pipeline_error_threshold: -0.5 },
        'data_pipeline_error_threshold must be between 0.0 and 1.0, got -0.5',
      ],
      [{ data_pipeline_error_threshold: '0.5' }, 'data_pipeline_error_threshold must be a number, got text'],
    ] as const) {
      expect(seen(await set(value))).toEqual(refused('notification_settings', detail))
    }
  })

  /** A value of so many bytes as JSON, two a character. */
  const jsonOf = (bytes: number) => ['é'.repeat((bytes - 4) / 2)]

  it.each([
    ['hedgehog_config', 1_024],
    ['events_column_config', 65_536],
    ['has_seen_product_intro_for', 65_536],
  ])('takes as %s any JSON of %i bytes, and no more', async (field, bytes) => {
    const tenant = await createTenant()
    const value = jsonOf(bytes)
    expect((await tenant.patch(ME, { [field]: value })).body).toMatchObject({ [field]: value })
    expect(seen(await tenant.patch(ME, { [field]: jsonOf(bytes + 2) }))).toEqual(
      refused(field, `Ensure this field has no more than ${bytes} bytes of JSON.`, 'max_length'),
    )
    expect((await tenant.get(ME)).body).toMatchObject({ [field]: value })
  })

  it('limits merged notification settings to 65,536 bytes', async () => {
    const tenant = await createTenant()
    const digests = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`project-${from + index}`, true]))
    const set = (from: number, count: number) =>
      tenant.patch(ME, { notification_settings: { project_weekly_digest_disabled: digests(from, count) } })
    const over = (bytes: number) =>
      refused(
        'notification_settings',
        `Ensure this field has no more than ${bytes} bytes of JSON.`,
        'max_length',
      )
    for (const from of [10_000, 10_700, 11_400, 12_100, 12_100]) {
      expect((await set(from, 700)).status).toBe(200)
    }
    expect(seen(await set(12_800, 700))).toEqual(over(65_536))
    expect(seen(await set(20_000, 800))).toEqual(over(16_384))
    const { body } = await tenant.get(ME)
    expect(body.notification_settings.project_weekly_digest_disabled).toEqual(digests(10_000, 2_800))
  })

  it('lets only staff with a session change is_staff', async () => {
    const [tenant, staff] = [await createTenant(), await createTenant()]
    const no = forbidden('You are not a staff user, contact your instance admin.')
    expect(seen(await tenant.patch(ME, { is_staff: true }))).toEqual(no)
    expect(seen(await (await signIn(tenant)).patch(ME, { is_staff: true }))).toEqual(no)
    expect((await tenant.patch(ME, { is_staff: false })).body.is_staff).toBe(false)
    await updateUser(staff, { isStaff: true })
    const path = `/api/users/${tenant.user.uuid}/`
    expect((await (await staff.withKey({})).patch(path, { is_staff: true })).status).toBe(403)
    expect((await (await signIn(staff)).patch(path, { is_staff: true })).body.is_staff).toBe(true)
  })
})

describe('staff', () => {
  it('cannot set the password or the opt-out of another user', async () => {
    const [tenant, staff] = [await createTenant(), await createTenant()]
    await updateUser(staff, { isStaff: true })
    await updateUser(tenant, { allowImpersonation: false, passwordHash: null })
    const browser = await signIn(staff)
    const path = `/api/users/${tenant.user.uuid}/`
    for (const [field, value] of [
      ['password', 'quite-0ther-w0rds'],
      ['current_password', 'quite-0ther-w0rds'],
      ['allow_impersonation', true],
      ['allow_impersonation', null],
    ] as const) {
      const no = forbidden(`Only the user can change their ${field}.`)
      expect(seen(await browser.patch(path, { [field]: value }))).toEqual(no)
      expect(seen(await browser.post(`${path}scene_personalisation/`, { [field]: value }))).toEqual(no)
    }
    expect(await storedUser(tenant)).toMatchObject({ allowImpersonation: false, passwordHash: null })
    expect((await browser.patch(path, { allow_impersonation: false, first_name: 'Grace' })).status).toBe(200)
    expect((await browser.patch(ME, { allow_impersonation: false })).status).toBe(200)
  })
})

describe('a session that ends during the request', () => {
  it('changes nothing', async () => {
    const { tenant, overtake } = await createOvertaken('update "users"')
    const browser = await signIn(tenant)
    overtake(() => database().delete(sessions).where(eq(sessions.id, browser.sessionId)))
    expect((await browser.patch(ME, { first_name: 'Grace' })).status).toBe(401)
    expect((await storedUser(tenant)).firstName).toBe('Ada')
  })
})

/** Has an organization require single sign-on for a domain. */
async function requireSso(organizationId: string, domain: string): Promise<void> {
  const at = '2026-03-01T08:00:00.000000Z'
  await database().insert(organizationSso).values({
    organizationId,
    issuer: 'https://id.example.com',
    clientId: 'halyard',
    clientSecret: 'sealed',
    isEnforced: true,
    createdAt: at,
    updatedAt: at,
  })
  await database().insert(ssoDomains).values({ organizationId, domain, verifiedAt: at })
}

describe('a new email address', () => {
  it('applies immediately, in lower case, unverified', async () => {
    const tenant = await createMember()
    const email = `Grace-${crypto.randomUUID()}@Example.com`
    const { body } = await (await signIn(tenant)).patch(ME, { email })
    expect(body).toMatchObject({ email: email.toLowerCase(), pending_email: null, is_email_verified: null })
    expect((await login(tenant, { email })).status).toBe(200)
  })

  it.each([
    ['the old', 'sso_enforced_current_email', true],
    ['the new', 'sso_enforced_new_email', false],
  ])('is rejected when %s domain comes to require single sign-on first', async (_, code, isOwn) => {
    const { tenant, overtake } = await createOvertaken('update "users" set "email"')
    const domain = `${crypto.randomUUID()}.example.org`
    const [inside, outside] = [`a@${domain}`, `${crypto.randomUUID()}@example.com`]
    const [from, to] = isOwn ? [inside, outside] : [outside, inside]
    const organizationId = (isOwn ? tenant : await createTenant()).organizationId
    await setLevel(tenant, 1)
    await updateUser(tenant, { email: from })
    const browser = await signIn(tenant)
    overtake(() => requireSso(organizationId, domain))
    expect((await browser.patch(ME, { email: to })).body.code).toBe(code)
    expect((await storedUser(tenant)).email).toBe(from)
  })

  it('is rejected when taken', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    expect(seen(await (await signIn(tenant)).patch(ME, { email: other.user.email.toUpperCase() }))).toEqual(
      refused('email', 'There is already an account with this email address.', 'unique'),
    )
  })
})

describe('a session without recent authentication', () => {
  it('can change only exempt fields', async () => {
    const browser = await signIn(await createTenant(), { authenticatedAt: '2026-03-10T09:00:00.000000Z' })
    expect((await browser.patch(ME, { theme_mode: 'dark', role_at_organization: 'data' })).status).toBe(200)
    for (const body of [{}, { first_name: 'x' }, { theme_mode: 'dark', first_name: 'x' }]) {
      expect((await browser.patch(ME, body)).body.code).toBe('sensitive_action_required_reauth')
    }
    expect((await browser.get(ME)).body.first_name).toBe('Ada')
  })
})
