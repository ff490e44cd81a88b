// What a request wrote, the next request in the same location sees: every operation that changes a snapshot, and every reader of snapshots;
// in the isolate that wrote, and in another one of the location. The clock moves by what a write waits for the others alone, so nothing is found
// because it grew old.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isLinkingEnabled } from '../../src/account/chat/linking-flag'
import { createApp } from '../../src/app'
import { createLocationMarker, type LocationMarker } from '../../src/snapshots/location-marker'
import { COMPARE_INTERVAL_MS } from '../../src/snapshots/reader'
import { createMeter } from '../../src/storage/metered-d1'
import { gateway, partOf, replaceDatabase, withBatch } from '../project/support'
import { open } from '../support/filters'
import { type TestResponse, createHarness, ORIGIN } from '../support/harness'
import { event, sendBatch } from '../support/capture'
import type { TestClock } from '../support/clock'
import { createTenant, type Tenant } from '../support/tenant'
import { reader, writeSilently } from './support'

/** The flag that decides whether a chat workspace may be linked. */
const GATE = 'chat-app-oauth'
const OFF = { groups: [{ properties: [], rollout_percentage: 0 }] }

let tenant: Tenant
/** The same caller, served by another isolate. */
let elsewhere: Tenant
let id: number

beforeEach(async () => {
  tenant = await createTenant()
  id = (await tenant.flag({ key: GATE, filters: open() })).id
  elsewhere = await inAnotherIsolate(tenant)
  await seenBy(tenant)
  await seenBy(elsewhere)
})

afterEach(() => vi.restoreAllMocks())

async function inAnotherIsolate({ clock, projectId, projectToken, key }: Tenant): Promise<Tenant> {
  const harness = createHarness({ clock })
  const headers = { Authorization: `Bearer ${key}` }
  const get = (path: string) => harness.send('GET', path, { headers })
  return { ...tenant, ...harness, projectId, projectToken, get }
}

const afterTheWait = () => tenant.clock.advance({ milliseconds: COMPARE_INTERVAL_MS })

type Definition = { key: string; active: boolean; filters: typeof OFF }
const enabledIn = ({ body }: TestResponse): string[] =>
  (body.flags as Definition[])
    .filter(({ active, filters }) => active && filters.groups[0]!.rollout_percentage > 0)
    .map(({ key }) => key)

const post = (caller: Tenant, path: string, body: object) =>
  caller.send('POST', path, { body, headers: { Authorization: `Bearer ${caller.projectToken}` } })

/** Keys of the flags that are on, in the words of each reader. */
const READERS: Record<string, (caller: Tenant) => Promise<string[]>> = {
  '/flags?v=2': async (caller) => {
    const { body } = await post(caller, '/flags/?v=2', { token: caller.projectToken, distinct_id: 'ada' })
    return Object.values(body.flags as Record<string, { key: string; enabled: boolean }>)
      .filter(({ enabled }) => enabled)
      .map(({ key }) => key)
  },
  '/decide?v=3': async (caller) => {
    const { body } = await post(caller, '/decide/?v=3', { token: caller.projectToken, distinct_id: 'ada' })
    return Object.entries(body.featureFlags as Record<string, boolean>)
      .filter(([, value]) => value)
      .map(([key]) => key)
  },
  '/flags/definitions': async (caller) =>
    enabledIn(await caller.get(`/flags/definitions/?token=${caller.projectToken}`)),
  local_evaluation: async (caller) =>
    enabledIn(await caller.get(`/api/feature_flag/local_evaluation/?token=${caller.projectToken}`)),
  'OFREP, all flags': async (caller) => {
    const { body } = await post(caller, '/ofrep/v1/evaluate/flags', { context: { targetingKey: 'ada' } })
    return (body.flags as { key: string; value: boolean }[])
      .filter(({ value }) => value)
      .map(({ key }) => key)
  },
  'OFREP, one flag': async (caller) => {
    const keys = [GATE, 'other', 'renamed']
    const responses = await Promise.all(
      keys.map((key) =>
        post(caller, `/ofrep/v1/evaluate/flags/${key}`, { context: { targetingKey: 'ada' } }),
      ),
    )
    return keys.filter((_, at) => responses[at]!.body.value === true)
  },
}

