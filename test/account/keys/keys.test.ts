// Personal API keys (docs/reference/accounts.md#personal-api-keys).
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { personalApiKeys } from '../../../drizzle'
import { NOT_FOUND, refused, seen } from '../../support/responses'
import { type Browser, signIn } from '../../support/session'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { storedUser } from '../../support/user'

const PATH = '/api/personal_api_keys/'
const BODY = { label: 'CI', scopes: ['feature_flag:read'], scoped_teams: [], scoped_organizations: [] }
const KEYS_REFUSED = {
  status: 403,
  body: {
    type: 'authentication_error',
    code: 'permission_denied',
    detail: 'This action does not support personal API key access',
    attr: null,
  },
}

async function signedIn(): Promise<{ tenant: Tenant; browser: Browser }> {
  const tenant = await createTenant()
  return { tenant, browser: await signIn(tenant) }
}

const callWith = (tenant: Tenant, value: string, path = tenant.flags()) =>
  tenant.send('GET', path, { headers: { Authorization: `Bearer ${value}` } })

describe('POST personal_api_keys', () => {
  it('creates a valid key and returns its value once', async () => {
    const { tenant, browser } = await signedIn()
    const { status, body } = await browser.post(PATH, { ...BODY, description: 'For the pipeline' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      label: 'CI',
      description: 'For the pipeline',
      value: expect.stringMatching(/^phx_[0-9A-Za-z]{43}$/),
      mask_value: `phx_...${body.value.slice(-4)}`,
      created_at: '2026-03-10T12:00:00Z',
      last_used_at: null,
      last_rolled_at: null,
      user_id: tenant.user.id,
      is_legacy_hashing: false,
      scopes: ['feature_flag:read'],
      scoped_teams: [],
      scoped_organizations: [],
      local_dev_value: null,
    })
    expect((await callWith(tenant, body.value)).status).toBe(200)
    expect((await browser.get(`${PATH}${body.id}/`)).body).toMatchObject({ id: body.id, value: null })
  })

  it.each([
    [{ label: undefined }, 'label', 'This field is required.', 'required'],
    [{ label: '  ' }, 'label', 'This field may not be blank.', 'blank'],
    [{ label: 'x'.repeat(41) }, 'label', 'Ensure this field has no more than 40 characters.', 'max_length'],
    [
      { description: 'x'.repeat(1001) },
      'description',
      'Ensure this field has no more than 1000 characters.',
      'max_length',
    ],
    [{ scopes: undefined }, 'scopes', 'This field is required.', 'required'],
    [{ scopes: [] }, 'scopes', 'This list may not be empty.', 'empty'],
    [{ scopes: ['flags:read'] }, 'scopes', 'Invalid scope: flags:read'],
    [{ scopes: ['feature_flag'] }, 'scopes', 'Invalid scope: feature_flag'],
    [{ scopes: ['feature_flag:*'] }, 'scopes', 'Invalid scope: feature_flag:*'],
    [{ scopes: ['internal_run:read'] }, 'scopes', 'Invalid scope: internal_run:read'],
    [
      { scopes: ['llm_gateway:read'] },
      'scopes',
      'LLM gateway scope is not available. Contact support to enable this feature.',
    ],
    [{ scoped_teams: undefined }, 'scoped_teams', 'This field is required.', 'required'],
    [
      { scoped_teams: [999_999] },
      'scoped_teams',
      'You must be a member of all teams that you are scoping the key to.',
    ],
    [{ scoped_organizations: undefined }, 'scoped_organizations', 'This field is required.', 'required'],
    [{ scoped_organizations: ['abc'] }, 'scoped_organizations', 'Invalid organization UUID'],
    [
      { scoped_organizations: ['01990000-0000-7000-8000-000000000000'] },
      'scoped_organizations',
      'You must be a member of all organizations that you are scoping the key to.',
    ],
  ])('rejects %j', async (fields, attr, detail, code?: string) => {
    const { browser } = await signedIn()
    expect(seen(await browser.post(PATH, { ...BODY, ...fields }))).toEqual(refused(attr, detail, code))
  })

  it('accepts project ids as digits, and drops duplicates', async () => {
    const { tenant, browser } = await signedIn()
    const { projectId, organizationId } = tenant
    const response = await browser.post(PATH, {
      ...BODY,
      scopes: ['*', '*'],
      scoped_teams: [String(projectId), projectId],
      scoped_organizations: [organizationId, organizationId.toUpperCase()],
    })
    expect(response.body).toMatchObject({
      scopes: ['*'],
      scoped_teams: [projectId],
      scoped_organizations: [organizationId],
    })
  })

  it.each([
    ['scopes', '*', 300],
    ['scoped_teams', 1, 100],
    ['scoped_organizations', 'a', 100],
  ])('takes no list of %s that is longer than an isolate cares to remember', async (field, item, most) => {
    const { browser } = await signedIn()
    const response = await browser.post(PATH, {
      ...BODY,
      [field]: Array.from({ length: most + 1 }, () => item),
    })
    expect(seen(response)).toEqual(
      refused(field, `Ensure this field has no more than ${most} elements.`, 'max_length'),
    )
  })

  it('restricts a key to a project and an organization of its owner', async () => {
    const [{ tenant, browser }, other] = [await signedIn(), await createTenant()]
    const restricted = { ...BODY, scoped_teams: [tenant.projectId] }
    const { body } = await browser.post(PATH, {
      ...restricted,
      scoped_organizations: [tenant.organizationId],
    })
    expect(body).toMatchObject({ scoped_teams: [tenant.projectId] })
    expect((await callWith(tenant, body.value)).status).toBe(200)
    expect((await callWith(tenant, body.value, other.flags())).status).toBe(403)
    expect((await callWith(tenant, body.value, '/api/organizations/')).status).toBe(403)
    expect((await browser.post(PATH, { ...BODY, scoped_teams: [other.projectId] })).status).toBe(400)
  })

  it('creates at most ten, also concurrently', async () => {
    const { tenant, browser } = await signedIn()
    const responses = await Promise.all(Array.from({ length: 14 }, () => browser.post(PATH, BODY)))
    // The tenant has one already.
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(9)
    expect(seen(responses.find(({ status }) => status !== 201)!)).toEqual(
      refused(
        null,
        'You can only have 10 personal API keys. Remove an existing key before creating a new one.',
      ),
    )
    const rows = await database()
      .select()
      .from(personalApiKeys)
      .where(eq(personalApiKeys.userId, tenant.user.id))
    expect(rows).toHaveLength(10)
  })

  it('requires no review of the first key', async () => {
    const { tenant, browser } = await signedIn()
    const review = async () => (await browser.get('/api/users/@me/')).body.requires_credential_review
    expect(await review()).toBe(true)
    expect((await browser.post('/api/users/@me/credentials_review_complete/')).status).toBe(204)
    expect(await review()).toBe(false)
    const other = await createTenant()
    await database().delete(personalApiKeys).where(eq(personalApiKeys.userId, other.user.id))
    await (await signIn(other)).post(PATH, BODY)
    expect((await storedUser(other)).credentialsReviewedAt).toBe('2026-03-10T12:00:00.000000Z')
    expect(tenant.lines.every(({ level }) => level === 'info')).toBe(true)
  })
})

