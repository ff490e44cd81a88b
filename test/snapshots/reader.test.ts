import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { pointerKey } from '../../src/snapshots/manifest'
import type { LoadedSnapshot } from '../../src/snapshots/compiled-snapshot'
import { generationOf, manifestOf, partKeysOf, pointerOf, settled, storedSnapshot } from '../project/support'
import { manyFlags } from '../support/database/rows'
import { createTenant, type Tenant } from '../support/tenant'
import { reader, writeSilently } from './support'

const generationIn = (loaded: LoadedSnapshot | null) => loaded?.snapshot.generation
const later = (tenant: Tenant, seconds: number) => tenant.clock.advance({ seconds })

/** A project with one published flag. */
async function published() {
  const tenant = await createTenant()
  await tenant.flag({ key: 'only', name: 'first' })
  return { tenant, edge: reader(tenant) }
}

describe('a read', () => {
  it('costs no look at D1 when cold, and none at anything when warm', async () => {
    const { tenant, edge } = await published()
    const cold = await edge.load(tenant.projectId)
    expect(cold!.snapshot.flags).toMatchObject([{ key: 'only', name: 'first' }])
    expect(edge.looked).toEqual([pointerKey(tenant.projectId), ...(await partKeysOf(tenant))])
    for (let count = 0; count < 100; count += 1) {
      const warm = await edge.load(tenant.projectId)
      expect(warm!.compiled).toBe(cold!.compiled)
    }
    later(tenant, 5)
    await edge.load(tenant.projectId)
    await edge.settle()
    expect(edge.looked).toHaveLength(2)
    expect(edge.meter.roundTrips).toBe(0)
  })

  it('looks for news behind the response after 5 s, once for all callers of 2 s', async () => {
    const { tenant, edge } = await published()
    const first = await edge.load(tenant.projectId)
    later(tenant, 6)
    for (let count = 0; count < 10; count += 1) {
      expect(await edge.load(tenant.projectId)).toMatchObject({ snapshot: first!.snapshot })
    }
    await edge.settle()
    expect(edge.looked.slice(2)).toEqual([pointerKey(tenant.projectId)])
    later(tenant, 1)
    await edge.load(tenant.projectId)
    await edge.settle()
    expect(edge.looked).toHaveLength(3)
    later(tenant, 1)
    await edge.load(tenant.projectId)
    await edge.settle()
    expect(edge.looked).toHaveLength(4)
    expect(edge.meter.roundTrips).toBe(0)
  })

  it('asks the project object when the pointer is over 20 s old, for one row', async () => {
    const { tenant, edge } = await published()
    await edge.load(tenant.projectId)
    later(tenant, 21)
    const other = reader(tenant)
    await edge.load(tenant.projectId)
    await edge.settle()
    expect(edge.meter).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 })
    // Whoever comes next finds a pointer that is news again.
    await settled(tenant)
    expect(generationIn(await other.load(tenant.projectId))).toBe(1)
    expect(other.meter.roundTrips).toBe(0)
  })

  it('finds a change that another isolate published', async () => {
    const { tenant, edge } = await published()
    await edge.load(tenant.projectId)
    const [{ id }] = (await tenant.get(tenant.flags())).body.results
    await tenant.patch(tenant.flags(id), { name: 'second' })
    await settled(tenant)
    later(tenant, 6)
    expect(generationIn(await edge.load(tenant.projectId))).toBe(1)
    await edge.settle()
    expect((await edge.load(tenant.projectId))!.snapshot.flags).toMatchObject([{ name: 'second' }])
    expect(edge.meter.roundTrips).toBe(0)
  })

  it('waits for D1 rather than serve a snapshot unconfirmed for 45 s', async () => {
    const { tenant, edge } = await published()
    await edge.load(tenant.projectId)
    await writeSilently(tenant, 'second')
    later(tenant, 45)
    expect(generationIn(await edge.load(tenant.projectId))).toBe(1)
    later(tenant, 1)
    expect(generationIn(await edge.load(tenant.projectId))).toBe(2)
    await edge.settle()
  })

  it('serves a stale snapshot when all sources fail, and reports its age', async () => {
    const { tenant } = await published()
    const lost = () => Promise.reject(new Error('lost'))
    const edge = reader(tenant, { projects: { publish: lost } })
    await edge.load(tenant.projectId)
    later(tenant, 45)
    expect(generationIn(await edge.load(tenant.projectId))).toBe(1)
    await edge.settle()
    expect(edge.staleAges).toEqual([])
    later(tenant, 1)
    expect(generationIn(await edge.load(tenant.projectId))).toBe(1)
    expect(edge.staleAges).toEqual([46_000])
  })

  it('fails when there is nothing to serve', async () => {
    const { tenant } = await published()
    const lost = () => Promise.reject(new Error('lost'))
    const kv = { get: lost } as unknown as KVNamespace
    const edge = reader(tenant, { kv, projects: { publish: lost } })
    await expect(edge.load(tenant.projectId)).rejects.toThrow('lost')
  })

  it('gives nothing for a project that does not exist', async () => {
    const { edge } = await published()
    expect(await edge.load(999_999)).toBe(null)
    expect(edge.cache.peek(999_999)).toBeUndefined()
  })

  it('serves a project whose flags were never written', async () => {
    const tenant = await createTenant()
    const edge = reader(tenant)
    expect(await edge.load(tenant.projectId)).toMatchObject({ snapshot: { generation: 0, flags: [] } })
    expect(await pointerOf(tenant)).toMatchObject({ generation: 0 })
  })
})

