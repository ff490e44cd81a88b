import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createRequestMemory } from '../../src/http/limits/request-memory'
import type { LoadedSnapshot } from '../../src/snapshots/compiled-snapshot'
import { documentKey, FORMAT } from '../../src/snapshots/document'
import { createLocationMarker, type LocationMarker } from '../../src/snapshots/location-marker'
import { createSnapshotCache } from '../../src/snapshots/snapshot-cache'
import { documentOf, gateway, markInKv, putAtOnce, settled } from '../project/support'
import { cohort, manyFlags } from '../support/database/rows'
import { inCohort, open, where } from '../support/filters'
import { createTenant, type Tenant } from '../support/tenant'
import { reader, writeSilently } from './support'

const generationIn = (loaded: LoadedSnapshot | null) => loaded?.snapshot.generation
const later = (tenant: Tenant, seconds: number) => tenant.clock.advance({ seconds })
const lost = () => Promise.reject(new Error('lost'))
const LOST_OBJECT = { publish: lost, document: lost }

/** A project with one published flag. */
async function published() {
  const tenant = await createTenant()
  await tenant.flag({ key: 'only', name: 'first' })
  return { tenant, edge: reader(tenant) }
}

/** The readers of one location. */
const marker = () => createLocationMarker(caches.default, `https://${crypto.randomUUID()}.test`)

describe('streams that learn of a change together', () => {
  it('leave one mark in their location', async () => {
    const { tenant } = await published()
    const real = marker()
    let writes = 0
    const counting: LocationMarker = {
      ...real,
      write: (projectId, mark) => ((writes += 1), real.write(projectId, mark)),
    }
    const edge = reader(tenant, { marker: counting })
    await edge.publish(tenant.projectId)
    const mark = (await real.read(tenant.projectId))!
    const leave = (generation: number) => edge.leaveMark(tenant.projectId, { ...mark, generation })
    writes = 0
    await Promise.all(Array.from({ length: 100 }, () => leave(mark.generation)))
    expect(writes).toBe(1)
    // One that begins does not wait for an earlier generation.
    await Promise.all([leave(mark.generation + 1), leave(mark.generation + 2), leave(mark.generation + 1)])
    expect(writes).toBe(3)
    expect(await real.read(tenant.projectId)).toMatchObject({ generation: mark.generation + 2 })
  })
})