describe('GET personal_api_keys', () => {
  it('lists own keys, newest first, without values', async () => {
    const { tenant, browser } = await signedIn()
    tenant.clock.advance({ seconds: 1 })
    await browser.post(PATH, { ...BODY, label: 'second' })
    tenant.clock.advance({ seconds: 1 })
    await browser.post(PATH, { ...BODY, label: 'third' })
    await (await signedIn()).browser.post(PATH, BODY)
    const { body } = await browser.get(PATH)
    expect(body.map(({ label, value }: { label: string; value: unknown }) => [label, value])).toEqual([
      ['third', null],
      ['second', null],
      ['test', null],
    ])
  })
})

describe('a key that reads keys', () => {
  it('reads only itself', async () => {
    const { tenant, browser } = await signedIn()
    const narrow = await tenant.withKey({ label: 'narrow', scopes: ['activity_log:read'] })
    const { body } = await narrow.get(`${PATH}@current/`)
    expect(body).toMatchObject({ label: 'narrow', value: null })
    expect((await narrow.get(`${PATH}${body.id}/`)).body).toEqual(body)
    const other = (await browser.post(PATH, BODY)).body
    expect(seen(await narrow.get(`${PATH}${other.id}/`))).toEqual(KEYS_REFUSED)
    expect(seen(await tenant.post(PATH, BODY))).toEqual(KEYS_REFUSED)
    expect(seen(await tenant.delete(`${PATH}${other.id}/`))).toEqual(KEYS_REFUSED)
    expect(seen(await tenant.post(`${PATH}${other.id}/roll/`))).toEqual(KEYS_REFUSED)
    expect(seen(await browser.get(`${PATH}@current/`))).toEqual(NOT_FOUND)
  })
})

