// From a change to its delivery: what is sent, when it is repeated, and when it ends.
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { consumeDeliveries } from '../../src/webhooks/consume-deliveries'
import { createMeter } from '../../src/storage/metered-d1'
import { openDatabase } from '../../src/storage/database'
import { MAX_PENDING } from '../../src/webhooks/pause'
import { type DeliveryMessage, sendDueDeliveries } from '../../src/webhooks/delivery-queue'
import { createHarness } from '../support/harness'
import { createReceiver, type Receiver, verified } from '../support/server/receiver'
import type { ReceiverResponse } from '../support/server/serve-receiver'
import { database, type Tenant, createTenant } from '../support/tenant'
import { emptyStorage } from '../support/databases'

beforeAll(emptyStorage)

/** A tenant whose queue is handled when the test says so, with a webhook. */
async function subscribed(events: string[], answers: readonly ReceiverResponse[] = []) {
  const sent: DeliveryMessage[] = []
  const queue = {
    send: async (message: DeliveryMessage) => void sent.push(message),
    sendBatch: async (batch: { body: DeliveryMessage }[]) => void sent.push(...batch.map(({ body }) => body)),
  } as unknown as Env['WEBHOOKS']
  const tenant = await createTenant({ harness: createHarness({ bindings: { WEBHOOKS: queue } }) })
  const receiver = await createReceiver(answers)
  const webhooks = `/api/projects/${tenant.projectId}/webhooks/`
  // A service on loopback may call what is local.
  const { body: webhook } = await local(tenant, 'POST', webhooks, { url: receiver.url, events })
  const path = `${webhooks}${webhook.id}/`

  /** Handles one message of the queue. @returns what the consumer did with it. */
  async function consume(message = sent.shift(), random = 0.5, bindings: Partial<Env> = {}) {
    const batch = createMessageBatch('halyard-webhooks', [
      { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: message },
    ])
    const lines: object[] = []
    const own = { ...env, WEBHOOKS: queue, ...bindings } as Env
    const context = createExecutionContext()
    const log = (line: object) => void lines.push(line)
    await consumeDeliveries(batch as MessageBatch<DeliveryMessage>, own, context, log, {
      clock: tenant.clock,
      random: () => random,
    })
    // Waits for the attempts.
    const { explicitAcks } = await getQueueResult(batch, context)
    return { isDone: explicitAcks.length > 0, lines }
  }

  /** The minute's trigger, for this webhook. */
  async function trigger() {
    const all: DeliveryMessage[] = []
    const sendBatch = async (batch: { body: DeliveryMessage }[]) =>
      void all.push(...batch.map(({ body }) => body))
    const own = { ...env, WEBHOOKS: { sendBatch } } as unknown as Env
    await sendDueDeliveries({ db: database(), env: own }, tenant.clock.now())
    const due = all.filter(({ webhookId }) => webhookId === webhook.id)
    for (const message of due) await consume(message)
    return due.length
  }

  const deliveries = async () => (await tenant.get(`${path}deliveries/`)).body.results
  const read = async () => (await tenant.get(path)).body
  return { tenant, receiver, webhook, path, sent, consume, trigger, deliveries, read }
}

const local = (tenant: Tenant, method: string, path: string, body: unknown) =>
  tenant.send(method, `http://localhost${path}`, {
    body,
    headers: { Authorization: `Bearer ${tenant.key}` },
  })

const idsOf = async (receiver: Receiver) =>
  (await receiver.calls()).map(({ headers }) => headers['webhook-id'])

