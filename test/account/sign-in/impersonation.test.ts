// Staff who look at the service as somebody else (docs/reference/accounts.md#impersonation).
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { refused, seen } from '../../support/responses'
import { createHarness } from '../../support/harness'
import { type Browser, browserWith, signIn } from '../../support/session'
import { createTenant, database, setLevel, type Tenant } from '../../support/tenant'
import { activityLog } from '../../../drizzle'
import { messageOf } from '../../../src/webhooks/message'
import { areas } from '../../../src/areas'
import { csrfTokenOf } from '../../../src/auth/csrf'
import { cookieIn, updateUser } from '../../support/user'

const blocked = (code: string, detail: string) => ({
  status: 403,
  body: { type: 'authentication_error', code, detail, attr: null },
})
const PATH_BLOCKED = blocked('impersonation_path_blocked', 'This action is not allowed during impersonation.')
const READ_ONLY = blocked(
  'impersonation_read_only',
  'This action is not allowed during read-only user impersonation.',
)

/** Posts a form of our own pages. */
const submit = (browser: Browser, path: string, fields: Record<string, string> = {}, accept = 'text/html') =>
  browser.send('POST', path, {
    raw: new URLSearchParams({ csrf: csrfTokenOf(browser.token), ...fields }),
    headers: { Accept: accept },
  })

async function staffAndUser() {
  const harness = createHarness()
  const [staff, user] = [await createTenant({ harness }), await createTenant({ harness })]
  await updateUser(staff, { isStaff: true })
  return { harness, staff, user, own: await signIn(staff) }
}

const start = (browser: Browser, { user }: Tenant, fields: Record<string, string> = {}) =>
  submit(browser, `/admin/login/user/${user.id}/`, { reason: 'Ticket 7', ...fields })

/** A browser of staff who look as `user`. */
async function looking(fields: Record<string, string> = {}) {
  const all = await staffAndUser()
  const response = await start(all.own, all.user, fields)
  const as = browserWith(all.harness, cookieIn(response, 'sessionid')!, all.own.sessionId)
  return { ...all, as }
}

describe('POST admin/login/user', () => {
  it('lets staff act as the user, with a new token', async () => {
    const { as, own, user, staff } = await looking()
    expect(as.token).not.toBe(own.token)
    expect((await own.get('/api/users/@me/')).status).toBe(401)
    const { body, line } = await as.get('/api/users/@me/')
    expect(body).toMatchObject({
      uuid: user.user.uuid,
      is_impersonated: true,
      is_impersonated_until: '2026-03-10T12:30:00Z',
      is_impersonated_read_only: false,
      is_impersonated_reason: 'Ticket 7',
      requires_credential_review: false,
    })
    expect(line).toMatchObject({ user_id: user.user.id, impersonated_by: staff.user.id })
    expect((await as.get(user.flags())).status).toBe(200)
  })

  it('logs start and end with the reason', async () => {
    const { as, user, staff, harness } = await looking({ read_only: 'true' })
    await submit(as, '/logout')
    const said = { level: 'info', staff_id: staff.user.id, user_id: user.user.id, reason: 'Ticket 7' }
    expect(harness.lines.filter(({ message }) => message !== 'request')).toEqual([
      { ...said, message: 'impersonation started', read_only: true },
      { ...said, message: 'impersonation stopped', read_only: true },
    ])
    harness.lines.length = 0
    await submit(as, '/logout')
    expect(harness.lines.map(({ message }) => message)).toEqual(['request'])
  })

  it('starts once in a session', async () => {
    const { own, user, harness } = await staffAndUser()
    const responses = await Promise.all(
      ['Ticket 7', 'Ticket 8'].map((reason) =>
        submit(own, `/admin/login/user/${user.user.id}/`, { reason }, 'application/json'),
      ),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 401])
    const token = cookieIn(
      responses.find(({ status }) => status === 303)!,
      'sessionid',
    )!
    const as = browserWith(harness, token, own.sessionId)
    expect((await as.get('/api/users/@me/')).body.is_impersonated).toBe(true)
    expect(harness.lines.filter(({ message }) => message !== 'request')).toHaveLength(1)
  })

  it('accepts the address of the user', async () => {
    const { own, user } = await staffAndUser()
    const response = await submit(own, '/admin/login/user/', { user: user.user.email, reason: 'Ticket 7' })
    expect(response.status).toBe(303)
  })

  it('requires staff and a reason, and rejects staff and opted-out users as targets', async () => {
    const { own, user, staff } = await staffAndUser()
    expect((await start(own, user, { reason: ' ' })).status).toBe(400)
    expect((await start(own, staff)).status).toBe(403)
    expect((await submit(own, '/admin/login/user/999999/', { reason: 'x' })).status).toBe(403)
    await updateUser(user, { allowImpersonation: false })
    expect((await start(own, user)).status).toBe(403)
    await updateUser(user, { allowImpersonation: null })
    const nobody = await signIn(user)
    expect((await start(nobody, user)).status).toBe(403)
    expect((await start(own, user)).status).toBe(303)
  })

  it('requires recent authentication and a CSRF token', async () => {
    const { own, user, staff } = await staffAndUser()
    const stale = await signIn(staff, { authenticatedAt: '2026-03-10T09:00:00.000000Z' })
    expect((await start(stale, user)).headers.get('Location')).toBe('/login')
    expect((await start(own, user, { csrf: 'x' })).status).toBe(403)
  })

  it('shows errors on a page, and gives programs their bodies', async () => {
    const { own, user } = await staffAndUser()
    const page = await start(own, user, { reason: ' ' })
    expect(String(page.body)).toContain('<div class="notice bad" role="alert">')
    const json = await submit(own, `/admin/login/user/${user.user.id}/`, { reason: ' ' }, 'application/json')
    expect(seen(json)).toEqual(refused('reason', 'This field may not be blank.', 'blank'))
  })
})

