// GET and PATCH /api/users/@me/: reference/account-api.md §1, decisions 11, 12, 27.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { loginChallenges, projects } from '../../../drizzle'
import { newMembership, newOrganization, newProject } from '../../../src/account/tenancy'
import { createIds } from '../../../src/clock'
import { refused, seen } from '../../support/answers'
import { signIn } from '../../support/session'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { giveSecondFactor } from '../../support/two-factor'
import { createMember, login, PASSWORD, storedUser, updateUser } from '../../support/user'

const ME = '/api/users/@me/'
const NEW_PASSWORD = 'quite-0ther-w0rds'

const denied = (detail: string) => ({
  status: 403,
  body: { type: 'authentication_error', code: 'permission_denied', detail, attr: null },
})

/** A second organization of the tenant's user, with a project. */
async function secondOrganization(tenant: Tenant) {
  const db = database()
  const birth = { db, ids: createIds(), now: tenant.clock.now() }
  const organization = newOrganization(birth, 'Second')
  const project = newProject(birth, organization.id, 'Other')
  await db.batch([
    organization.statement,
    project.statement,
    newMembership(birth, tenant.user.uuid, organization.id, 8),
  ])
  const [row] = await db.select().from(projects).where(eq(projects.uuid, project.uuid))
  return { organizationId: organization.id, projectId: row!.id }
}