describe('a change', () => {
  it('is sent as its entry of the activity log, signed', async () => {
    const { tenant, receiver, webhook, sent, consume, deliveries } = await subscribed(['FeatureFlag.*'])
    const { id } = await tenant.flag({ key: 'beta' })
    expect(sent).toEqual([{ webhookId: webhook.id }])
    expect(await consume()).toEqual({ isDone: true, lines: [] })
    const [call, ...more] = await receiver.calls()
    expect(more).toEqual([])
    const log = `/api/projects/${tenant.projectId}/feature_flags/${id}/activity/`
    const [entry] = (await tenant.get(log)).body.results
    expect(await verified(call!, webhook.secret, tenant.clock.now().getTime())).toEqual({
      type: 'FeatureFlag.created',
      timestamp: entry.created_at,
      project_id: tenant.projectId,
      data: entry,
    })
    expect(call).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'webhook-id': `msg_${entry.id}` },
    })
    expect(await deliveries()).toEqual([
      {
        id: expect.any(Number),
        message_id: `msg_${entry.id}`,
        event: 'FeatureFlag.created',
        status: 'delivered',
        attempts: 1,
        created_at: entry.created_at,
        attempted_at: expect.any(String),
        next_attempt_at: null,
        duration_ms: expect.any(Number),
        response_status: 200,
        response_body: 'received',
        error: null,
      },
    ])
  })

  it('is not sent to a stored address that may not be called any more', async () => {
    const { tenant, receiver, path, consume, deliveries } = await subscribed(['FeatureFlag.*'])
    await tenant.flag()
    const closed = { ALLOW_PRIVATE_HOSTS: 'off' }
    await consume(undefined, 0.5, closed)
    const error = 'The URL must begin with https://.'
    expect(await deliveries()).toMatchObject([
      { status: 'pending', attempts: 1, response_status: null, error },
    ])
    const { body } = await createHarness({ bindings: closed }).send('POST', `${path}test/`, {
      headers: { Authorization: `Bearer ${tenant.key}` },
    })
    expect(body).toMatchObject({ delivered: false, response_body: null, error })
    expect(await receiver.calls()).toEqual([])
  })

  it('goes to webhooks of its project that subscribe to it, and to no other', async () => {
    const { tenant, deliveries } = await subscribed(['FeatureFlag.deleted', 'Cohort.created'])
    const other = await subscribed(['*'])
    const flags = [await tenant.flag(), await tenant.flag()]
    await tenant.post(`/api/projects/${tenant.projectId}/cohorts/`, {
      name: 'Testers',
      is_static: true,
      _create_static_person_ids: [],
    })
    // One statement writes the entries of both.
    await tenant.post(tenant.flags('bulk_delete'), { ids: flags.map(({ id }) => id) })
    expect((await deliveries()).map(({ event }: { event: string }) => event)).toEqual([
      'FeatureFlag.deleted',
      'FeatureFlag.deleted',
      'Cohort.created',
    ])
    expect(await other.deliveries()).toEqual([])
  })

  it('that fails leaves nothing to send, and one without a message is sent by the trigger', async () => {
    const { tenant, sent, trigger, deliveries } = await subscribed(['*'])
    await tenant.flag({ key: 'once' })
    sent.length = 0
    expect((await tenant.post(tenant.flags(), { key: 'once' })).status).toBe(400)
    expect(sent).toEqual([])
    expect(await trigger()).toBe(1)
    expect(await deliveries()).toMatchObject([{ status: 'delivered' }])
    expect(await trigger()).toBe(0)
  })
})