describe('publish', () => {
  it('publishes a change and applies it immediately', async () => {
    const { tenant, edge } = await published()
    await edge.load(tenant.projectId)
    await writeSilently(tenant, 'second')
    await edge.publish(tenant.projectId)
    expect((await edge.load(tenant.projectId))!.snapshot.flags).toMatchObject([{ name: 'second' }])
    expect(await pointerOf(tenant)).toEqual({ generation: 2, checked_at: tenant.clock.now().getTime() })
  })
})

describe('the next read repairs broken values in KV', () => {
  it('a pointer that is missing', async () => {
    const { tenant, edge } = await published()
    await env.SNAPSHOTS.delete(pointerKey(tenant.projectId))
    expect(generationIn(await edge.load(tenant.projectId))).toBe(1)
    expect(await pointerOf(tenant)).toEqual({ generation: 1, checked_at: tenant.clock.now().getTime() })
  })

  it('a part that is missing', async () => {
    const { tenant, edge } = await published()
    const [key] = (await partKeysOf(tenant)) as [string]
    await env.SNAPSHOTS.delete(key)
    expect(generationIn(await edge.load(tenant.projectId))).toBe(1)
    expect(await storedSnapshot(tenant)).toMatchObject({ generation: 1, flags: [{ key: 'only' }] })
  })

  it('a pointer to an old generation', async () => {
    const { tenant, edge } = await published()
    await writeSilently(tenant, 'second')
    later(tenant, 21)
    expect(generationIn(await edge.load(tenant.projectId))).toBe(2)
    expect(await pointerOf(tenant)).toEqual({ generation: 2, checked_at: tenant.clock.now().getTime() })
  })

  it.each([['not JSON'], ['null'], ['{}'], ['{"generation":1,"checked_at":8640000000000000}']])(
    'a pointer with %s',
    async (text) => {
      const { tenant, edge } = await published()
      await env.SNAPSHOTS.put(pointerKey(tenant.projectId), text)
      expect(generationIn(await edge.load(tenant.projectId))).toBe(1)
      expect(await pointerOf(tenant)).toMatchObject({ generation: 1 })
    },
  )

  it.each([
    ['is no JSON', () => '{"flags":'],
    ['was changed', (text: string) => text.replace('"only"', '"evil"')],
  ])('a part that %s', async (_, change) => {
    const { tenant, edge } = await published()
    const [key] = (await partKeysOf(tenant)) as [string]
    const text = (await env.SNAPSHOTS.get(key))!
    await env.SNAPSHOTS.put(key, change(text))
    expect((await edge.load(tenant.projectId))!.snapshot.flags).toMatchObject([{ key: 'only' }])
    await settled(tenant)
    expect(await env.SNAPSHOTS.get(key)).toBe(text)
    const other = reader(tenant)
    expect((await other.load(tenant.projectId))!.snapshot.flags).toMatchObject([{ key: 'only' }])
    expect(other.meter.roundTrips).toBe(0)
  })

  it('KV that does not respond', async () => {
    const { tenant } = await published()
    const lost = { get: () => Promise.reject(new Error('lost')) } as unknown as KVNamespace
    const edge = reader(tenant, { kv: lost })
    for (let count = 0; count < 3; count += 1) {
      expect(generationIn(await edge.load(tenant.projectId))).toBe(1)
      later(tenant, 46)
    }
  })
})

