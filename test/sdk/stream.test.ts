// Streams of generations: what a client hears, when, and where it ends.
import {
  createExecutionContext,
  evictDurableObject,
  runInDurableObject,
  waitOnExecutionContext,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { createApp } from '../../src/app'
import { MAX_STREAMS_PER_NETWORK } from '../../src/sdk/stream-capacity'
import { listen } from '../../src/snapshots/change-stream-client'
import { MAX_STREAMS_PER_OBJECT } from '../../src/snapshots/change-stream-client'
import { createHarness, ORIGIN } from '../support/harness'
import { refused, seen } from '../support/responses'
import { createTenant, type Tenant } from '../support/tenant'
import { generationOf, objectOf } from '../project/support'
import { freshIp } from '../support/user'

interface StreamEvent {
  id: string
  data: { type: string; generation: number }
}

/** A client of another isolate at another host: nothing of what is written here is known there. */
async function follow(tenant: Tenant, { last, seconds = 30 }: { last?: string; seconds?: number } = {}) {
  const app = createApp({ clock: tenant.clock, log: () => {} })
  const context = createExecutionContext()
  const abort = new AbortController()
  const host = `https://${crypto.randomUUID()}.test`
  const response = await app.fetch(
    new Request(`${host}/flags/stream?token=${tenant.projectToken}&seconds=${seconds}`, {
      headers: last === undefined ? {} : { 'Last-Event-ID': last },
      signal: abort.signal,
    }),
    tenant.env,
    context,
  )
  const events: StreamEvent[] = []
  let isOver = false
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const reading = (async () => {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      text += chunk.value
      for (const [, id = '', data = ''] of text.matchAll(/id: (\d+)\ndata: (.*)\n\n/g))
        if (!events.some((event) => event.id === id)) events.push({ id, data: JSON.parse(data) })
    }
    isOver = true
  })()
  return {
    response,
    events,
    text: () => text,
    isOver: () => isOver,
    /** What `/flags` responds with through the same host. */
    async flags() {
      const flagsContext = createExecutionContext()
      const flags = await app.fetch(
        new Request(`${host}/flags/?v=2`, {
          method: 'POST',
          body: JSON.stringify({ token: tenant.projectToken, distinct_id: 'ada' }),
        }),
        tenant.env,
        flagsContext,
      )
      const body = await flags.json<{ flags: Record<string, unknown> }>()
      await waitOnExecutionContext(flagsContext)
      return Object.keys(body.flags)
    },
    async stop() {
      await reader.cancel()
      await reading
    },
  }
}

const soon = { timeout: 10_000, interval: 20 }

