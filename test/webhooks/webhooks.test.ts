// Webhooks in the API: fields, addresses, secrets, and their limit.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { webhooks } from '../../drizzle'
import { MAX_WEBHOOKS } from '../../src/webhooks/create-webhook'
import { WEBHOOK_AGENT } from '../../src/http/own-webhooks'
import { createReceiver, verified } from '../support/server/receiver'
import { createHarness } from '../support/harness'
import { forbidden, refused, seen } from '../support/responses'
import { createTenant, database, type Tenant } from '../support/tenant'

const URL = 'https://hooks.example.com/halyard'

interface Entry {
  activity: string
  user: { email: string }
  detail: { name: string; changes: unknown[] }
}

const pathOf = ({ projectId }: Tenant) => `/api/projects/${projectId}/webhooks/`

describe('a webhook', () => {
  it('shows its secret once, which is encrypted at rest', async () => {
    const tenant = await createTenant()
    const created = await tenant.post(pathOf(tenant), { url: URL, events: ['*', '*', 'Cohort.*'] })
    const { id, secret, ...rest } = created.body
    expect(created.status).toBe(201)
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(rest).toEqual({
      url: URL,
      description: '',
      events: ['*', 'Cohort.*'],
      active: true,
      paused_at: null,
      failing_since: null,
      created_by: expect.objectContaining({ uuid: tenant.user.uuid }),
      created_at: expect.any(String),
    })
    const list = (await tenant.get(pathOf(tenant))).body
    expect(list).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [{ id, secret: null, ...rest }],
    })
    const past = (await tenant.get(`${pathOf(tenant)}?limit=1&offset=1`)).body
    expect(past).toMatchObject({ count: 1, previous: expect.stringContaining('?limit=1'), results: [] })
    const [row] = await database().select().from(webhooks).where(eq(webhooks.id, id))
    expect(row!.secret).toMatch(/^enc:test:/)
    const rotated = (await tenant.post(`${pathOf(tenant)}${id}/rotate_secret/`)).body
    expect(rotated.secret).toMatch(/^whsec_/)
    expect(rotated.secret).not.toBe(secret)
    expect((await tenant.get(`${pathOf(tenant)}${id}/`)).body.secret).toBeNull()
    expect((await tenant.delete(`${pathOf(tenant)}${id}/`)).status).toBe(204)
    expect((await tenant.get(`${pathOf(tenant)}${id}/`)).status).toBe(404)
  })

  it.each<[string, string | RegExp]>([
    ['http://hooks.example.com/', 'The URL must begin with https://.'],
    ['ftp://hooks.example.com/', 'Enter a URL that begins with https://.'],
    ['hooks', 'Enter a URL that begins with https://.'],
    ['https://ada:secret@example.com/', 'The URL must not contain a user name or a password.'],
    ...[
      'localhost',
      'db',
      'db.internal',
      'printer.local',
      '127.0.0.1',
      '0x7f.1',
      '2130706433',
      '10.1.2.3',
      '100.64.0.1',
      '169.254.169.254',
      '192.88.99.1',
      'localhost..',
      'database.internal..',
      '127.0.0.1..',
      'queue.default.svc',
      '[3fff::1]',
      '172.31.0.1',
      '192.168.1.1',
      '[::1]',
      '[::ffff:10.0.0.1]',
      '[fd00::1]',
      '[fe80::1]',
      '[64:ff9b::a00:1]',
      '[2002:a00:1::]',
      '[2::1]',
      '[300::1]',
    ].map((host): [string, RegExp] => [`https://${host}/`, /is not a public host/]),
  ])('is not sent to %s', async (url, detail) => {
    const tenant = await createTenant()
    const { status, body } = await tenant.post(pathOf(tenant), { url, events: ['*'] })
    expect([status, body.attr, body.detail]).toEqual([
      400,
      'url',
      typeof detail === 'string' ? detail : expect.stringMatching(detail),
    ])
  })

  it('is sent to a private host only by a local service, called on loopback', async () => {
    const local = await createTenant()
    const behindProxy = await createTenant({
      harness: createHarness({ bindings: { ALLOW_PRIVATE_HOSTS: 'off' } }),
    })
    const create = async (tenant: Tenant, origin: string) => {
      const { status } = await tenant.send('POST', `${origin}${pathOf(tenant)}`, {
        body: { url: 'http://10.0.0.1/', events: ['*'] },
        headers: { Authorization: `Bearer ${tenant.key}` },
      })
      return status
    }
    expect([
      await create(local, 'http://localhost'),
      await create(local, 'https://flags.example.com'),
      await create(behindProxy, 'http://localhost'),
    ]).toEqual([201, 400, 400])
  })

  it('is not sent to the service itself, by any of its names', async () => {
    const tenant = await createTenant()
    const create = async (origin: string, url: string) => {
      const { status, body } = await tenant.send('POST', `${origin}${pathOf(tenant)}`, {
        body: { url, events: ['*'] },
        headers: { Authorization: `Bearer ${tenant.key}` },
      })
      return status === 201 || [status, body.attr, body.detail]
    }
    const own = (host: string) => [
      400,
      'url',
      `${host} is this service itself: enter the address of another one.`,
    ]
    const path = '/api/projects/1/dashboards/?personal_api_key=phx_1'
    const host = 'flags.example.com'
    for (const name of [host, 'FLAGS.example.com', `${host}:8443`])
      expect(await create(`https://${host}`, `https://${name}${path}`), name).toEqual(own(host))
    expect(await create(`https://${host}`, `https://${host}.${path}`)).toEqual(own(`${host}.`))
    expect(await create(`https://${host}`, `https://hooks.example.com${path}`)).toBe(true)
    for (const name of ['localhost', '127.0.0.1', '[::1]'])
      expect(await create('http://localhost:8941', `http://${name}:8941${path}`), name).toEqual(own(name))
    expect(await create('http://localhost:8941', 'http://localhost:8942/')).toBe(true)
  })

  it('makes no change by another name of the service', async () => {
    const tenant = await createTenant()
    const response = await tenant.send(
      'POST',
      `/api/projects/${tenant.projectId}/dashboards/?personal_api_key=${tenant.key}`,
      { body: { type: 'Dashboard.created', data: {} }, headers: { 'User-Agent': WEBHOOK_AGENT } },
    )
    expect(seen(response)).toEqual(
      forbidden('A webhook cannot call the API of Halyard, because each message could make a change.'),
    )
  })

  it.each(['https://8.8.8.8/', 'https://[2606:4700::1111]:8443/x', 'https://172.32.0.1/'])(
    'is sent to %s',
    async (url) => {
      const tenant = await createTenant()
      const { status, body } = await tenant.post(pathOf(tenant), { url, events: ['*'] })
      expect([status, body.url]).toEqual([201, url])
    },
  )

  it('names an event that does not exist, with those that do', async () => {
    const tenant = await createTenant()
    const { body } = await tenant.post(pathOf(tenant), { url: URL, events: ['FeatureFlag.exploded'] })
    expect(body).toMatchObject({
      attr: 'events__0',
      detail: expect.stringMatching(
        /^"FeatureFlag.exploded" is not an event\. Valid are .*FeatureFlag: created, updated, deleted/,
      ),
    })
  })

  it('is one of at most ten of a project', async () => {
    const tenant = await createTenant()
    const create = () => tenant.post(pathOf(tenant), { url: URL, events: ['*'] })
    for (let count = 0; count < MAX_WEBHOOKS; count += 1) expect((await create()).status).toBe(201)
    expect(seen(await create())).toEqual(
      refused(null, 'A project has at most 10 webhooks. Delete one to add another.'),
    )
  })

  it('is changed, and keeps what a change leaves out', async () => {
    const tenant = await createTenant()
    const { body: created } = await tenant.post(pathOf(tenant), {
      url: URL,
      events: ['*'],
      description: 'Chat',
    })
    const path = `${pathOf(tenant)}${created.id}/`
    const changed = await tenant.patch(path, { events: ['Person.deleted'], active: false })
    expect(changed.body).toEqual({
      ...created,
      events: ['Person.deleted'],
      active: false,
      secret: null,
    })
    expect((await tenant.patch(path, {})).body).toEqual(changed.body)
    expect(await tenant.patch(path, { url: 'https://10.0.0.1/' })).toMatchObject({
      status: 400,
      body: { attr: 'url' },
    })
  })

  it('is in the activity log, with its host and without its secret', async () => {
    const tenant = await createTenant()
    const { body: created } = await tenant.post(pathOf(tenant), { url: `${URL}?token=t1`, events: ['*'] })
    const path = `${pathOf(tenant)}${created.id}/`
    const steps = [
      () => tenant.patch(path, { url: `${URL}?token=t2`, active: false, description: 'Chat' }),
      () => tenant.patch(path, { url: 'https://other.example.com/t3', events: ['Cohort.*'] }),
      () => tenant.patch(path, { url: 'https://other.example.com/t3' }),
      () => tenant.post(`${path}rotate_secret/`),
      () => tenant.delete(path),
    ]
    for (const step of steps) expect((await step()).status).toBeLessThan(300)
    const { body: log } = await tenant.get(
      `/api/projects/${tenant.projectId}/activity_log/?scope=Webhook&item_id=${created.id}`,
    )
    const change = (field: string, before: unknown, after: unknown, action = 'changed') => ({
      type: 'Webhook',
      action,
      field,
      before,
      after,
    })
    const [host, other] = ['hooks.example.com', 'other.example.com']
    expect(
      log.results.map(({ activity, user, detail }: Entry) => [
        activity,
        user.email,
        detail.name,
        detail.changes,
      ]),
    ).toEqual(
      [
        ['deleted', other, []],
        ['updated', other, [change('secret', null, 'replaced')]],
        ['updated', other, [change('url', host, other), change('events', ['*'], ['Cohort.*'])]],
        [
          'updated',
          host,
          [
            change('url', host, `${host}, another path`),
            change('description', null, 'Chat', 'created'),
            change('active', true, false),
          ],
        ],
        ['created', host, []],
      ].map(([activity, ...rest]) => [activity, tenant.user.email, ...rest]),
    )
    expect(JSON.stringify(log)).not.toMatch(/whsec_|enc:|t[123]\b/)
  })
})