describe('GET users/@me', () => {
  it('answers to a key and to a session, in two round trips', async () => {
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

  it('lets staff see another active user, and nobody else', async () => {
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
  it('changes what was sent, ignores what is unknown or read-only, and answers with the record', async () => {
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
    for (const secret of ['password', 'current_password', 'set_current_team']) {
      expect(body).not.toHaveProperty(secret)
    }
  })

  it.each([
    ['text', null],
    [[1], null],
    [{}, null],
    [{ color: 'red', name: 'Spike' }, { color: 'red' }],
    [{ version: 2, actor_options: { skin: 'robot', id: 1 } }, { skin: 'robot' }],
  ])('takes any JSON as an avatar, of which others see four fields: %j', async (hedgehog_config, shown) => {
    const tenant = await createTenant()
    expect((await tenant.patch(ME, { hedgehog_config })).body).toMatchObject({ hedgehog_config })
    const { body } = await tenant.get('/api/organizations/@current/members/')
    expect(body.results[0].user.hedgehog_config).toEqual(shown)
  })

  it.each([
    [{ theme_mode: 'blue' }, 'theme_mode', '"blue" is not a valid choice.', 'invalid_choice'],
    [{ toolbar_mode: 'x' }, 'toolbar_mode', '"x" is not a valid choice.', 'invalid_choice'],
    [
      { role_at_organization: 'king' },
      'role_at_organization',
      '"king" is not a valid choice.',
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
    [
      { passkeys_enabled_for_2fa: true },
      'passkeys_enabled_for_2fa',
      'You have no passkeys to sign in with.',
      'no_passkeys',
    ],
  ])('refuses %j', async (body, attr, detail, code?: string) => {
    const tenant = await createTenant()
    expect(seen(await tenant.patch(ME, body))).toEqual(refused(attr, detail, code))
  })

  it('lays notification settings over what is stored, map by map', async () => {
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
      [{ plugin_disabled: 'yes' }, "Notification setting values must be boolean, got <class 'str'> instead"],
      [
        { project_weekly_digest_disabled: { 1: 0 } },
        "Notification setting values must be boolean, got <class 'int'> instead",
      ],
      [{ data_pipeline_error_threshold: 2 }, 'The error threshold must be a number between 0 and 1'],
    ] as const) {
      expect(seen(await set(value))).toEqual(refused('notification_settings', detail))
    }
  })

  it('lets only staff make staff, and never with a key', async () => {
    const [tenant, staff] = [await createTenant(), await createTenant()]
    const no = denied('You are not a staff user, contact your instance admin.')
    expect(seen(await tenant.patch(ME, { is_staff: true }))).toEqual(no)
    expect(seen(await (await signIn(tenant)).patch(ME, { is_staff: false }))).toEqual(no)
    await updateUser(staff, { isStaff: true })
    const path = `/api/users/${tenant.user.uuid}/`
    expect((await (await staff.withKey({})).patch(path, { is_staff: true })).status).toBe(403)
    expect((await (await signIn(staff)).patch(path, { is_staff: true })).body.is_staff).toBe(true)
  })
})

describe('where a user works', () => {
  const missing = (attr: string, id: unknown) =>
    refused(attr, `Object with id=${String(id)} does not exist.`, 'does_not_exist')

  it('follows an organization to its first project, and a project to its organization', async () => {
    const tenant = await createTenant()
    const second = await secondOrganization(tenant)
    const place = ({ body }: { body: { team: { id: number }; organization: { id: string } } }) => [
      body.organization.id,
      body.team.id,
    ]
    expect(place(await tenant.get(ME))).toEqual([tenant.organizationId, tenant.projectId])
    expect(place(await tenant.patch(ME, { set_current_organization: second.organizationId }))).toEqual([
      second.organizationId,
      second.projectId,
    ])
    expect(place(await tenant.patch(ME, { set_current_team: String(tenant.projectId) }))).toEqual([
      tenant.organizationId,
      tenant.projectId,
    ])
    const both = { set_current_organization: second.organizationId, set_current_team: second.projectId }
    expect(place(await tenant.patch(ME, both))).toEqual([second.organizationId, second.projectId])
    const { line } = await (await signIn(tenant)).get('/api/projects/@current/feature_flags/')
    expect(line.project_id).toBe(second.projectId)
  })

  it('is never where they are no members', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const second = await secondOrganization(tenant)
    for (const id of [other.organizationId, crypto.randomUUID(), 'abc']) {
      expect(seen(await tenant.patch(ME, { set_current_organization: id }))).toEqual(
        missing('set_current_organization', id),
      )
    }
    for (const id of [other.projectId, 999_999, 'abc', '1e3', '-1']) {
      expect(seen(await tenant.patch(ME, { set_current_team: id }))).toEqual(missing('set_current_team', id))
    }
    const mixed = { set_current_organization: second.organizationId, set_current_team: tenant.projectId }
    expect(seen(await tenant.patch(ME, mixed))).toEqual(
      refused('set_current_team', 'Team must belong to the same organization in set_current_organization.'),
    )
  })
})

describe('a new password', () => {
  it('takes the current one, ends all other sessions and pending sign-ins, and keeps this one', async () => {
    const tenant = await createMember()
    await giveSecondFactor(tenant)
    await login(tenant)
    const [browser, other] = [await signIn(tenant), await signIn(tenant)]
    const change = { password: NEW_PASSWORD, current_password: PASSWORD }
    const { status, body } = await browser.patch(ME, change)
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toContain(NEW_PASSWORD)
    expect((await other.get(ME)).status).toBe(401)
    expect((await browser.get(ME)).status).toBe(200)
    expect((await login(tenant)).status).toBe(400)
    expect((await login(tenant, { password: NEW_PASSWORD })).body.code).toBe('2fa_required')
    await expect(
      database().select().from(loginChallenges).where(eq(loginChallenges.userId, tenant.user.id)),
    ).resolves.toHaveLength(1)
    expect(JSON.stringify(tenant.lines)).not.toContain(NEW_PASSWORD)
  })

  it('looks at the current one before it judges the new one', async () => {
    const tenant = await createMember()
    const browser = await signIn(tenant)
    expect(seen(await browser.patch(ME, { password: 'x' }))).toEqual(
      refused('current_password', 'This field is required when updating your password.', 'required'),
    )
    expect(seen(await browser.patch(ME, { password: 'x', current_password: 'no' }))).toEqual(
      refused('current_password', 'Your current password is incorrect.', 'incorrect_password'),
    )
    expect(seen(await browser.patch(ME, { password: 'x', current_password: PASSWORD }))).toEqual(
      refused('password', 'This password is too short. It must contain at least 8 characters.'),
    )
    expect((await storedUser(tenant)).passwordHash).not.toBe(null)
    expect((await login(tenant)).status).toBe(200)
  })

  it('needs no current one where there is none', async () => {
    const tenant = await createTenant()
    expect((await (await signIn(tenant)).patch(ME, { password: NEW_PASSWORD })).status).toBe(200)
    expect((await login(tenant, { password: NEW_PASSWORD })).status).toBe(200)
  })

  it('is refused to a key, and so is another email', async () => {
    const tenant = await createTenant()
    for (const field of ['password', 'email']) {
      expect(seen(await tenant.patch(ME, { [field]: 'someone@example.com' }))).toEqual(
        denied(`You can only change your ${field} when you are signed in, not with an API key or token.`),
      )
    }
    expect((await tenant.patch(ME, { email: tenant.user.email })).status).toBe(200)
  })

  it('is set once by two who know the current one and send theirs at once', async () => {
    const tenant = await createMember()
    const browsers = [await signIn(tenant), await signIn(tenant)]
    const answers = await Promise.all(
      browsers.map((browser, index) =>
        browser.patch(ME, { password: `${NEW_PASSWORD}-${index}`, current_password: PASSWORD }),
      ),
    )
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(seen(answers[1 - winner]!)).toEqual(
      refused('current_password', 'Your current password is incorrect.', 'incorrect_password'),
    )
    expect((await login(tenant, { password: `${NEW_PASSWORD}-${winner}` })).status).toBe(200)
  })

  it('may be tried five times a minute', async () => {
    const tenant = await createMember()
    const browser = await signIn(tenant)
    const attempt = () => browser.patch(ME, { password: NEW_PASSWORD, current_password: 'no' })
    for (let round = 0; round < 5; round += 1) expect((await attempt()).status).toBe(400)
    const answer = await browser.patch(ME, { password: NEW_PASSWORD, current_password: PASSWORD })
    expect(answer).toMatchObject({ status: 429, body: { type: 'throttled_error', code: 'throttled' } })
    expect(answer.headers.get('Retry-After')).toBe('60')
    tenant.clock.advance({ minutes: 1 })
    expect((await attempt()).status).toBe(400)
  })
})

describe('another email', () => {
  it('changes at once, in lower case, and is not confirmed', async () => {
    const tenant = await createMember()
    const email = `Grace-${crypto.randomUUID()}@Example.com`
    const { body } = await (await signIn(tenant)).patch(ME, { email })
    expect(body).toMatchObject({ email: email.toLowerCase(), pending_email: null, is_email_verified: null })
    expect((await login(tenant, { email })).status).toBe(200)
  })

  it('is refused when somebody has it', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    expect(seen(await (await signIn(tenant)).patch(ME, { email: other.user.email.toUpperCase() }))).toEqual(
      refused('email', 'There is already an account with this email address.', 'unique'),
    )
  })
})

describe('a session that signed in long ago', () => {
  it('may still change what is harmless, and only that', async () => {
    const browser = await signIn(await createTenant(), { authenticatedAt: '2026-03-10T09:00:00.000000Z' })
    expect((await browser.patch(ME, { theme_mode: 'dark', role_at_organization: 'data' })).status).toBe(200)
    for (const body of [{}, { first_name: 'x' }, { theme_mode: 'dark', first_name: 'x' }]) {
      expect((await browser.patch(ME, body)).body.code).toBe('sensitive_action_required_reauth')
    }
    expect((await browser.get(ME)).body.first_name).toBe('Ada')
  })
})