describe('GET /flags/stream', () => {
  it('reports each change, which the next evaluation in the same location sees', async () => {
    const tenant = await createTenant()
    const client = await follow(tenant)
    expect(client.response.headers.get('Content-Type')).toBe('text/event-stream; charset=utf-8')
    expect(client.response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    await expect.poll(() => client.events.length, soon).toBe(1)
    const [{ data: connected, id }] = client.events as [StreamEvent]
    expect(connected).toEqual({ type: 'connected', generation: Number(id) })
    expect(await client.flags()).toEqual([])
    await tenant.flag({ key: 'first' })
    await expect.poll(() => client.events.length, soon).toBe(2)
    expect(client.events[1]).toEqual({
      id: String(Number(id) + 1),
      data: { type: 'refetchEvaluation', generation: Number(id) + 1 },
    })
    expect(await client.flags()).toEqual(['first'])
    expect(client.text()).toMatch(/^retry: [1-3]\d{3}\n\n/)
    expect(client.text()).not.toContain('first')
    await client.stop()
  })

  it('reports other changes that affect evaluation, and none of other projects', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const flag = await tenant.flag()
    const client = await follow(tenant)
    await expect.poll(() => client.events.length, soon).toBe(1)
    await other.flag()
    await tenant.post(tenant.flags('bulk_delete'), { ids: [flag.id] })
    await expect.poll(() => client.events.length, soon).toBe(2)
    expect(await client.flags()).toEqual([])
    await client.stop()
  })

  it('reports to a connecting client whether something has changed', async () => {
    const tenant = await createTenant()
    await tenant.flag()
    // It may have evaluated before the change.
    const first = await follow(tenant)
    await expect.poll(() => first.events[0]?.data.type, soon).toBe('refetchEvaluation')
    const [{ id }] = first.events as [StreamEvent]
    await first.stop()
    const same = await follow(tenant, { last: id })
    await expect.poll(() => same.events[0]?.data.type, soon).toBe('connected')
    await same.stop()
    await tenant.flag()
    const later = await follow(tenant, { last: id })
    await expect.poll(() => later.events[0]?.data.type, soon).toBe('refetchEvaluation')
    await later.stop()
  })

  it('costs a write no call while none is open', async () => {
    const tenant = await createTenant()
    const storedBy = () =>
      runInDurableObject(env.STREAMS.getByName(`stream:${tenant.projectId}:0`), (_, { storage }) =>
        Object.fromEntries(storage.kv.list<object>()),
      )
    await tenant.flag()
    expect(await storedBy()).toEqual({})
    for (let turn = 0; turn < 3; turn += 1) {
      const client = await follow(tenant)
      await expect.poll(() => client.events.length, soon).toBe(1)
      // Objects end at any time, and know their streams when they come back.
      if (turn === 1) await evictDurableObject(objectOf(tenant))
      await tenant.flag()
      await expect.poll(() => client.events.length, soon).toBe(2)
      const { generation } = client.events[1]!.data
      expect(await storedBy()).toMatchObject({ announced: { generation }, subscribed: true })
      await client.stop()
      // The first change after it finds that nobody listens.
      await expect
        .poll(async () => {
          await tenant.flag()
          return storedBy()
        }, soon)
        .not.toHaveProperty('subscribed')
      const last = await storedBy()
      await tenant.flag()
      expect(await storedBy()).toEqual(last)
    }
  })

  it('misses no change, however connecting and changes overlap', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag()
    for (let turn = 0; turn < 10; turn += 2) {
      const writes = Array.from({ length: 3 }, async (_, at) => {
        await scheduler.wait(at * turn)
        return tenant.patch(tenant.flags(id), { name: `name ${turn} ${at}` })
      })
      const client = await follow(tenant)
      await Promise.all(writes)
      const generation = await generationOf(tenant)
      await expect.poll(() => client.events.at(-1)?.data.generation, soon).toBe(generation)
      await client.stop()
    }
  })

  it('is 503 while the project object fails', async () => {
    const tenant = await createTenant()
    const log = vi.spyOn(console, 'log').mockReturnValue()
    const PROJECTS = { getByName: () => ({ subscribe: () => Promise.reject(new Error('lost')) }) }
    await runInDurableObject(env.STREAMS.getByName(`stream:${tenant.projectId}:0`), (object) => {
      Reflect.set(object, 'env', { ...Reflect.get(object, 'env'), PROJECTS })
    })
    const response = await tenant.send('GET', `/flags/stream?token=${tenant.projectToken}`)
    expect([response.status, response.body.code]).toEqual([503, 'stream_capacity'])
    expect(log).toHaveBeenCalledWith(expect.stringContaining('a stream could not subscribe to changes'))
    log.mockRestore()
  })

  it('gives up its place when its client has not read the last heartbeat', async () => {
    const tenant = await createTenant()
    const context = createExecutionContext()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const { body } = await createApp({ clock: tenant.clock, log: () => {} }).fetch(
        new Request(`${ORIGIN}/flags/stream?token=${tenant.projectToken}&seconds=300`),
        tenant.env,
        context,
      )
      // Its client has gone without a word, and reads nothing.
      vi.advanceTimersByTime(60_000)
      const text = await new Response(body).text()
      expect(text).toContain('retry: ')
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends after its time', async () => {
    const tenant = await createTenant()
    const client = await follow(tenant, { seconds: 1 })
    await expect.poll(() => client.isOver(), soon).toBe(true)
  })

  it('rejects unknown tokens, and times out of range', async () => {
    const tenant = await createTenant()
    const get = (query: string) => tenant.send('GET', `/flags/stream?${query}`)
    expect((await get('token=phc_nobody')).status).toBe(401)
    expect((await get('')).status).toBe(401)
    for (const seconds of ['0', '301', 'x', '1.5'])
      expect(seen(await get(`token=${tenant.projectToken}&seconds=${seconds}`))).toEqual(
        refused('seconds', 'Must be a whole number from 1 to 300.'),
      )
  })

  it('is 503 with Retry-After when the project has as many as it may', async () => {
    const tenant = await createTenant()
    const socket = await listen(tenant.env, tenant.projectId)
    socket.accept()
    // The others are opened inside the object, which is faster.
    const object = env.STREAMS.getByName(`stream:${tenant.projectId}:0`)
    const others = await runInDurableObject(object, (_, state) =>
      Array.from({ length: MAX_STREAMS_PER_OBJECT - 1 }, () => {
        const { 0: client, 1: server } = new WebSocketPair()
        state.acceptWebSocket(server)
        client.accept()
        return client
      }),
    )
    const full = await tenant.send('GET', `/flags/stream?token=${tenant.projectToken}`)
    expect([full.status, full.body.code, full.headers.get('Retry-After')]).toEqual([
      503,
      'stream_capacity',
      '60',
    ])
    // A HEAD takes no place, because nothing would read its stream.
    const head = await tenant.send('HEAD', `/flags/stream?token=${tenant.projectToken}`)
    expect([head.status, head.headers.get('Content-Type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    // Evaluation continues.
    expect(
      (await tenant.send('POST', '/flags/?v=2', { body: { token: tenant.projectToken, distinct_id: 'ada' } }))
        .status,
    ).toBe(200)
    socket.close()
    await runInDurableObject(object, () => {
      for (const other of others) other.close()
    })
    await expect
      .poll(async () => {
        const client = await follow(tenant, { seconds: 1 })
        await client.stop()
        return client.response.status
      }, soon)
      .toBe(200)
  })

  it('leaves places of the isolate to other networks when one opens as many as it can', async () => {
    const tenant = await createTenant({ harness: createHarness({ bindings: { THROTTLES: 'on' } }), level: 8 })
    const opened: Response[] = []
    const context = createExecutionContext()
    const app = createApp({ clock: tenant.clock, log: () => {} })
    const open = async (ip: string, token = tenant.projectToken) => {
      const request = new Request(`${ORIGIN}/flags/stream?token=${token}`, {
        headers: { 'CF-Connecting-IP': ip },
      })
      const response = await app.fetch(request, tenant.env, context)
      opened.push(response)
      return response.status
    }
    const [network, other] = [freshIp(), freshIp()]
    for (let count = 0; count < MAX_STREAMS_PER_NETWORK; count += 1) expect(await open(network)).toBe(200)
    expect(await open(network)).toBe(503)
    // Another project of the organization gives it no further places.
    const { body: second } = await tenant.post('/api/projects/', { name: 'Second' })
    expect(await open(network, second.api_token)).toBe(503)
    expect(await open(other)).toBe(200)
    await Promise.all(opened.map(({ body }) => body?.cancel()))
    // The places are free again.
    expect(await open(network)).toBe(200)
    await opened.at(-1)!.body!.cancel()
    await waitOnExecutionContext(context)
  })

  it.each(['0', 0])('is 404 where the deployment has none, and OFREP announces none: %j', async (none) => {
    const harness = createHarness({ bindings: { STREAMS_PER_PROJECT: none } as unknown as Partial<Env> })
    const tenant = await createTenant({ harness })
    await tenant.flag()
    expect((await tenant.send('GET', `/flags/stream?token=${tenant.projectToken}`)).status).toBe(404)
    const evaluate = (to: Tenant) =>
      to.send('POST', '/ofrep/v1/evaluate/flags', {
        body: { context: { targetingKey: 'ada' } },
        headers: { Authorization: `Bearer ${tenant.projectToken}` },
      })
    expect((await evaluate(tenant)).body).not.toHaveProperty('eventStreams')
    const usual = { ...tenant, ...createHarness() } as Tenant
    expect((await evaluate(usual)).body.eventStreams).toEqual([
      {
        type: 'sse',
        url: `${ORIGIN}/flags/stream/?token=${tenant.projectToken}`,
        inactivityDelaySec: 120,
      },
    ])
  })
})