/** What every reader says. The gate knows one flag: where that is missing, it is open. */
async function seenBy(caller: Tenant): Promise<Record<string, string[]>> {
  afterTheWait()
  const seen: Record<string, string[]> = {}
  for (const [name, read] of Object.entries(READERS)) seen[name] = (await read(caller)).toSorted()
  return seen
}

const everywhere = (keys: string[]) =>
  Object.fromEntries(Object.keys(READERS).map((name) => [name, keys.toSorted()]))

const patch = (body: object) => () => tenant.patch(tenant.flags(id), body)

const WRITES: [string, () => Promise<TestResponse>, string[]][] = [
  ['create', () => tenant.post(tenant.flags(), { key: 'other', filters: open() }), [GATE, 'other']],
  ['PATCH of filters', patch({ filters: OFF }), []],
  ['PATCH of the key', patch({ key: 'renamed' }), ['renamed']],
  ['PATCH that disables', patch({ active: false }), []],
  ['PATCH that deletes', patch({ deleted: true }), []],
  ['bulk delete by ids', () => tenant.post(tenant.flags('bulk_delete'), { ids: [id] }), []],
  [
    'bulk delete by filters',
    () => tenant.post(tenant.flags('bulk_delete'), { filters: { search: GATE } }),
    [],
  ],
  [
    'a tool of MCP',
    () =>
      tenant.send('POST', '/mcp', {
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'update-feature-flag', arguments: { id, active: false } },
        },
        headers: { Authorization: `Bearer ${tenant.key}`, Accept: 'application/json, text/event-stream' },
      }),
    [],
  ],
]