describe('a test', () => {
  it('sends a signed sample immediately, and returns the response', async () => {
    const tenant = await createTenant()
    const receiver = await createReceiver([{ status: 200 }, { status: 404 }])
    const headers = { Authorization: `Bearer ${tenant.key}` }
    const { body: webhook } = await tenant.send('POST', `http://localhost${pathOf(tenant)}`, {
      body: { url: receiver.url, events: ['FeatureFlag.created'], active: false },
      headers,
    })
    const path = `${pathOf(tenant)}${webhook.id}/`
    const test = () => tenant.post(`${path}test/`)
    const { body } = await test()
    expect(body).toEqual({
      delivered: true,
      message_id: expect.stringMatching(/^msg_/),
      duration_ms: expect.any(Number),
      response_status: 200,
      response_body: 'received',
      error: null,
    })
    expect((await test()).body).toMatchObject({
      delivered: false,
      response_status: 404,
      error: 'The receiver responded with 404.',
    })
    const [call] = await receiver.calls()
    expect(call!.headers['webhook-id']).toBe(body.message_id)
    expect(await verified(call!, webhook.secret, tenant.clock.now().getTime())).toEqual({
      type: 'test',
      timestamp: expect.any(String),
      project_id: tenant.projectId,
      data: { message: 'This is a test. Nothing has changed.' },
    })
    expect((await tenant.get(`${path}deliveries/`)).body.count).toBe(0)
  })

  it('reports a receiver that does not respond', async () => {
    const tenant = await createTenant()
    const { body: webhook } = await tenant.send('POST', `http://localhost${pathOf(tenant)}`, {
      body: { url: 'http://127.0.0.1:1/', events: ['*'] },
      headers: { Authorization: `Bearer ${tenant.key}` },
    })
    expect((await tenant.post(`${pathOf(tenant)}${webhook.id}/test/`)).body).toMatchObject({
      delivered: false,
      response_status: null,
      error: 'The receiver could not be reached.',
    })
  })
})