describe('a delivery that fails', () => {
  it('is repeated with the same id until it is delivered', async () => {
    const { tenant, receiver, consume, trigger, deliveries, read } = await subscribed(
      ['*'],
      [{ status: 500 }, { status: 302, headers: { Location: '/elsewhere' } }],
    )
    await tenant.flag()
    await consume()
    expect(await deliveries()).toMatchObject([
      { status: 'pending', attempts: 1, response_status: 500, error: 'The receiver responded with 500.' },
    ])
    expect(await read()).toMatchObject({ active: true, failing_since: expect.any(String) })
    expect(await trigger()).toBe(0)
    tenant.clock.advance({ seconds: 80 })
    expect(await trigger()).toBe(1)
    expect(await deliveries()).toMatchObject([
      { attempts: 2, error: 'The receiver redirects (302). Enter the final URL.' },
    ])
    tenant.clock.advance({ seconds: 240 })
    await trigger()
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 3, next_attempt_at: null }])
    expect(await read()).toMatchObject({ active: true, failing_since: null })
    const [first, ...rest] = await idsOf(receiver)
    expect(rest).toEqual([first, first])
  })

  it('is repeated when the Worker ended during its attempt, and keeps the others waiting until then', async () => {
    const { tenant, receiver, path, sent, consume, trigger, deliveries } = await subscribed(['*'])
    await tenant.flag()
    const message = sent.shift()!
    // Claimed, and not a word more.
    await database().run(
      `UPDATE webhook_deliveries SET attempts = 1,
        next_attempt_at = strftime('%Y-%m-%dT%H:%M:%f', next_attempt_at, '+15 seconds') || '000Z'
        WHERE webhook_id = '${message.webhookId}'`,
    )
    expect(await trigger()).toBe(0)
    await tenant.flag()
    await consume()
    const [, { id, next_attempt_at: expires }] = await deliveries()
    const again = await tenant.post(`${path}deliveries/${id}/redeliver/`)
    expect(again.body).toMatchObject({ attempts: 1, next_attempt_at: expires })
    await consume()
    expect(await receiver.calls()).toEqual([])
    tenant.clock.advance({ seconds: 16 })
    expect(await trigger()).toBe(1)
    expect(await deliveries()).toMatchObject([
      { status: 'delivered', attempts: 1 },
      { status: 'delivered', attempts: 2 },
    ])
    expect(await receiver.calls()).toHaveLength(2)
  })

  it.each([
    ['the secret', `UPDATE webhooks SET secret = 'unreadable' WHERE id = ?1`],
    ['the entry', `UPDATE activity_log SET detail = 'unreadable' WHERE project_id = ?2`],
  ])('counts an attempt for which %s cannot be read', async (_, damage) => {
    const { tenant, receiver, webhook, consume, deliveries, read } = await subscribed(['*'])
    await tenant.flag()
    await env.DB.prepare(`${damage} AND (?1 = ?1 AND ?2 = ?2)`).bind(webhook.id, tenant.projectId).run()
    const { lines } = await consume()
    expect(lines).toMatchObject([{ level: 'error', message: 'webhook deliveries failed' }])
    expect(await receiver.calls()).toEqual([])
    await env.DB.prepare(`UPDATE activity_log SET detail = '{}' WHERE project_id = ?`)
      .bind(tenant.projectId)
      .run()
    expect(await deliveries()).toMatchObject([
      { status: 'pending', attempts: 1, response_status: null, error: 'The message could not be made.' },
    ])
    expect((await read()).failing_since).not.toBe(null)
  })

  it('is left to the trigger when the database fails', async () => {
    const { tenant, trigger, consume, deliveries } = await subscribed(['*'])
    await tenant.flag()
    const DB = {
      prepare() {
        throw new Error('D1_ERROR: Network connection lost.')
      },
    } as unknown as D1Database
    expect(await consume(undefined, 0.5, { DB })).toMatchObject({
      isDone: true,
      lines: [{ message: 'webhook deliveries failed' }],
    })
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts: 0 }])
    expect(await trigger()).toBe(1)
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 1 }])
  })

  it('ends after a day, which pauses the webhook until it is started', async () => {
    const failures = Array.from({ length: 8 }, () => ({ status: 503 }))
    const { tenant, receiver, path, trigger, deliveries, read } = await subscribed(['*'], failures)
    await tenant.flag()
    const started = tenant.clock.now().getTime()
    let attempts = 0
    while ((await read()).active && attempts < 20) {
      attempts += await trigger()
      const [{ next_attempt_at: next }] = await deliveries()
      if (next) tenant.clock.advance({ seconds: (Date.parse(next) - tenant.clock.now().getTime()) / 1000 })
    }
    expect(attempts).toBe(8)
    expect((tenant.clock.now().getTime() - started) / 3_600_000).toBeCloseTo(24.3, 1)
    expect(await read()).toMatchObject({ active: false, paused_at: expect.any(String) })
    expect(await deliveries()).toMatchObject([{ status: 'failed', attempts: 8, next_attempt_at: null }])

    await tenant.flag()
    expect(await deliveries()).toHaveLength(1)
    const [{ id }] = await deliveries()
    expect((await tenant.post(`${path}deliveries/${id}/redeliver/`)).body).toMatchObject({
      detail: 'The webhook is paused. Start it, then send this again.',
    })
    await tenant.patch(path, { active: true })
    const again = await tenant.post(`${path}deliveries/${id}/redeliver/`)
    expect(again.body).toMatchObject({ status: 'pending', attempts: 0 })
    await trigger()
    expect(await read()).toMatchObject({ active: true, paused_at: null, failing_since: null })
    expect(new Set(await idsOf(receiver)).size).toBe(1)
  })

  it('holds back the others, of which none is lost', async () => {
    const { tenant, receiver, sent, consume, trigger, deliveries } = await subscribed(
      ['*'],
      [{ status: 500 }],
    )
    await tenant.flag()
    await consume()
    await tenant.flag()
    await tenant.flag()
    expect(sent).toEqual([])
    // While the last attempt has failed, the trigger tries one.
    await trigger()
    expect(await receiver.calls()).toHaveLength(2)
    await consume()
    tenant.clock.advance({ seconds: 90 })
    await trigger()
    expect((await deliveries()).map(({ status }: { status: string }) => status)).toEqual([
      'delivered',
      'delivered',
      'delivered',
    ])
    expect(new Set(await idsOf(receiver)).size).toBe(3)
  })

  it('pauses the webhook immediately where the receiver is gone', async () => {
    const { tenant, consume, deliveries, read } = await subscribed(['*'], [{ status: 410 }])
    await tenant.flag()
    await consume()
    expect(await read()).toMatchObject({ active: false, paused_at: expect.any(String) })
    expect(await deliveries()).toMatchObject([{ status: 'failed', error: 'The webhook was paused.' }])
  })

  it('has one entry in the activity log for the pause, which other webhooks receive', async () => {
    const { tenant, receiver, path, webhook, consume } = await subscribed(
      ['*'],
      [{ status: 410 }, { status: 410 }],
    )
    const { body: other } = await local(tenant, 'POST', path.replace(`${webhook.id}/`, ''), {
      url: receiver.url,
      events: ['Webhook.updated'],
    })
    await tenant.flag()
    await tenant.flag()
    // Both of its attempts end with a 410.
    await consume({ webhookId: webhook.id })
    const log = `/api/projects/${tenant.projectId}/activity_log/?scope=Webhook&item_id=${webhook.id}`
    const { body } = await tenant.get(log)
    expect(body.results).toMatchObject([
      {
        activity: 'updated',
        user: { first_name: 'System', is_system: true },
        detail: {
          name: new URL(receiver.url).host,
          changes: [{ type: 'Webhook', action: 'changed', field: 'active', before: true, after: false }],
        },
      },
      { activity: 'created' },
    ])
    const events = async (id: string) =>
      (await tenant.get(path.replace(webhook.id, id) + 'deliveries/')).body.results.map(
        ({ event }: { event: string }) => event,
      )
    expect(await events(other.id)).toEqual(['Webhook.updated'])
    expect(await events(webhook.id)).not.toContain('Webhook.updated')
  })
})