describe('the memory of an isolate', () => {
  it('never takes an older answer for a newer one', async () => {
    const { tenant } = await published()
    const manifest = await manifestOf(tenant)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const slow = {
      async get(key: string, options: KVNamespaceGetOptions<'text'>) {
        await released
        return key === pointerKey(tenant.projectId) ? manifest : env.SNAPSHOTS.get(key, options)
      },
    } as unknown as KVNamespace
    const edge = reader(tenant, { kv: slow })
    const late = edge.load(tenant.projectId)
    await writeSilently(tenant, 'second')
    await edge.publish(tenant.projectId)
    release()
    expect(generationIn(await late)).toBe(2)
    expect(generationIn(await edge.load(tenant.projectId))).toBe(2)
  })

  it('asks who knows when KV has only older news', async () => {
    const { tenant, edge } = await published()
    const old = await manifestOf(tenant)
    await writeSilently(tenant, 'second')
    await edge.publish(tenant.projectId)
    await settled(tenant)
    later(tenant, 46)
    // As a writer would whose clock runs ahead.
    const pointer = { ...old, checked_at: tenant.clock.now().getTime() }
    await env.SNAPSHOTS.put(pointerKey(tenant.projectId), JSON.stringify(pointer))
    await writeSilently(tenant, 'third')
    expect(generationIn(await edge.load(tenant.projectId))).toBe(3)
    expect(await pointerOf(tenant)).toMatchObject({ generation: await generationOf(tenant) })
  })

  it('holds the projects that were used last, as far as there is memory', async () => {
    const tenant = await createTenant()
    await reader(tenant).load(tenant.projectId)
    const manifest = await manifestOf(tenant)
    const [part] = (await partKeysOf(tenant)) as [string]
    const kv = {
      get: async (key: string) =>
        key.split(':').length === 2
          ? { ...manifest, project_id: Number(key.split(':')[1]) }
          : env.SNAPSHOTS.get(part, 'arrayBuffer'),
    } as unknown as KVNamespace
    const single = reader(tenant, { kv })
    await single.load(1)
    const edge = reader(tenant, { kv, maxBytes: 50 * single.cache.weight })
    for (let id = 1; id <= 50; id += 1) await edge.load(id)
    await edge.load(1)
    for (let id = 51; id <= 60; id += 1) await edge.load(id)
    const kept = [...edge.cache].map(([id]) => id).toSorted((a, b) => a - b)
    expect(kept).toEqual([1, ...Array.from({ length: 49 }, (_, at) => at + 12)])
  })

  it('holds 2,000 flags, compiled', async () => {
    const tenant = await createTenant()
    await manyFlags(tenant, 2_000)
    const edge = reader(tenant)
    const loaded = await edge.load(tenant.projectId)
    expect(loaded!.snapshot.flags).toHaveLength(2_000)
    expect(loaded!.compiled.flags).toHaveLength(2_000)
    expect(loaded!.compiled.flags.every(({ problem }) => problem === null)).toBe(true)
    expect(generationIn(await reader(tenant).load(tenant.projectId))).toBe(0)
  })
})