describe('a read', () => {
  it('takes the document from the object when cold, and costs nothing when warm', async () => {
    const { tenant, edge } = await published()
    const cold = await edge.load(tenant.projectId)
    expect(cold!.snapshot.flags).toMatchObject([{ key: 'only', name: 'first' }])
    expect(edge.calls).toEqual(['publish', 'document'])
    expect(edge.meter).toMatchObject({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 })
    later(tenant, 5)
    for (let count = 0; count < 100; count += 1) {
      const warm = await edge.load(tenant.projectId)
      expect(warm!.compiled).toBe(cold!.compiled)
    }
    await edge.settle()
    expect(edge.calls).toHaveLength(2)
  })

  it('has the object look after 5 s, behind its response, and once for all callers of 2 s', async () => {
    const { tenant, edge } = await published()
    const first = await edge.load(tenant.projectId)
    later(tenant, 6)
    for (let count = 0; count < 10; count += 1)
      expect((await edge.load(tenant.projectId))!.compiled).toBe(first!.compiled)
    await edge.settle()
    expect(edge.calls.slice(2)).toEqual(['publish'])
    later(tenant, 5)
    await edge.load(tenant.projectId)
    await edge.settle()
    expect(edge.calls).toHaveLength(3)
    later(tenant, 1)
    await edge.load(tenant.projectId)
    await edge.settle()
    expect(edge.calls).toHaveLength(4)
  })

  it('has the object look for the whole location', async () => {
    const { tenant } = await published()
    const near = { marker: marker() }
    const edges = Array.from({ length: 4 }, () => reader(tenant, near))
    for (const edge of edges) await edge.load(tenant.projectId)
    const looks = () => edges.flatMap(({ calls }) => calls).filter((call) => call === 'publish').length
    const before = looks()
    for (let turn = 1; turn <= 5; turn += 1) {
      later(tenant, 6)
      for (const edge of edges) {
        await edge.load(tenant.projectId)
        await edge.settle()
      }
      expect(looks()).toBe(before + turn)
    }
  })

  it('has the object look as often as the deployment says', async () => {
    const { tenant } = await published()
    const edge = reader(tenant, { freshnessMs: 60_000 })
    await edge.load(tenant.projectId)
    later(tenant, 60)
    await edge.load(tenant.projectId)
    await edge.settle()
    expect(edge.calls).toHaveLength(2)
    later(tenant, 1)
    await edge.load(tenant.projectId)
    await edge.settle()
    expect(edge.calls).toHaveLength(3)
  })

  it('never waits for the look', async () => {
    const { tenant } = await published()
    let isStalled = false
    const { publish } = gateway()
    const edge = reader(tenant, {
      projects: { publish: (...of) => (isStalled ? new Promise(() => {}) : publish(...of)) },
    })
    await edge.load(tenant.projectId)
    isStalled = true
    for (let seconds = 0; seconds < 40; seconds += 5) {
      later(tenant, 5)
      expect(generationIn(await edge.load(tenant.projectId))).toBe(1)
    }
    expect(edge.staleAges).toEqual([])
  })

  it('finds a change that another location published, and those after it from one look each', async () => {
    const { tenant, edge } = await published()
    await edge.load(tenant.projectId)
    const [{ id }] = (await tenant.get(tenant.flags())).body.results
    for (const name of ['second', 'third']) {
      await tenant.patch(tenant.flags(id), { name })
      later(tenant, 6)
      await edge.load(tenant.projectId)
      await edge.settle()
      expect((await edge.load(tenant.projectId))!.snapshot.flags).toMatchObject([{ name }])
    }
    expect(edge.calls.slice(2)).toEqual(['publish', 'document', 'publish', 'document'])
  })

  it('waits for the object rather than serve a snapshot unconfirmed for 45 s', async () => {
    const { tenant, edge } = await published()
    await edge.load(tenant.projectId)
    await writeSilently(tenant, 'second')
    later(tenant, 45)
    expect(generationIn(await edge.load(tenant.projectId))).toBe(1)
    later(tenant, 1)
    expect(generationIn(await edge.load(tenant.projectId))).toBe(2)
    await edge.settle()
  })

  it('serves a stale snapshot when the object fails, and reports its age', async () => {
    const { tenant } = await published()
    const cache = createSnapshotCache()
    await reader(tenant, { cache }).load(tenant.projectId)
    const edge = reader(tenant, { cache, projects: LOST_OBJECT })
    later(tenant, 45)
    expect(generationIn(await edge.load(tenant.projectId))).toBe(1)
    await edge.settle()
    expect(edge.staleAges).toEqual([])
    later(tenant, 1)
    expect(generationIn(await edge.load(tenant.projectId))).toBe(1)
    expect(edge.staleAges).toEqual([46_000])
  })

  it('looks at the location again as soon as a slow object has responded', async () => {
    const { tenant } = await published()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { publish } = gateway()
    const slow = { publish: (...of: Parameters<typeof publish>) => released.then(() => publish(...of)) }
    const near = { cache: createSnapshotCache(), marker: marker() }
    await reader(tenant, near).load(tenant.projectId)
    later(tenant, 50)
    const edge = reader(tenant, { ...near, projects: slow })
    expect(generationIn(await edge.load(tenant.projectId))).toBe(1)
    expect(edge.staleAges).toEqual([50_000])
    release()
    await edge.settle()
    await writeSilently(tenant, 'second')
    await reader(tenant, near).publish(tenant.projectId)
    expect(generationIn(await reader(tenant, near).load(tenant.projectId))).toBe(2)
  })

  it('takes the last document of KV when it starts without the object, and reports its age', async () => {
    const { tenant } = await published()
    await settled(tenant)
    const edge = reader(tenant, { projects: LOST_OBJECT })
    expect((await edge.load(tenant.projectId))!.snapshot.flags).toMatchObject([{ name: 'first' }])
    expect(edge.staleAges).toEqual([])
    later(tenant, 100)
    const late = reader(tenant, { projects: LOST_OBJECT })
    expect(generationIn(await late.load(tenant.projectId))).toBe(1)
    expect(late.staleAges).toEqual([100_000])
  })

  it('fails when there is nothing to serve', async () => {
    const { tenant } = await published()
    const edge = reader(tenant, { kv: { getWithMetadata: lost } as never, projects: LOST_OBJECT })
    await expect(edge.load(tenant.projectId)).rejects.toThrow('lost')
  })

  it('gives nothing for a project that does not exist', async () => {
    const { edge } = await published()
    expect(await edge.load(999_999)).toBe(null)
    expect(edge.cache.snapshots.size).toBe(0)
  })

  it('serves a project whose flags were never written', async () => {
    const tenant = await createTenant()
    const edge = reader(tenant)
    expect(await edge.load(tenant.projectId)).toMatchObject({ snapshot: { generation: 0, flags: [] } })
    expect(await markInKv(tenant)).toMatchObject({ generation: 0 })
  })
})

