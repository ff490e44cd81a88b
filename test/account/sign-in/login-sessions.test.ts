// Login sessions (docs/reference/accounts.md#login-sessions).
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sessions } from '../../../drizzle'
import { seen } from '../../support/responses'
import type { TestResponse } from '../../support/harness'
import { createOvertaken } from '../../support/faults/overtaken'
import { type Browser, signIn } from '../../support/session'
import { createTenant, database } from '../../support/tenant'
import { storedUser } from '../../support/user'

const PATH = '/api/users/@me/login_sessions/'
const NOT_FOUND = {
  status: 404,
  body: { type: 'invalid_request', code: 'not_found', detail: 'Login session not found.', attr: null },
}
const MAC_CHROME =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/135.0.0.0 Safari/537.36'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

describe('GET login_sessions', () => {
  it('lists the current one first, then by last use, without token hashes', async () => {
    const tenant = await createTenant()
    const old = await signIn(tenant, {
      lastActivity: '2026-03-09T08:00:00.000000Z',
      userAgent: MAC_CHROME,
      location: 'Berlin, Germany',
    })
    const current = await signIn(tenant)
    const newer = await signIn(tenant, { lastActivity: '2026-03-10T11:00:00.250000Z' })
    await signIn(tenant, { expiresAt: '2026-03-10T12:00:00.000000Z' })
    await signIn(await createTenant({ harness: tenant }))
    expect(seen(await current.get(PATH))).toEqual({
      status: 200,
      body: [
        {
          id: current.sessionId,
          created_at: '2026-03-10T12:00:00Z',
          last_activity: '2026-03-10T12:00:00Z',
          location: null,
          device: null,
          login_method: 'password',
          is_current: true,
        },
        {
          id: newer.sessionId,
          created_at: '2026-03-10T12:00:00Z',
          last_activity: '2026-03-10T11:00:00.250000Z',
          location: null,
          device: null,
          login_method: 'password',
          is_current: false,
        },
        {
          id: old.sessionId,
          created_at: '2026-03-10T12:00:00Z',
          last_activity: '2026-03-09T08:00:00Z',
          location: 'Berlin, Germany',
          device: 'Chrome 135.0.0 on macOS 10.15',
          login_method: 'password',
          is_current: false,
        },
      ],
    })
  })

  it("shows this request's client for the current session and stored values for others", async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    const other = await signIn(tenant, { userAgent: MAC_CHROME, location: 'Berlin, Germany' })
    tenant.clock.advance({ minutes: 60 * 24 * 3 })
    const response = await browser.send('GET', PATH, { headers: { 'User-Agent': FIREFOX } })
    const common = { created_at: '2026-03-10T12:00:00Z', login_method: 'password' }
    expect(seen(response)).toEqual({
      status: 200,
      body: [
        {
          ...common,
          id: browser.sessionId,
          last_activity: '2026-03-13T12:00:00Z',
          location: null,
          device: 'Firefox 128.0 on Linux',
          is_current: true,
        },
        {
          ...common,
          id: other.sessionId,
          last_activity: '2026-03-10T12:00:00Z',
          location: 'Berlin, Germany',
          device: 'Chrome 135.0.0 on macOS 10.15',
          is_current: false,
        },
      ],
    })
  })

  it('ignores email and is_staff', async () => {
    const browser = await signIn(await createTenant())
    expect((await browser.get(`${PATH}?email=nobody@example.com&is_staff=true`)).body).toHaveLength(1)
  })

  it('takes two round trips', async () => {
    const browser = await signIn(await createTenant(), { authenticatedAt: '2026-03-01T00:00:00.000000Z' })
    const { status, line } = await browser.get(PATH)
    expect(status).toBe(200)
    expect(line.d1_round_trips).toBe(2)
  })
})

describe('the last activity of a session', () => {
  it('is recorded every five minutes, with the browser', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    const noted = async () => {
      await browser.send('GET', '/api/users/@me/', { headers: { 'User-Agent': 'curl/8.5.0' } })
      const [row] = await database().select().from(sessions).where(eq(sessions.id, browser.sessionId))
      return [row!.lastActivity, row!.userAgent]
    }
    tenant.clock.advance({ minutes: 5 })
    expect(await noted()).toEqual(['2026-03-10T12:00:00.000000Z', null])
    tenant.clock.advance({ seconds: 1 })
    expect(await noted()).toEqual(['2026-03-10T12:05:01.000000Z', 'curl/8.5.0'])
  })
})

describe('DELETE login_sessions', () => {
  it('ends the session immediately', async () => {
    const tenant = await createTenant()
    const [browser, other] = [await signIn(tenant), await signIn(tenant)]
    expect((await other.get(PATH)).status).toBe(200)
    const response = await browser.delete(`${PATH}${other.sessionId}/`)
    expect(seen(response)).toEqual({ status: 204, body: null })
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'private, no-store',
      'content-security-policy': "default-src 'none'",
      'x-request-id': expect.any(String),
    })
    expect((await other.get(PATH)).status).toBe(401)
    expect((await other.get(tenant.flags())).status).toBe(401)
  })

  it('can end the current session', async () => {
    const browser = await signIn(await createTenant())
    expect((await browser.delete(`${PATH}${browser.sessionId.toUpperCase()}/`)).status).toBe(204)
    expect((await browser.get(PATH)).status).toBe(401)
  })

  it('responds with 404 for foreign, unknown and malformed ids', async () => {
    const browser = await signIn(await createTenant())
    const stranger = await signIn(await createTenant())
    for (const id of [stranger.sessionId, crypto.randomUUID(), 'abc', '%00', "1'--"]) {
      expect(seen(await browser.delete(`${PATH}${id}/`))).toEqual(NOT_FOUND)
    }
    expect((await stranger.get(PATH)).status).toBe(200)
  })
})

