// The operation that reads from the source of an import: what may be called, by whom, and what comes back.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { MAX_SOURCE_BYTES, MAX_SOURCE_CALLS, callSource } from '../../src/import/call-source'
import { createReceiver } from '../support/server/receiver'
import { seen } from '../support/responses'
import { signIn } from '../support/session'
import { createTenant, type Tenant } from '../support/tenant'

const KEY = 'phx_a-key-of-the-source'
const CALL = { source: 'posthog', key: KEY, method: 'GET', path: '/api/projects/' }

const pathOf = ({ projectId }: Tenant) => `/api/projects/${projectId}/import_source/`

/** A member with a session, at a service that is called on loopback: it may call what is local. */
async function member() {
  const tenant = await createTenant()
  const browser = await signIn(tenant)
  return {
    tenant,
    browser,
    call: (body: object, projectId = tenant.projectId) =>
      browser.send('POST', `http://localhost/api/projects/${projectId}/import_source/`, {
        body: { ...CALL, ...body },
        headers: { Origin: 'http://localhost' },
      }),
  }
}

describe('POST import_source', () => {
  it('calls the source with its key, and nothing of the caller', async () => {
    const { call } = await member()
    const receiver = await createReceiver([
      { status: 200, headers: { 'Set-Cookie': 'a=b' }, body: '{"results":[]}' },
    ])
    const { status, body, headers } = await call({
      url: receiver.url,
      method: 'POST',
      path: '/api/projects/7/query/',
      body: { query: { kind: 'HogQLQuery', query: 'SELECT 1' } },
    })
    expect([status, body]).toEqual([
      200,
      { status: 200, body: '{"results":[]}', retry_after: null, location: null, error: null },
    ])
    expect(headers.get('Set-Cookie')).toBeNull()
    const [received] = await receiver.calls()
    expect(received).toMatchObject({
      method: 'POST',
      path: '/api/projects/7/query/',
      body: '{"query":{"kind":"HogQLQuery","query":"SELECT 1"}}',
      headers: { authorization: `Bearer ${KEY}`, 'user-agent': 'Halyard-Import/1' },
    })
    expect(Object.keys(received!.headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/cookie|csrf|origin|referer/i)]),
    )
  })

  it('sends the key of Unleash as Unleash has it', async () => {
    const { call } = await member()
    const receiver = await createReceiver()
    await call({ url: receiver.url, source: 'unleash', path: '/api/admin/environments' })
    expect(await receiver.calls()).toMatchObject([
      { path: '/api/admin/environments', headers: { authorization: KEY } },
    ])
  })

  it('passes on Retry-After and that a key is wrong', async () => {
    const { call } = await member()
    const receiver = await createReceiver([
      { status: 429, headers: { 'Retry-After': '7' }, body: '' },
      { status: 401, body: '{"detail":"wrong"}' },
    ])
    const nothing = { body: '', retry_after: null, location: null, error: null }
    expect((await call({ url: receiver.url })).body).toEqual({ ...nothing, status: 429, retry_after: '7' })
    expect((await call({ url: receiver.url })).body).toEqual({
      ...nothing,
      status: 401,
      body: '{"detail":"wrong"}',
    })
  })

  it('follows no redirect', async () => {
    const { call } = await member()
    const other = await createReceiver()
    const receiver = await createReceiver([
      { status: 302, headers: { Location: `${other.url}/?key=${KEY}` }, body: '' },
    ])
    expect((await call({ url: receiver.url })).body).toMatchObject({
      status: 302,
      location: `${other.url}/?key=[secret]`,
    })
    expect(await other.calls()).toEqual([])
  })

  it('shows the key in no response and no log', async () => {
    const { tenant, call } = await member()
    const receiver = await createReceiver([
      { status: 403, body: `{"detail":"no ${KEY}"}` },
      { status: 200, body: `["${KEY}"]` },
    ])
    const replies = [
      await call({ url: receiver.url }),
      await call({ url: receiver.url }),
      await call({ url: 'http://127.0.0.1:29' }),
      await call({ url: receiver.url, path: '/api/users/' }),
      await call({ url: 'nowhere' }),
    ]
    expect(replies.map(({ body }) => body.body ?? body.attr)).toEqual([
      '{"detail":"no [secret]"}',
      '["[secret]"]',
      '',
      'path',
      'url',
    ])
    expect(JSON.stringify([replies, tenant.lines])).not.toContain(KEY)
  })

  it('reports an unreachable source', async () => {
    const { call } = await member()
    expect((await call({ url: 'http://127.0.0.1:29' })).body).toEqual({
      status: null,
      body: '',
      retry_after: null,
      location: null,
      error: 'The source cannot be reached: check the address.',
    })
  })

  it('reads no more than its limit', async () => {
    const { call } = await member()
    const receiver = await createReceiver([
      { status: 200, bytes: MAX_SOURCE_BYTES },
      { status: 200, bytes: MAX_SOURCE_BYTES + 1 },
    ])
    expect((await call({ url: receiver.url })).body).toMatchObject({ error: null })
    expect((await call({ url: receiver.url })).body).toMatchObject({
      status: 200,
      body: '',
      error: 'The source responded with more than 8 MiB. The command npm run import reads more.',
    })
  })

  const direct = (tenant: Tenant, url: string, deadlineMs: number) =>
    callSource(
      { env, memory: { take: () => {}, release: () => {} } },
      { kind: 'system' } as never,
      { id: tenant.projectId } as never,
      { ...CALL, source: 'posthog', method: 'GET', url },
      new URL('http://localhost/'),
      deadlineMs,
    )

  it('waits no longer than its deadline, and for few calls at a time', async () => {
    const tenant = await createTenant()
    const receiver = await createReceiver(
      Array.from({ length: MAX_SOURCE_CALLS }, () => ({ status: 200, isEndless: true })),
    )
    const calls = Array.from({ length: MAX_SOURCE_CALLS }, () => direct(tenant, receiver.url, 500))
    await expect(direct(tenant, receiver.url, 500)).rejects.toMatchObject({
      status: 429,
      headers: { 'Retry-After': '1' },
    })
    for (const reply of await Promise.all(calls))
      expect(reply).toMatchObject({
        status: null,
        error: 'The source did not respond within 0.5 seconds.',
      })
    expect(await direct(tenant, receiver.url, 5_000)).toMatchObject({ status: 200 })
  })

  it.each([
    ['posthog', 'GET', '/api/projects/1/feature_flags/?archived=true&limit=500'],
    ['posthog', 'GET', '/api/projects/%40current/'],
    ['posthog', 'GET', '/api/projects/1/feature_flags/activity/?limit=100&page=2'],
    ['posthog', 'GET', '/api/projects/1/feature_flags/12/remote_config/'],
    ['posthog', 'GET', '/api/projects/1/cohorts/12/persons/?limit=500'],
    ['posthog', 'GET', '/api/projects/1/endpoints/daily-signups/versions/?limit=500'],
    ['posthog', 'POST', '/flags/?v=2'],
    ['unleash', 'POST', '/api/admin/features-batch/export'],
    ['unleash', 'POST', '/api/admin/playground'],
  ])('takes a call of %s: %s %s', async (source, method, path) => {
    const { call } = await member()
    const receiver = await createReceiver()
    await call({ url: receiver.url, source, method, path, ...(method === 'POST' ? { body: {} } : {}) })
    expect(await receiver.calls()).toMatchObject([{ method, path }])
  })

  it.each([
    ['posthog', 'GET', '/api/users/@me/'],
    ['posthog', 'GET', '/api/projects/../users/@me/'],
    ['posthog', 'GET', '/api/projects/%2e%2e/'],
    ['posthog', 'GET', '/api/projects/1/endpoints/../versions/'],
    ['posthog', 'GET', '/api/projects/1/endpoints/%2e%2e/versions/'],
    ['posthog', 'GET', '/api/projects/1/personal_api_keys/'],
    ['posthog', 'GET', '@other.example/api/projects/'],
    ['posthog', 'GET', '/api/projects/#/'],
    ['posthog', 'GET', '/api/proj\tects/'],
    ['posthog', 'GET', '/api/admin/segments'],
    ['posthog', 'POST', '/api/projects/1/feature_flags/'],
    ['posthog', 'POST', '/api/projects/1/query/'],
    ['unleash', 'GET', '/api/admin/user-admin'],
    ['unleash', 'GET', '/api/projects/'],
    ['unleash', 'POST', '/api/admin/segments'],
  ])('rejects what an import does not read of %s: %s %s', async (source, method, path) => {
    const { call } = await member()
    const receiver = await createReceiver()
    const body = method === 'POST' ? { body: { query: { kind: 'EventsQuery' } } } : {}
    const reply = await call({ url: receiver.url, source, method, path, ...body })
    expect([reply.status, reply.body.attr]).toEqual([400, 'path'])
    expect(await receiver.calls()).toEqual([])
  })

  it('takes a body with POST alone', async () => {
    const { call } = await member()
    const { url } = await createReceiver()
    expect((await call({ url, body: {} })).body.attr).toBe('path')
    expect((await call({ url, method: 'POST', path: '/flags/' })).body.attr).toBe('path')
  })

  it.each([
    ['http://posthog.example.com', 'The URL must begin with https://.'],
    ['https://10.0.0.1', '10.0.0.1 is not a public host: enter one that the internet can reach.'],
    [
      'https://169.254.169.254',
      '169.254.169.254 is not a public host: enter one that the internet can reach.',
    ],
    ['https://localhost', 'localhost is not a public host: enter one that the internet can reach.'],
    ['https://ada:secret@example.com', 'The URL must not contain a user name or a password.'],
    ['https://example.com/?a=b', 'The URL must not contain a query or a fragment.'],
  ])('does not call %s', async (url, detail) => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    const { status, body } = await browser.post(pathOf(tenant), { ...CALL, url })
    expect([status, body.attr, body.detail]).toEqual([400, 'url', detail])
  })

  it('names a key that is too short', async () => {
    const { call } = await member()
    expect(seen(await call({ url: 'https://example.com', key: 'short' }))).toMatchObject({
      status: 400,
      body: { attr: 'key', detail: 'A key has at least 8 characters.' },
    })
  })

  it('is for sessions of members alone', async () => {
    const { tenant, call } = await member()
    const receiver = await createReceiver()
    const body = { ...CALL, url: receiver.url }
    expect((await tenant.post(pathOf(tenant), body)).status).toBe(403)
    const other = await createTenant()
    expect((await call({ url: receiver.url }, other.projectId)).status).toBe(403)
    expect(await receiver.calls()).toEqual([])
  })
})