describe('publish', () => {
  it('publishes a change and applies it immediately', async () => {
    const { tenant, edge } = await published()
    await edge.load(tenant.projectId)
    await putAtOnce(tenant)
    await writeSilently(tenant, 'second')
    await edge.publish(tenant.projectId)
    later(tenant, 1)
    expect((await edge.load(tenant.projectId))!.snapshot.flags).toMatchObject([{ name: 'second' }])
    expect(await markInKv(tenant)).toMatchObject({ generation: 2 })
  })
})

describe('a document in KV', () => {
  it.each<[string, string, object | undefined]>([
    ['of another format', '{"generation":1}', { format: FORMAT - 1, generation: 1, checkedAt: 0, heap: 1 }],
    ['without metadata', '{"generation":1}', undefined],
    ['that is no JSON', 'nonsense', { format: FORMAT, generation: 1, checkedAt: 0, heap: 1 }],
  ])('%s is not served', async (_, text, metadata) => {
    const { tenant } = await published()
    await settled(tenant)
    await env.SNAPSHOTS.put(documentKey(tenant.projectId), text, metadata ? { metadata } : {})
    await expect(reader(tenant, { projects: LOST_OBJECT }).load(tenant.projectId)).rejects.toThrow('lost')
    expect((await reader(tenant).load(tenant.projectId))!.snapshot.flags).toMatchObject([{ name: 'first' }])
  })

  it('is the whole document', async () => {
    const tenant = await createTenant()
    const cohortId = await cohort(tenant)
    await putAtOnce(tenant)
    await tenant.flag({ key: 'looks', filters: where(inCohort(cohortId)) })
    const { snapshot } = (await reader(tenant).load(tenant.projectId))!
    expect(await documentOf(tenant)).toEqual(snapshot)
  })
})