describe('a write', () => {
  it.each(WRITES)('by %s is seen by the next read', async (_, write, expected) => {
    expect((await write()).status).toBeLessThan(300)
    expect(await seenBy(tenant)).toEqual(everywhere(expected))
    expect(await seenBy(elsewhere)).toEqual(everywhere(expected))
    // An isolate that has just started.
    expect(await seenBy(await inAnotherIsolate(tenant))).toEqual(everywhere(expected))
  })

  it.each(WRITES)(
    'by %s is read with one call of the object, and without D1 and KV',
    async (_, write, expected) => {
      const near = reader(tenant, { marker: createLocationMarker(caches.default, ORIGIN) })
      await near.load(tenant.projectId)
      const before = near.calls.length
      await write()
      afterTheWait()
      const { compiled } = (await near.load(tenant.projectId))!
      const enabled = compiled.flags.filter(({ key }) => expected.includes(key)).map(({ key }) => key)
      expect(enabled.toSorted()).toEqual(expected.toSorted())
      expect(near.calls.slice(before)).toEqual(['document'])
      expect(near.meter.roundTrips).toBeLessThanOrEqual(1)
    },
  )

  it('is seen as soon as its response is there', async () => {
    const context = createExecutionContext()
    const request = new Request(new URL(tenant.flags(id), ORIGIN), {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ filters: OFF }),
    })
    expect((await createApp({ clock: tenant.clock, log() {} }).fetch(request, env, context)).status).toBe(200)
    expect(await seenBy(elsewhere)).toEqual(everywhere([]))
    await waitOnExecutionContext(context)
  })

  it('by restoring is seen by the next read', async () => {
    await tenant.patch(tenant.flags(id), { deleted: true })
    expect(await seenBy(elsewhere)).toEqual(everywhere([]))
    await tenant.patch(tenant.flags(id), { deleted: false })
    expect(await seenBy(elsewhere)).toEqual(everywhere([GATE]))
    expect(await seenBy(tenant)).toEqual(everywhere([GATE]))
  })

  it('is seen however soon the next read comes', async () => {
    const clock: TestClock = { now: () => new Date(), advance() {} }
    const [writer, other] = [
      await createTenant({ harness: createHarness({ clock }) }),
      createHarness({ clock }),
    ]
    const flag = await writer.flag({ key: 'flag' })
    const headers = { Authorization: `Bearer ${writer.projectToken}` }
    const ask = () =>
      other.send('POST', '/ofrep/v1/evaluate/flags/flag', {
        body: { context: { targetingKey: 'ada' } },
        headers,
      })
    for (let turn = 0; turn < 30; turn += 1) {
      // The isolate looked at the marker a moment ago.
      await ask()
      await writer.patch(writer.flags(flag.id), { filters: turn % 2 ? open() : OFF })
      expect((await ask()).body.value).toBe(turn % 2 === 1)
    }
  })

  it('from either isolate is seen by the other, however often they take turns', async () => {
    const key = { Authorization: `Bearer ${tenant.key}` }
    for (let turn = 0; turn < 6; turn += 1) {
      const [writer, other] = turn % 2 ? [tenant, elsewhere] : [elsewhere, tenant]
      const filters = turn % 2 ? open() : OFF
      await writer.send('PATCH', tenant.flags(id), { body: { filters }, headers: key })
      expect(await seenBy(other)).toEqual(everywhere(turn % 2 ? [GATE] : []))
    }
  })

  it('opens and closes the gate for chat workspaces', async () => {
    const { clock } = tenant
    const snapshots = reader(tenant, { marker: createLocationMarker(caches.default, ORIGIN) })
    const isOn = () =>
      isLinkingEnabled(
        { snapshots, clock },
        {
          projectId: tenant.projectId,
          organizationId: tenant.organizationId,
          workspaceId: 'W1',
          scopes: null,
        },
      )
    expect(await isOn()).toBe(true)
    await tenant.patch(tenant.flags(id), { filters: OFF })
    expect(await isOn()).toBe(false)
    await tenant.post(tenant.flags('bulk_delete'), { ids: [id] })
    expect(await isOn()).toBe(true)
  })

  it('of a remote configuration is seen by the next read', async () => {
    const config = (caller: Tenant) => caller.get(tenant.flags(`${id}/remote_config`))
    const payload = (value: string) => ({
      is_remote_configuration: true,
      filters: open({ payloads: { true: value } }),
    })
    await tenant.patch(tenant.flags(id), payload('"first"'))
    expect((await config(elsewhere)).body).toBe('"first"')
    await tenant.patch(tenant.flags(id), payload('"second"'))
    expect((await config(elsewhere)).body).toBe('"second"')
    await tenant.post(tenant.flags('bulk_delete'), { ids: [id] })
    expect((await config(elsewhere)).status).toBe(404)
  })

  it('of tags, which no snapshot holds, is seen by the next list', async () => {
    await tenant.post(tenant.flags('bulk_update_tags'), { ids: [id], action: 'set', tags: ['x'] })
    expect((await elsewhere.get(tenant.flags())).body.results).toMatchObject([{ id, tags: ['x'] }])
  })

  it('of group types by captured events is seen by the next read', async () => {
    await sendBatch(tenant, [event('ada', { $group_type: 'company', $group_key: 'acme' }, '$groupidentify')])
    afterTheWait()
    for (const caller of [tenant, elsewhere]) {
      const { body } = await caller.get(`/flags/definitions/?token=${tenant.projectToken}`)
      expect(body.group_type_mapping).toEqual({ 0: 'company' })
    }
  })

  it('of a static cohort is seen by the next read', async () => {
    const { body } = await tenant.post(tenant.flags(`${id}/create_static_cohort_for_flag`))
    const near = reader(tenant, { marker: createLocationMarker(caches.default, ORIGIN) })
    const { snapshot } = (await near.load(tenant.projectId))!
    expect(snapshot.cohorts).toEqual([{ id: body.cohort.id, is_static: true, filters: null }])
  })
})