describe('a key of another user', () => {
  it('is 404', async () => {
    const [{ browser }, stranger] = [await signedIn(), await signedIn()]
    const { id } = (await stranger.browser.post(PATH, BODY)).body
    expect(seen(await browser.get(`${PATH}${id}/`))).toEqual(NOT_FOUND)
    expect(seen(await browser.patch(`${PATH}${id}/`, { label: 'mine' }))).toEqual(NOT_FOUND)
    expect(seen(await browser.post(`${PATH}${id}/roll/`))).toEqual(NOT_FOUND)
    expect(seen(await browser.delete(`${PATH}${id}/`))).toEqual(NOT_FOUND)
    expect((await stranger.browser.get(`${PATH}${id}/`)).body.label).toBe('CI')
  })
})

describe('PATCH personal_api_keys', () => {
  it('applies from the next request on', async () => {
    const { tenant, browser } = await signedIn()
    const { id, value } = (await browser.post(PATH, BODY)).body
    expect((await callWith(tenant, value)).status).toBe(200)
    const { status, body } = await browser.patch(`${PATH}${id}/`, {
      scopes: ['activity_log:read'],
      description: '',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ label: 'CI', description: null, value: null, scopes: ['activity_log:read'] })
    expect((await callWith(tenant, value)).status).toBe(403)
  })

  it('writes and reads the key in one round trip, after that of the session', async () => {
    const { browser } = await signedIn()
    const { id } = (await browser.post(PATH, BODY)).body
    const response = await browser.patch(`${PATH}${id}/`, { label: 'CD' })
    expect([response.body.label, response.line.d1_round_trips]).toEqual(['CD', 2])
  })

  it('changes nothing for an empty body, and rejects what POST rejects', async () => {
    const { browser } = await signedIn()
    const { id, ...made } = (await browser.post(PATH, BODY)).body
    expect((await browser.patch(`${PATH}${id}/`)).body).toEqual({ id, ...made, value: null })
    expect((await browser.patch(`${PATH}${id}/`, { scopes: [] })).status).toBe(400)
    expect((await browser.patch(`${PATH}${id}/`, { scopes: ['x:read'] })).status).toBe(400)
  })

  it('replaces all fields with PUT', async () => {
    const { browser } = await signedIn()
    const { id } = (await browser.post(PATH, BODY)).body
    expect((await browser.send('PUT', `${PATH}${id}/`, { body: { label: 'x' } })).status).toBe(400)
    const { body } = await browser.send('PUT', `${PATH}${id}/`, { body: { ...BODY, scopes: ['*'] } })
    expect(body).toMatchObject({ id, scopes: ['*'] })
  })
})

describe('POST roll', () => {
  it('returns a new value and invalidates the old one immediately', async () => {
    const { tenant, browser } = await signedIn()
    const made = (await browser.post(PATH, BODY)).body
    expect((await callWith(tenant, made.value)).status).toBe(200)
    tenant.clock.advance({ minutes: 1 })
    const { status, body } = await browser.post(`${PATH}${made.id}/roll/`)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...made,
      value: expect.stringMatching(/^phx_/),
      mask_value: `phx_...${body.value.slice(-4)}`,
      last_used_at: '2026-03-10T12:00:00Z',
      last_rolled_at: '2026-03-10T12:01:00Z',
    })
    expect((await callWith(tenant, made.value)).status).toBe(401)
    expect((await callWith(tenant, body.value)).status).toBe(200)
  })
})

describe('DELETE personal_api_keys', () => {
  it('ends a key immediately', async () => {
    const { tenant, browser } = await signedIn()
    const { id, value } = (await browser.post(PATH, BODY)).body
    expect((await callWith(tenant, value)).status).toBe(200)
    expect(seen(await browser.delete(`${PATH}${id}/`))).toEqual({ status: 204, body: null })
    expect((await callWith(tenant, value)).status).toBe(401)
    expect(seen(await browser.delete(`${PATH}${id}/`))).toEqual(NOT_FOUND)
  })
})