describe('a session that is revoked during its own request', () => {
  /** `act`, with the session revoked just before the database call that starts like this. */
  async function overtaken(statement: string, act: (browser: Browser) => Promise<TestResponse>) {
    const { tenant, overtake } = await createOvertaken(statement)
    const [browser, other] = [await signIn(tenant), await signIn(tenant)]
    overtake(() => database().delete(sessions).where(eq(sessions.id, browser.sessionId)))
    const response = await act(browser)
    expect(seen(response)).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
    expect((await other.get(PATH)).status).toBe(200)
    return tenant
  }

  it('revokes no other session', async () => {
    await overtaken('delete from "sessions"', (browser) => browser.post(`${PATH}revoke_others/`))
  })

  it('sets no password', async () => {
    const tenant = await overtaken('delete from "sessions"', (browser) =>
      browser.patch('/api/users/@me/', { password: 'quite-0ther-w0rds' }),
    )
    expect((await storedUser(tenant)).passwordHash).toBe(null)
  })

  it('leaves one of two that end each other', async () => {
    const tenant = await createTenant()
    const pair = [await signIn(tenant), await signIn(tenant)] as const
    const responses = await Promise.all(
      pair.map((browser, index) => browser.delete(`${PATH}${pair[1 - index]!.sessionId}/`)),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 401])
  })
})

describe('POST revoke_others', () => {
  it('ends all others, expired ones too, and returns their number', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    const other = await signIn(tenant)
    await signIn(tenant, { expiresAt: '2026-03-01T00:00:00.000000Z' })
    const stranger = await signIn(await createTenant())
    const revoke = () => browser.post(`${PATH}revoke_others/`)
    expect(seen(await revoke())).toEqual({ status: 200, body: { revoked_count: 2 } })
    expect(seen(await revoke())).toEqual({ status: 200, body: { revoked_count: 0 } })
    expect((await other.get(PATH)).status).toBe(401)
    expect((await browser.get(PATH)).status).toBe(200)
    expect((await stranger.get(PATH)).status).toBe(200)
  })

  it('leaves one session when all revoke the others concurrently', async () => {
    const tenant = await createTenant()
    const browsers = await Promise.all(Array.from({ length: 12 }, () => signIn(tenant)))
    const responses = await Promise.all(browsers.map((browser) => browser.post(`${PATH}revoke_others/`)))
    expect(responses.filter(({ status }) => status === 200).map(({ body }) => body)).toEqual([
      { revoked_count: 11 },
    ])
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(11)
    const after = await Promise.all(browsers.map(async (browser) => (await browser.get(PATH)).status))
    expect(after).toEqual(responses.map(({ status }) => status))
  })

  it.each([[[]], [null], [{}]])('takes the empty body %j', async (body) => {
    const browser = await signIn(await createTenant())
    expect(seen(await browser.post(`${PATH}revoke_others/`, body))).toEqual({
      status: 200,
      body: { revoked_count: 0 },
    })
  })
})

describe('a request with a key and a cookie', () => {
  it('authenticates by the key', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const browser = await signIn(other)
    const response = await tenant.send('GET', '/api/users/@me/', {
      headers: { ...browser.headers, Authorization: `Bearer ${tenant.key}` },
    })
    expect(response.body.uuid).toBe(tenant.user.uuid)
    expect(response.line.actor).toBe('apiKey')
  })

  it('needs no CSRF token', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    const response = await tenant.send('POST', tenant.flags(), {
      body: { key: 'made' },
      headers: { Cookie: browser.headers.Cookie!, Authorization: `Bearer ${tenant.key}` },
    })
    expect(response.status).toBe(201)
  })

  it('authenticates by the session where keys are not accepted', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    const response = await browser.send('GET', PATH, { headers: { Authorization: `Bearer ${tenant.key}` } })
    expect(response).toMatchObject({ status: 200, line: { actor: 'session' } })
  })

  it('rejects a wrong key despite a valid cookie', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    const response = await browser.send('GET', tenant.flags(), {
      headers: { Authorization: 'Bearer phx_no' },
    })
    expect(response).toMatchObject({ status: 401, body: { code: 'authentication_failed' } })
  })
})

describe('flags with a session', () => {
  it('return the same as for a key, except encrypted payloads', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    const created = await browser.post(tenant.flags(), {
      key: 'config',
      is_remote_configuration: true,
      has_encrypted_payloads: true,
      filters: { groups: [{ properties: [], rollout_percentage: 100 }], payloads: { true: '"wellkept"' } },
    })
    expect(created.status).toBe(201)
    const path = tenant.flags(`${created.body.id}/remote_config`)
    expect((await tenant.get(path)).body).toBe('"wellkept"')
    expect((await browser.get(path)).body).toBe('"********* (encrypted)"')
    expect(created.line.d1_round_trips).toBe(3)
  })

  it('use the current project of the user', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    const { line } = await browser.get('/api/projects/@current/feature_flags/')
    expect(line).toMatchObject({ status: 200, project_id: tenant.projectId, d1_round_trips: 2 })
  })
})