const addDeliveries = (webhook: { id: string }, count: number, status: string, next: string | null) =>
  env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO webhook_deliveries (webhook_id, entry_id, event, status, created_at, next_attempt_at)
      SELECT ?2, 'entry', 'Person.deleted', ?3, '2026-03-01T00:00:00.000000Z', ?4 FROM n`,
  ).bind(count, webhook.id, status, next)

describe('deliveries', () => {
  it('that wait for a webhook which fails are at most 10,000: then it is paused', async () => {
    const { tenant, webhook, consume, trigger, read } = await subscribed(
      ['*'],
      [{ status: 500 }, { status: 500 }],
    )
    await tenant.flag()
    await addDeliveries(webhook, MAX_PENDING - 1, 'pending', '2099-01-01T00:00:00.000000Z').run()
    await consume()
    expect(await read()).toMatchObject({ active: true, failing_since: expect.any(String) })
    await tenant.flag()
    await trigger()
    expect(await read()).toMatchObject({ active: false, paused_at: expect.any(String) })
  })

  it('that are due cost the trigger a few rows a webhook, however many they are', async () => {
    const { tenant, webhook } = await subscribed(['*'])
    const rowsRead = async () => {
      const meter = createMeter()
      const messages: DeliveryMessage[] = []
      const sendBatch = async (batch: { body: DeliveryMessage }[]) =>
        void messages.push(...batch.map(({ body }) => body))
      const own = { ...env, WEBHOOKS: { sendBatch } } as unknown as Env
      await sendDueDeliveries({ db: openDatabase(env.DB, meter), env: own }, tenant.clock.now())
      return { rows: meter.rowsRead, isSent: messages.some(({ webhookId }) => webhookId === webhook.id) }
    }
    await addDeliveries(webhook, 1, 'pending', '2026-03-01T00:00:00.000000Z').run()
    const before = await rowsRead()
    await addDeliveries(webhook, 2_000, 'pending', '2026-03-01T00:00:00.000000Z').run()
    expect(await rowsRead()).toEqual(before)
    expect(before.isSent).toBe(true)
    await env.DB.prepare('DELETE FROM webhook_deliveries WHERE webhook_id = ?').bind(webhook.id).run()
  })
})

describe('a slow receiver', () => {
  const unfinished = { status: 200, isUnfinished: true }

  it('is not waited for once its status is known', async () => {
    const { tenant, consume, deliveries } = await subscribed(['*'], [unfinished])
    await tenant.flag()
    await consume()
    const [{ status, response_body: text, duration_ms: took }] = await deliveries()
    expect([status, text]).toEqual(['delivered', 'received'])
    expect(took).toBeLessThan(5_000)
  })

  it('is not waited for by the consumer of the queue', async () => {
    const { tenant, webhook, receiver, deliveries } = await subscribed(['*'], [{ status: 200, isHeld: true }])
    await tenant.flag()
    const batch = createMessageBatch('halyard-webhooks', [
      { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: { webhookId: webhook.id } },
    ])
    const context = createExecutionContext()
    const started = Date.now()
    const { clock } = tenant
    await consumeDeliveries(batch as MessageBatch<DeliveryMessage>, env, context, () => {}, { clock })
    expect(Date.now() - started).toBeLessThan(5_000)
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts: 1, duration_ms: null }])
    await vi.waitFor(async () => expect(await receiver.calls()).toHaveLength(1), 5_000)
    await receiver.release()
    const { explicitAcks } = await getQueueResult(batch, context)
    expect(explicitAcks).toHaveLength(1)
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 1 }])
  })

  it('keeps no other webhook of its batch waiting', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => subscribed(['*'], [unfinished])))
    const messages: DeliveryMessage[] = []
    for (const { tenant, sent } of all) {
      await tenant.flag()
      messages.push(...sent)
    }
    const batch = createMessageBatch(
      'halyard-webhooks',
      messages.map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body })),
    )
    const started = Date.now()
    const { clock } = all[0]!.tenant
    const context = createExecutionContext()
    await consumeDeliveries(batch as MessageBatch<DeliveryMessage>, env, context, () => {}, { clock })
    const { explicitAcks } = await getQueueResult(batch, context)
    // Each alone takes a second.
    expect(Date.now() - started).toBeLessThan(4_000)
    expect(explicitAcks).toHaveLength(5)
    for (const { deliveries } of all) expect(await deliveries()).toMatchObject([{ status: 'delivered' }])
  })

  it('takes five deliveries a message; the others wait behind other webhooks', async () => {
    const { tenant, receiver, webhook, sent, consume } = await subscribed(['*'])
    for (let made = 0; made < 7; made += 1) await tenant.flag()
    const [message] = sent.splice(0)
    await consume(message)
    expect(await receiver.calls()).toHaveLength(5)
    expect(sent).toEqual([{ webhookId: webhook.id }])
    await consume()
    expect(await receiver.calls()).toHaveLength(7)
    expect(sent).toEqual([])
  })
})

describe('a response', () => {
  it('is read to at most 4 KiB', async () => {
    const { tenant, consume, deliveries } = await subscribed(['*'], [{ status: 200, bytes: 5_000_000 }])
    await tenant.flag()
    await consume()
    const [{ status, response_body: text }] = await deliveries()
    expect([status, text.length]).toEqual(['delivered', 4096])
  })
})

describe('a rotated secret', () => {
  it('signs together with the one before for a day', async () => {
    const { tenant, receiver, webhook, path, consume } = await subscribed(['*'])
    const { body: rotated } = await tenant.post(`${path}rotate_secret/`)
    const now = () => tenant.clock.now().getTime()
    await tenant.flag()
    await consume()
    const [both] = await receiver.calls()
    await verified(both!, webhook.secret, now())
    await verified(both!, rotated.secret, now())
    tenant.clock.advance({ hours: 25 })
    await tenant.flag()
    await consume()
    const last = (await receiver.calls()).at(-1)!
    await verified(last, rotated.secret, now())
    await expect(verified(last, webhook.secret, now())).rejects.toThrow()
  })

  it('leaves the secret that the receiver has when the rotation is repeated', async () => {
    const { tenant, receiver, webhook, path, consume } = await subscribed(['*'])
    const now = () => tenant.clock.now().getTime()
    const { body: lost } = await tenant.post(`${path}rotate_secret/`)
    tenant.clock.advance({ minutes: 9 })
    const { body: rotated } = await tenant.post(`${path}rotate_secret/`)
    await tenant.flag()
    await consume()
    const first = (await receiver.calls()).at(-1)!
    await verified(first, webhook.secret, now())
    await verified(first, rotated.secret, now())
    await expect(verified(first, lost.secret, now())).rejects.toThrow()
    tenant.clock.advance({ minutes: 11 })
    await tenant.post(`${path}rotate_secret/`)
    await tenant.flag()
    await consume()
    await expect(verified((await receiver.calls()).at(-1)!, webhook.secret, now())).rejects.toThrow()
  })
})