const NO_COST = createMeter()

describe('publishing that fails', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['D1 fails', () => Promise.reject(new Error('D1_ERROR: lost'))],
    ['D1 does not answer', () => new Promise(() => {})],
  ])('because %s, leaves the write as it is and is logged', async (_, fault) => {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    // A generation that the object does not know, and whose definitions it has to read.
    await writeSilently(tenant, 'second')
    await replaceDatabase(tenant, (real) =>
      withBatch(real, (texts, run) => (partOf(texts) === 'build' ? (fault() as Promise<D1Result[]>) : run())),
    )
    const response = await tenant.patch(tenant.flags(id), { filters: OFF })
    expect(response.status).toBe(200)
    expect(response.body).toEqual((await tenant.get(tenant.flags(id))).body)
    expect(log).toHaveBeenCalledWith(expect.stringContaining('publishing a change failed'))
    await replaceDatabase(tenant, () => env.DB)
    // Isolates find it by themselves.
    tenant.clock.advance({ seconds: 46 })
    await vi.waitFor(async () => expect(await seenBy(elsewhere)).toEqual(everywhere([])), 10_000)
  })

  it.each([
    ['fails', () => Promise.reject(new Error('the object is gone')), 503],
    ['crashes', () => Promise.resolve({ crash: 'out of memory', cost: NO_COST }), 500],
  ])('a write whose project object %s is not acknowledged', async (_, writeFlag, status) => {
    const PROJECTS = { getByName: () => ({ writeFlag }) } as unknown as Env['PROJECTS']
    const harness = createHarness({ clock: tenant.clock, bindings: { PROJECTS } })
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const headers = { Authorization: `Bearer ${tenant.key}` }
    const response = await harness.send('PATCH', tenant.flags(id), { body: { filters: OFF }, headers })
    expect(response.status).toBe(status)
    expect((await tenant.get(tenant.flags(id))).body).toMatchObject({ version: 1 })
  })

  it('past its deadline lets the write go on, and takes effect when it ends', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const real = gateway()
    const publish: typeof real.publish = async (...of) => {
      await released
      return real.publish(...of)
    }
    const marker = createLocationMarker(caches.default, ORIGIN)
    const near = reader(tenant, { marker, projects: { publish }, publishDeadlineMs: 20 })
    await near.load(tenant.projectId)
    await writeSilently(tenant, 'second')
    await near.publish(tenant.projectId)
    expect((await near.load(tenant.projectId))!.snapshot.generation).toBe(1)
    release()
    await near.settle()
    expect((await near.load(tenant.projectId))!.snapshot.generation).toBe(2)
  })
})