describe('the memory of an isolate', () => {
  it('never takes an older document for a newer one', async () => {
    const { tenant } = await published()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { document } = gateway()
    let isFirst = true
    const slow: typeof document = async (...of) => {
      const isLate = isFirst
      isFirst = false
      const found = await document(...of)
      if (isLate) await released
      return found
    }
    const cache = createSnapshotCache()
    // KV, which readers take when the object takes too long, has none.
    const kv = { getWithMetadata: lost } as Pick<KVNamespace, 'getWithMetadata'>
    const edge = () => reader(tenant, { cache, kv, projects: { document: slow } })
    const late = edge().load(tenant.projectId)
    await expect.poll(() => isFirst).toBe(false)
    await writeSilently(tenant, 'second')
    await edge().publish(tenant.projectId)
    expect(generationIn(await edge().load(tenant.projectId))).toBe(2)
    release()
    expect(generationIn(await late)).toBe(2)
    expect(generationIn(await edge().load(tenant.projectId))).toBe(2)
  })

  it('holds the projects that were used last, as far as there is memory', async () => {
    const tenant = await createTenant()
    const [mark, found] = await Promise.all([
      gateway().publish(tenant.projectId, tenant.clock.now()),
      gateway().document(tenant.projectId, 0, tenant.clock.now()),
    ])
    const projects = { publish: async () => mark, document: async () => found }
    const edge = reader(tenant, { projects, maxBytes: 50 * mark!.heap })
    for (let id = 1; id <= 50; id += 1) await edge.load(id)
    await edge.load(1)
    for (let id = 51; id <= 60; id += 1) await edge.load(id)
    const kept = [...edge.cache.snapshots].map(([id]) => id).toSorted((a, b) => a - b)
    expect(kept).toEqual([1, ...Array.from({ length: 49 }, (_, at) => at + 12)])
  })

  it('holds 2,000 flags, compiled', async () => {
    const tenant = await createTenant()
    await manyFlags(tenant, 2_000)
    const loaded = await reader(tenant).load(tenant.projectId)
    expect(loaded!.snapshot.flags).toHaveLength(2_000)
    expect(loaded!.compiled.flags).toHaveLength(2_000)
    expect(loaded!.compiled.flags.every(({ problem }) => problem === null)).toBe(true)
  })

  it('holds a project with 8 MiB of definitions, from the object or from KV', async () => {
    const tenant = await createTenant()
    await manyFlags(tenant, 2_000)
    await env.DB.prepare(
      `UPDATE feature_flags SET filters = json_set(filters, '$.payloads', json_object('true', ?)) WHERE project_id = ?`,
    )
      .bind('é'.repeat(2_000), tenant.projectId)
      .run()
    await writeSilently(tenant, 'large')
    const edge = reader(tenant)
    expect((await edge.load(tenant.projectId))!.compiled.flags).toHaveLength(2_000)
    expect(edge.cache.snapshots.size).toBe(1)
    expect(edge.cache.snapshots.weight).toBeGreaterThan(8_000_000)
    await settled(tenant)
    const alone = reader(tenant, { projects: LOST_OBJECT })
    // On a busy machine, KV takes longer than a reader waits.
    await expect
      .poll(async () => (await alone.load(tenant.projectId).catch(() => null))?.compiled.flags.length, {
        timeout: 20_000,
      })
      .toBe(2_000)
  })

  it('keeps the compiled form of each flag that has not changed', async () => {
    const tenant = await createTenant()
    const cohortId = await cohort(tenant)
    const ids = [
      (await tenant.flag({ key: 'a', filters: where(inCohort(cohortId)) })).id,
      (await tenant.flag({ key: 'b', filters: open() })).id,
    ]
    const near = reader(tenant, { marker: marker() })
    const before = (await near.load(tenant.projectId))!
    await tenant.patch(tenant.flags(ids[1]!), { active: false })
    await near.publish(tenant.projectId)
    later(tenant, 1)
    const after = (await near.load(tenant.projectId))!
    expect(after.compiled.byKey.get('a')).toBe(before.compiled.byKey.get('a'))
    expect(after.compiled.byKey.get('b')).not.toBe(before.compiled.byKey.get('b'))
    expect(after.compiled.byKey.get('b')!.definition.active).toBe(false)
    // A flag may look at any cohort.
    await cohort(tenant)
    await writeSilently(tenant, 'renamed')
    await near.publish(tenant.projectId)
    later(tenant, 1)
    const last = (await near.load(tenant.projectId))!
    expect(last.compiled.byKey.get('a')).not.toBe(before.compiled.byKey.get('a'))
  })

  it('is filled by one of the concurrent requests', async () => {
    const tenant = await createTenant()
    await manyFlags(tenant, 500)
    const { heap } = (await gateway().publish(tenant.projectId, tenant.clock.now()))!
    const [cache, memory] = [createSnapshotCache(), createRequestMemory(1.5 * heap)]
    const readers = Array.from({ length: 5 }, () => reader(tenant, { cache, memory: memory.open() }))
    const loaded = await Promise.all(readers.map((edge) => edge.load(tenant.projectId)))
    expect(new Set(loaded.map((each) => each!.compiled)).size).toBe(1)
    expect(readers.flatMap(({ calls }) => calls)).toEqual(['publish', 'document'])
    expect(memory.reserved).toBeLessThanOrEqual(heap)
  })

  it('is filled once more by requests that learn of a newer generation during a load', async () => {
    const { tenant } = await published()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { document } = gateway()
    let loads = 0
    const slow: typeof document = async (...of) => {
      loads += 1
      const found = await document(...of)
      if (loads === 1) await released
      return found
    }
    const near = { cache: createSnapshotCache(), marker: marker(), projects: { document: slow } }
    const early = reader(tenant, near).load(tenant.projectId)
    await expect.poll(() => loads).toBe(1)
    await writeSilently(tenant, 'second')
    await reader(tenant, near).publish(tenant.projectId)
    const late = Array.from({ length: 5 }, () => reader(tenant, near).load(tenant.projectId))
    await scheduler.wait(10)
    release()
    expect(generationIn(await early)).toBe(1)
    expect((await Promise.all(late)).map(generationIn)).toEqual([2, 2, 2, 2, 2])
    expect(loads).toBe(2)
  })

  it('is filled by another request when the platform drops the one that began', async () => {
    const { tenant } = await published()
    const cache = createSnapshotCache()
    const dropped = reader(tenant, { cache, projects: { publish: () => new Promise(() => {}) } })
    void dropped.load(tenant.projectId).catch(() => undefined)
    expect(generationIn(await reader(tenant, { cache }).load(tenant.projectId))).toBe(1)
  })
})