/** The writes that the reference closes: all that stands under these two places. */
const personalWrites = areas
  .flatMap(({ operations }) => operations)
  .filter(({ method, path }) => method !== 'get' && /^\/api\/(users|personal_api_keys)\//.test(path))

/** Other writes that require a recent sign-in. */
const sensitiveWrites = areas
  .flatMap(({ operations }) => operations)
  .filter(
    ({ method, path, recentAuth }) => method !== 'get' && recentAuth === true && !path.includes(':uuid'),
  )

/** Other spellings of a path, which lead to the same operation. */
const spellingsOf = (path: string) => [
  path,
  path.replace(/\/$/, ''),
  path.replace('/api/users/', '/api/%75sers/').replace('personal_api', 'personal%5Fapi'),
  path.replace('/api/', '/%61pi/').replace('@me', '%40me'),
]

describe('while impersonating', () => {
  it.each(personalWrites)('$id is closed under any spelling of its path', async ({ method, path, id }) => {
    const { as } = await looking()
    const filled = path.replace(':uuid', '@me').replace(/:\w+/g, crypto.randomUUID())
    // Exactly this field would be let through for the one operation that may switch the organization.
    const body = id === 'users_partial_update' ? { set_current_team: 1 } : {}
    for (const spelling of spellingsOf(filled)) {
      expect(seen(await as.send(method.toUpperCase(), spelling, { body })), spelling).toEqual(PATH_BLOCKED)
    }
  })

  it.each(sensitiveWrites)('$id is closed', async ({ method, path }) => {
    const { as, user } = await looking()
    const filled = path
      .replace(':organization_id', user.organizationId)
      .replace(/:(project|environment)_id/, String(user.projectId))
      .replace(/:\w+/g, crypto.randomUUID())
    expect(seen(await as.send(method.toUpperCase(), filled, { body: {} }))).toEqual(PATH_BLOCKED)
  })

  it('creates no key and accepts no form under another spelling of the path', async () => {
    const { as, user } = await looking()
    const key = { label: 'x', scopes: ['*'], scoped_teams: [], scoped_organizations: [] }
    expect(seen(await as.post('/api/personal%5fapi_keys/', key))).toEqual(PATH_BLOCKED)
    expect(seen(await as.patch('/api/%75sers/@me/', { first_name: 'Eve' }))).toEqual(PATH_BLOCKED)
    const again = { user: user.user.email, reason: 'Ticket 8' }
    expect((await submit(as, '/%61dmin/login/user/', again)).status).toBe(403)
    const own = await signIn(user)
    expect((await own.get('/api/personal_api_keys/')).body).toHaveLength(1)
    expect((await own.get('/api/users/@me/')).body.first_name).toBe('Ada')
  })

  it("leaves the user's personal data unchanged", async () => {
    const { as, user } = await looking()
    const target = await signIn(user)
    const writes: [string, string, object?][] = [
      ['PATCH', '/api/users/@me/', { first_name: 'Eve' }],
      ['PATCH', '/api/users/@me', { set_current_organization: user.organizationId, theme_mode: 'dark' }],
      ['POST', '/api/users/@me/onboarding/skip/', { reason: 'later' }],
      ['POST', '/api/users/@me/push_tokens/', { token: 'x', platform: 'ios' }],
      ['POST', '/api/users/@me/scene_personalisation/', { theme_mode: 'dark' }],
      ['POST', '/api/users/@me/two_factor_disable/', {}],
      ['DELETE', `/api/users/@me/login_sessions/${target.sessionId}/`],
      ['DELETE', `/api/users/@me/login_sessions/${crypto.randomUUID()}/`],
      ['POST', '/api/users/@me/login_sessions/revoke_others', {}],
      ['POST', '/api/personal_api_keys/', { label: 'x', scopes: ['*'] }],
    ]
    for (const [method, path, body] of writes) {
      expect(seen(await as.send(method, path, body ? { body } : {}))).toEqual(PATH_BLOCKED)
    }
    expect((await target.get('/api/users/@me/')).body.first_name).toBe('Ada')
  })

  it('creates and deletes no invites', async () => {
    const { as, user } = await looking()
    const invites = `/api/organizations/${user.organizationId}/invites/`
    const { body } = await user.post(invites, { target_email: 'grace@example.com' })
    for (const path of [invites, `${invites}delegate/`]) {
      expect(seen(await as.post(path, { target_email: 'ada@example.com' }))).toEqual(PATH_BLOCKED)
    }
    expect(seen(await as.delete(`${invites}${body.id}/`))).toEqual(PATH_BLOCKED)
    expect((await as.get(invites)).body.results).toEqual([
      { ...body, id: expect.not.stringMatching(body.id) },
    ])
  })

  it('logs staff and user for operations without credentials', async () => {
    const { as, staff, user } = await looking()
    const { line } = await as.get('/complete/chat-link/start/?state=x')
    expect(line).toMatchObject({ actor: 'session', user_id: user.user.id, impersonated_by: staff.user.id })
  })

  it('allows switching the organization and changing flags', async () => {
    const { as, user } = await looking()
    const switched = await as.patch('/api/users/@me/', { set_current_organization: user.organizationId })
    expect(switched.status).toBe(200)
    expect((await as.post(user.flags(), { key: 'made' })).status).toBe(201)
  })

  it('marks each change in the activity log', async () => {
    const { as, user } = await looking()
    await setLevel(user, 8)
    const own = await user.flag({ key: 'own' })
    const { body: made } = await as.post(user.flags(), { key: 'made' })
    await as.patch(user.flags(made.id), { name: 'Made' })
    await as.post(user.flags('bulk_update_tags'), { ids: [own.id], action: 'add', tags: ['a'] })
    const { body: plain } = await as.post(user.flags(), {
      key: 'plain',
      _should_create_usage_dashboard: false,
    })
    await as.post(user.flags(`${plain.id}/dashboard`), {})
    await as.post(user.flags('bulk_delete'), { ids: [made.id] })
    await as.patch(`/api/projects/${user.projectId}/`, { name: 'Renamed' })
    const rows = await database()
      .select()
      .from(activityLog)
      .where(eq(activityLog.projectId, user.projectId))
      .orderBy(activityLog.sequence)
    expect(rows.map((row) => [row.scope, row.activity, row.detail.name, row.wasImpersonated])).toEqual([
      ['FeatureFlag', 'created', 'own', false],
      ['Dashboard', 'created', 'Generated Dashboard: made Usage', true],
      ['FeatureFlag', 'created', 'made', true],
      ['FeatureFlag', 'updated', 'made', true],
      ['FeatureFlag', 'updated', 'own', true],
      ['FeatureFlag', 'created', 'plain', true],
      ['Dashboard', 'created', 'Generated Dashboard: plain Usage', true],
      ['FeatureFlag', 'deleted', 'made', true],
      ['Project', 'updated', 'Renamed', true],
    ])
    expect(new Set(rows.map(({ userId }) => userId))).toEqual(new Set([user.user.id]))
    const log = `/api/projects/${user.projectId}/activity_log/?scope=FeatureFlag`
    for (const [query, marks] of [
      ['', [true, true, true, true, true, false]],
      ['&was_impersonated=true', [true, true, true, true, true]],
      ['&was_impersonated=false', [false]],
      [`&was_impersonated=true&item_id=${own.id}`, [true]],
    ] as const) {
      const { body } = await user.get(log + query)
      expect(body.results.map((entry: { was_impersonated: boolean }) => entry.was_impersonated)).toEqual(
        marks,
      )
      expect(body.total_count).toBe(marks.length)
    }
    const entry = rows.at(-1)!
    expect(
      await messageOf(database(), user.projectId, { entryId: entry.id, event: 'Project.updated' }),
    ).toContain('"was_impersonated":true')
  })

  it('lists the session among those of staff only', async () => {
    const { as, user, own } = await looking()
    const target = await signIn(user)
    const ids = ({ body }: { body: { id: string }[] }) => body.map(({ id }) => id)
    expect(ids(await target.get('/api/users/@me/login_sessions/'))).toEqual([target.sessionId])
    expect(ids(await as.get('/api/users/@me/login_sessions/'))).toEqual([target.sessionId])
    expect((await target.delete(`/api/users/@me/login_sessions/${own.sessionId}/`)).status).toBe(404)
  })

  it('rejects writes in a read-only impersonation', async () => {
    const { as, user } = await looking({ read_only: 'true' })
    const flag = await user.flag()
    expect(seen(await as.post(user.flags(), { key: 'made' }))).toEqual(READ_ONLY)
    expect(seen(await as.patch(user.flags(flag.id), { name: 'x' }))).toEqual(READ_ONLY)
    expect((await as.post(user.flags('bulk_keys'), { ids: [flag.id] })).status).toBe(200)
    expect((await as.get('/api/users/@me/')).body.is_impersonated_read_only).toBe(true)
  })
})

describe('the end of impersonation', () => {
  const EXPIRED = { status: 401, body: 'Impersonation session has expired. Please log in again.' }

  it('comes after half an hour without a request', async () => {
    const { as, harness } = await looking()
    harness.clock.advance({ minutes: 29, seconds: 59 })
    expect((await as.get('/api/users/@me/')).body.is_impersonated_until).toBe('2026-03-10T12:59:59Z')
    harness.clock.advance({ minutes: 29 })
    expect((await as.get('/api/users/@me/')).status).toBe(200)
    harness.clock.advance({ minutes: 30 })
    expect(seen(await as.get('/api/users/@me/'))).toEqual(EXPIRED)
  })

  it('comes after two hours, however busy they were', async () => {
    const { as, harness } = await looking()
    for (let quarter = 0; quarter < 7; quarter += 1) {
      harness.clock.advance({ minutes: 15 })
      expect((await as.get('/api/users/@me/')).status).toBe(200)
    }
    harness.clock.advance({ minutes: 15 })
    expect(seen(await as.get('/api/users/@me/'))).toEqual(EXPIRED)
  })

  it('returns staff to their own account where they are sent to sign in', async () => {
    const { as, harness, staff } = await looking()
    harness.clock.advance({ hours: 1 })
    const response = await as.get('/login?next=/settings')
    expect([response.status, response.headers.get('Location')]).toEqual([303, '/settings'])
    const own = browserWith(harness, cookieIn(response, 'sessionid')!, '')
    expect((await own.get('/api/users/@me/')).body).toMatchObject({
      uuid: staff.user.uuid,
      is_impersonated: false,
      is_impersonated_until: null,
      is_impersonated_read_only: null,
      is_impersonated_reason: null,
    })
  })

  it('comes with POST logout, with a new token', async () => {
    const { as, harness, staff } = await looking()
    const response = await submit(as, '/logout')
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/settings'])
    const own = browserWith(harness, cookieIn(response, 'sessionid')!, '')
    expect((await own.get('/api/users/@me/')).body.uuid).toBe(staff.user.uuid)
    expect((await as.get('/api/users/@me/')).status).toBe(401)
  })

  it.each([
    ['has opted out', { allowImpersonation: false }],
    ['has become staff', { isStaff: true }],
  ])('comes immediately when the user %s', async (_, change) => {
    const { as, harness, user, staff } = await looking()
    await updateUser(user, change)
    expect(seen(await as.get('/api/users/@me/'))).toEqual(EXPIRED)
    const own = browserWith(harness, cookieIn(await as.get('/login'), 'sessionid')!, '')
    expect((await own.get('/api/users/@me/')).body.uuid).toBe(staff.user.uuid)
  })

  it('ends immediately when the owner is no longer staff', async () => {
    const { as, staff } = await looking()
    await updateUser(staff, { isStaff: false })
    expect((await as.get('/api/users/@me/')).status).toBe(401)
  })
})