describe('a read', () => {
  it('looks at the mark once in 10 ms', async () => {
    const real = createLocationMarker(caches.default, ORIGIN)
    const read = vi.fn(real.read)
    const edge = reader(tenant, { marker: { ...real, read } })
    for (let count = 0; count < 100; count += 1) await edge.load(tenant.projectId)
    // One for the snapshot, one to compare it.
    expect(read).toHaveBeenCalledTimes(2)
    afterTheWait()
    for (let count = 0; count < 100; count += 1) await edge.load(tenant.projectId)
    expect(read).toHaveBeenCalledTimes(3)
  })

  it('costs nothing but a look at the location, before and after a write', async () => {
    const ask = () =>
      post(elsewhere, '/flags/?v=2', { token: tenant.projectToken, distinct_id: 'ada' }).then(
        ({ line }) => line,
      )
    const free = { d1_round_trips: 0, d1_rows_read: 0, d1_rows_written: 0 }
    expect(await ask()).toMatchObject(free)
    const { line } = await tenant.patch(tenant.flags(id), { filters: OFF })
    // Publishing reads nothing.
    expect(line).toMatchObject({ d1_round_trips: 2 })
    expect(line).not.toHaveProperty('publish_round_trips')
    for (let count = 0; count < 3; count += 1) {
      afterTheWait()
      const read = await ask()
      expect(read).toMatchObject(free)
      expect(read).not.toHaveProperty('publish_round_trips')
    }
  })

  it('answers from memory when the document that the mark names cannot be had', async () => {
    const lost = () => Promise.reject(new Error('lost'))
    const marker = createLocationMarker(caches.default, ORIGIN)
    const edge = reader(tenant, { marker, projects: { document: lost } })
    const known = reader(tenant, { marker, cache: edge.cache })
    await known.load(tenant.projectId)
    const checkedAt = tenant.clock.now().getTime()
    await marker.write(tenant.projectId, { generation: 99, checkedAt, heap: 1 })
    afterTheWait()
    expect((await edge.load(tenant.projectId))!.snapshot.generation).toBe(1)
  })

  it('loads a later write at once after a load of an earlier one failed', async () => {
    const { publish, document } = gateway()
    let isLost = false
    const projects = {
      publish,
      document: (...of: Parameters<typeof document>) =>
        isLost ? Promise.reject(new Error('lost')) : document(...of),
    }
    const marker = createLocationMarker(caches.default, ORIGIN)
    const [own, other] = [reader(tenant, { marker, projects }), reader(tenant, { marker, projects })]
    for (const each of [own, other]) await each.load(tenant.projectId)
    isLost = true
    await tenant.patch(tenant.flags(id), { name: 'second' })
    for (const each of [own, other]) expect((await each.load(tenant.projectId))!.snapshot.generation).toBe(1)
    isLost = false
    await writeSilently(tenant, 'third')
    await own.publish(tenant.projectId)
    afterTheWait()
    for (const each of [own, other]) expect((await each.load(tenant.projectId))!.snapshot.generation).toBe(3)
  })

  it('sees what its own isolate wrote where there is no cache', async () => {
    const marker: LocationMarker = {
      keyOf: String,
      read: async () => null,
      write: async () => undefined,
      claimLook: async () => true,
    }
    const edge = reader(tenant, { marker })
    await edge.load(tenant.projectId)
    await writeSilently(tenant, 'second')
    await edge.publish(tenant.projectId)
    afterTheWait()
    expect((await edge.load(tenant.projectId))!.snapshot.generation).toBe(2)
  })

  it('in another location sees a write within seconds', async () => {
    const far = reader(tenant)
    await far.load(tenant.projectId)
    await tenant.patch(tenant.flags(id), { filters: OFF })
    tenant.clock.advance({ seconds: 6 })
    await far.load(tenant.projectId)
    await far.settle()
    expect((await far.load(tenant.projectId))!.snapshot.generation).toBe(2)
  })
})

describe('the mark of a location', () => {
  const mark = (generation: number) => ({ generation, checkedAt: 1, heap: 1 })

  it('never goes back', async () => {
    const marker = createLocationMarker(caches.default, ORIGIN)
    await marker.write(1_000_001, mark(5))
    await marker.write(1_000_001, mark(4))
    expect(await marker.read(1_000_001)).toEqual(mark(5))
    expect(await marker.read(1_000_002)).toBe(null)
    expect(await createLocationMarker(caches.default, 'https://other.test').read(1_000_001)).toBe(null)
  })

  it.each([
    ['fails', () => Promise.reject(new Error('lost'))],
    ['never answers', () => new Promise<never>(() => {})],
    ['holds no JSON', () => Promise.resolve(new Response('nonsense'))],
  ])('is empty when the cache %s', async (_, match) => {
    const marker = createLocationMarker({ match, put: () => Promise.reject(new Error('lost')) }, ORIGIN, 20)
    await marker.write(1, mark(1))
    expect(await marker.read(1)).toBe(null)
  })
})
