// Projects whose definitions take several parts, up to as many as a project may have.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { MAX_DEFINITION_BYTES } from '../../src/snapshots/definition-quota'
import { evaluate } from '../../src/evaluation/evaluate'
import { createRequestMemory } from '../../src/http/limits/request-memory'
import { MAX_RETURNED_BYTES } from '../../src/project/published-snapshots'
import { compileSnapshot } from '../../src/snapshots/compiled-snapshot'
import {
  type PartChange,
  type PartContent,
  type SnapshotPart,
  pointerKey,
} from '../../src/snapshots/manifest'
import {
  changedPart,
  decodePart,
  type Definition,
  encodeDefinition,
  encodeParts,
  joinChanges,
  MAX_PART_BYTES,
  partBytes,
  planParts,
  storedPart,
} from '../../src/snapshots/parts'
import { createSnapshotCache } from '../../src/snapshots/snapshot-cache'
import { gateway, manifestOf, objectOf, partKeysOf, settled, storedContent } from '../project/support'
import { cohort, manyFlags } from '../support/database/rows'
import { createTenant, type Tenant } from '../support/tenant'
import { reader, writeSilently } from './support'

const MAX_FLAGS = 2_000
const MAX_KV_BYTES = 25 * 1024 * 1024

interface Put {
  key: string
  bytes: number
}

/** The values that the project's object puts from now on, into a KV that rejects values over its limit. */
async function watchPuts({ projectId }: Tenant): Promise<Put[]> {
  const puts: Put[] = []
  await runInDurableObject(objectOf({ projectId }), (object) => {
    const { SNAPSHOTS } = Reflect.get(object, 'env') as Env
    const put = SNAPSHOTS.put.bind(SNAPSHOTS)
    Reflect.set(
      SNAPSHOTS,
      'put',
      (key: string, value: string | Uint8Array, options: KVNamespacePutOptions) => {
        const bytes = typeof value === 'string' ? new TextEncoder().encode(value).length : value.length
        if (bytes > MAX_KV_BYTES)
          return Promise.reject(new Error('KV PUT failed: 413 Value length exceeds limit'))
        if (key.split(':')[1] === String(projectId)) puts.push({ key, bytes })
        return put(key, value, options)
      },
    )
  })
  return puts
}

/** Publishes, and waits until KV has it. */
async function published(tenant: Tenant) {
  const result = await gateway().publish(tenant.projectId, tenant.clock.now())
  await settled(tenant)
  return result
}

/** Usual filters of some size: conditions on a few properties. */
function filtersOf(bytes: number) {
  const condition = (index: number) => ({
    properties: ['email', 'plan', 'country'].map((key) => ({
      key,
      type: 'person',
      operator: 'exact',
      value: [`${key}-${index}`, `${key}-${index + 1}`],
    })),
    rollout_percentage: 100,
  })
  const groups = []
  for (let size = 14; ; size += JSON.stringify(groups.at(-1)).length + 1) {
    groups.push(condition(groups.length))
    if (size + JSON.stringify(groups.at(-1)).length > bytes) return { groups: groups.slice(0, -1) }
  }
}

const PARTY = { plan: 'plan-0', email: 'email-0', country: 'country-1' }
const AT = { now: 0, timezone: 'UTC' }

async function tenantOf(bytes: number, count = 200) {
  const tenant = await createTenant()
  const ids = await manyFlags(tenant, count, filtersOf(bytes / count))
  const puts = await watchPuts(tenant)
  return { tenant, ids, puts }
}

describe('a project at its limits', () => {
  it('is published, read from KV or from the project object, and evaluated', async () => {
    const { tenant, puts } = await tenantOf(MAX_DEFINITION_BYTES, MAX_FLAGS)
    const { parts: returnedParts } = (await published(tenant))!
    const returned = Object.values(returnedParts).reduce((sum, { length }) => sum + length, 0)
    expect(returned).toBeLessThanOrEqual(MAX_RETURNED_BYTES)
    const parts = puts.filter(({ key }) => key !== pointerKey(tenant.projectId))
    expect(parts.map(({ key }) => key)).toEqual(await partKeysOf(tenant))
    expect(parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan(0.95 * MAX_DEFINITION_BYTES)
    expect(parts.length).toBeLessThan(40)
    expect(Math.max(...puts.map(({ bytes }) => bytes))).toBeLessThanOrEqual(MAX_PART_BYTES)

    const edge = reader(tenant)
    const { compiled, snapshot } = (await edge.load(tenant.projectId))!
    expect(edge.meter.roundTrips).toBe(0)
    expect(edge.looked).toHaveLength(1 + parts.length)
    expect(snapshot.flags).toHaveLength(MAX_FLAGS)
    const { flags } = evaluate(compiled, { distinctId: 'ada', personProperties: PARTY }, AT)
    expect([...flags.values()].every(({ enabled, failed }) => enabled && !failed)).toBe(true)
    // It stays in memory.
    expect((await edge.load(tenant.projectId))!.compiled === compiled).toBe(true)
    expect(edge.looked).toHaveLength(1 + parts.length)

    // The project object has it while KV fails.
    const kv = { get: () => Promise.reject(new Error('lost')) } as unknown as KVNamespace
    expect((await reader(tenant, { kv }).load(tenant.projectId))!.snapshot.flags).toHaveLength(MAX_FLAGS)
  })

  it('is loaded by one of the concurrent requests of an isolate', async () => {
    const { tenant } = await tenantOf(4 * MAX_PART_BYTES)
    await published(tenant)
    const heap = (await manifestOf(tenant))!.parts.reduce((sum, part) => sum + part.heap, 0)
    const [cache, memory] = [createSnapshotCache(), createRequestMemory(1.5 * heap)]
    const readers = Array.from({ length: 5 }, () => reader(tenant, { cache, memory: memory.open() }))
    const loaded = await Promise.all(readers.map((edge) => edge.load(tenant.projectId)))
    expect(new Set(loaded.map((each) => each!.compiled)).size).toBe(1)
    expect(memory.held).toBeLessThanOrEqual(heap)
  })
})

describe('a change of one flag of a large project', () => {
  it('puts its part and the manifest, and is read as those', async () => {
    const { tenant, ids, puts } = await tenantOf(4 * MAX_PART_BYTES)
    await published(tenant)
    const edge = reader(tenant)
    const before = (await edge.load(tenant.projectId))!
    const [keys, looked] = [await partKeysOf(tenant), edge.looked.length]
    puts.length = 0
    expect((await tenant.patch(tenant.flags(ids[70]!), { name: 'changed' })).status).toBe(200)
    const now = await partKeysOf(tenant)
    const [changed, ...others] = now.filter((key) => !keys.includes(key))
    expect(others).toEqual([])
    expect(now.length).toBe(keys.length)
    expect(puts.map(({ key }) => key)).toEqual([changed, pointerKey(tenant.projectId)])
    expect(Math.max(...puts.map(({ bytes }) => bytes))).toBeLessThanOrEqual(MAX_PART_BYTES)

    tenant.clock.advance({ seconds: 6 })
    await edge.load(tenant.projectId)
    await edge.settle()
    const after = (await edge.load(tenant.projectId))!
    expect(edge.looked.slice(looked, looked + 3)).toEqual([
      pointerKey(tenant.projectId),
      changed,
      // For the news since then.
      pointerKey(tenant.projectId),
    ])
    expect(after.snapshot.flags.filter(({ name }) => name === 'changed').map(({ id }) => id)).toEqual([
      ids[70],
    ])
    const [first, last] = [after.compiled.byId.get(ids[0]!), after.compiled.byId.get(ids.at(-1)!)]
    expect(first === before.compiled.byId.get(ids[0]!)).toBe(true)
    expect(last === before.compiled.byId.get(ids.at(-1)!)).toBe(true)
    // The same as a full compilation.
    const cold = (await reader(tenant).load(tenant.projectId))!
    expect(after.snapshot).toEqual(cold.snapshot)
    expect(JSON.stringify(after.compiled)).toBe(JSON.stringify(cold.compiled))
  })

  it('is published in full where a cohort has changed', async () => {
    const { tenant } = await tenantOf(2 * MAX_PART_BYTES)
    await cohort(tenant, [{ key: 'plan', type: 'person', value: 'pro' }])
    await published(tenant)
    const { parts } = (await manifestOf(tenant))!
    expect(parts.map(({ kind }) => kind)).toEqual(['cohorts', ...parts.slice(1).map(() => 'flags')])
    expect((await reader(tenant).load(tenant.projectId))!.snapshot.cohorts).toHaveLength(1)
  })
})

describe('a part', () => {
  const definitionsOf = (ids: readonly number[], version = 1) =>
    [...new Set(ids)]
      .toSorted((a, b) => a - b)
      .map((id) => encodeDefinition({ id, key: `é-${id}`, version } as never))
  const anyIds = fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 120 })

  it('has the same hash and size, however it came about', async () => {
    await fc.assert(
      fc.asyncProperty(anyIds, anyIds, anyIds, async (before, after, cohortIds) => {
        const cohorts = definitionsOf(cohortIds)
        const [old, fresh] = [definitionsOf(before), definitionsOf(after, 2)]
        const kept = old.filter((_, index) => index % 3 > 0)
        const ids = new Set(kept.map(({ id }) => id))
        const flags = [...kept, ...fresh.filter(({ id }) => !ids.has(id))].toSorted((a, b) => a.id - b.id)
        const earlier = await encodeParts({ cohorts, flags: old }, [], [])
        const [derived] = await encodeParts({ cohorts, flags }, earlier, [])
        const [built] = await encodeParts({ cohorts, flags }, [], [])
        expect(derived!.part).toEqual(built!.part)
        expect(built!.part.bytes).toBe(partBytes(built!.plan).length)
      }),
    )
  })

  it('hashes only the chunk of a definition that changes', async () => {
    const digest = vi.spyOn(crypto.subtle, 'digest')
    const hashedBy = async (work: () => Promise<unknown>) => {
      digest.mockClear()
      await work()
      return digest.mock.calls.reduce((sum, [, bytes]) => sum + bytes.byteLength, 0)
    }
    const flags = definitionsOf(Array.from({ length: 1_000 }, (_, id) => id + 1))
    const earlier = await encodeParts({ cohorts: [], flags }, [], [])
    const changed = flags.with(500, encodeDefinition({ ...JSON.parse(flags[500]!.text), version: 2 }))
    const total = partBytes({ cohorts: [], flags }).length
    expect(await hashedBy(() => encodeParts({ cohorts: [], flags: changed }, earlier, []))).toBeLessThan(
      total / 8,
    )
    digest.mockRestore()
  })

  it('follows from any of its earlier versions by their joined changes', () => {
    const flag = (id: number, version: number) => ({ id, key: `flag-${id}`, version }) as never
    const change = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.boolean())
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), (steps) => {
        const versions: PartContent[] = [{ cohorts: [], flags: [flag(1, 0), flag(2, 0), flag(9, 0)] }]
        const changes = steps.map(([id, isDeleted], at): PartChange => {
          const made = {
            from: [`${at}`],
            to: `${at + 1}`,
            flags: isDeleted ? [] : [flag(id, at + 1)],
            deleted: isDeleted ? [id] : [],
          }
          versions.push(changedPart(versions[at]!, made))
          return made
        })
        const joined = changes.reduce(joinChanges)
        expect(joined.from).toEqual(steps.map((_, at) => `${at}`))
        const sorted = ({ flags }: PartContent) => flags.toSorted((a, b) => a.id - b.id)
        for (const version of versions.slice(0, -1))
          expect(sorted(changedPart(version, joined))).toEqual(sorted(versions.at(-1)!))
      }),
    )
  })

  it('in KV is read only under its name, and as it was put', async () => {
    const [one] = await encodeParts({ cohorts: [], flags: definitionsOf([1, 2, 3]) }, [], [])
    const { hash } = one!.part
    const bufferOf = (bytes: Uint8Array) => bytes.slice().buffer as ArrayBuffer
    const stored = await storedPart(one!)
    expect(await decodePart(hash, bufferOf(stored))).toEqual(
      JSON.parse(new TextDecoder().decode(partBytes(one!.plan))),
    )
    expect(await decodePart('0'.repeat(64), bufferOf(stored))).toBe(null)
    for (const at of [0, 70, stored.length - 1]) {
      const spoiled = stored.with(at, stored[at]! ^ 1)
      expect(await decodePart(hash, bufferOf(spoiled))).toBe(null)
    }
    for (const length of [0, 64, 128, stored.length - 1])
      expect(await decodePart(hash, bufferOf(stored.slice(0, length)))).toBe(null)
  })
})

describe('a part of several', () => {
  it.each([
    ['is missing', async (key: string) => env.SNAPSHOTS.delete(key)],
    [
      'has the content of another',
      async (key: string, other: string) =>
        env.SNAPSHOTS.put(key, (await env.SNAPSHOTS.get(other, 'arrayBuffer'))!),
    ],
  ])('that %s is put again, and no other', async (_, spoil) => {
    const { tenant, ids, puts } = await tenantOf(4 * MAX_PART_BYTES)
    await published(tenant)
    const keys = await partKeysOf(tenant)
    await spoil(keys[1]!, keys[2]!)
    puts.length = 0
    const { snapshot } = (await reader(tenant).load(tenant.projectId))!
    expect(snapshot.flags.map(({ id }) => id)).toEqual(ids)
    // `publish` has put the pointer, too.
    await settled(tenant)
    expect(new Set(puts.map(({ key }) => key))).toEqual(new Set([pointerKey(tenant.projectId), keys[1]]))
    const other = reader(tenant)
    expect((await other.load(tenant.projectId))!.snapshot.flags).toHaveLength(ids.length)
    expect(other.meter.roundTrips).toBe(0)
  })

  it('is evaluated alike wherever the manifest has it', async () => {
    const { tenant } = await tenantOf(4 * MAX_PART_BYTES)
    await published(tenant)
    const manifest = (await manifestOf(tenant))!
    const contents = await Promise.all(
      manifest.parts.map(async ({ hash }) => (await storedContent(tenant, hash))!),
    )
    const [one, other] = [contents, contents.toReversed()].map((order) => compileSnapshot(manifest, order))
    const resultsOf = (loaded = one!) =>
      [...evaluate(loaded.compiled, { distinctId: 'ada', personProperties: PARTY }, AT).flags].map(
        ([key, { value }]) => [key, value],
      )
    expect(other!.snapshot).toEqual(one!.snapshot)
    expect(resultsOf(other)).toEqual(resultsOf(one))
  })
})

it('a small project has one part', async () => {
  const { tenant, puts } = await tenantOf(100_000, 20)
  await cohort(tenant)
  await published(tenant)
  expect(puts.map(({ key }) => key)).toEqual([...(await partKeysOf(tenant)), pointerKey(tenant.projectId)])
  expect(puts).toHaveLength(2)
  // What changes in the manifest only puts no part.
  puts.length = 0
  await writeSilently(tenant, '')
  await env.DB.prepare(`UPDATE projects SET timezone = 'Europe/Berlin' WHERE id = ?`)
    .bind(tenant.projectId)
    .run()
  await published(tenant)
  expect((await reader(tenant).load(tenant.projectId))!.snapshot.timezone).toBe('Europe/Berlin')
})

describe('planParts', () => {
  const definitions = (sizes: readonly number[]): Definition[] =>
    sizes.map((bytes, index) => ({ id: index * 10 + 10, text: String(bytes), bytes, values: 1 }))
  const partsOf = (plans: ReturnType<typeof planParts>): SnapshotPart[] =>
    plans.map(({ kind, from }) => ({ hash: '', bytes: 0, heap: 0, put_at: 0, kind, from }))
  const size = (members: readonly Definition[]) => members.reduce((sum, { bytes }) => sum + bytes, 0)
  const contentOf = ({ cohorts, flags }: { cohorts: readonly Definition[]; flags: readonly Definition[] }) =>
    JSON.stringify([cohorts, flags])
  const bytes = fc.oneof(fc.integer({ min: 300, max: 5_000 }), fc.integer({ min: 300, max: 600_000 }))
  const sizes = fc.array(bytes, { minLength: 10, maxLength: 300 })

  it('has every definition once, in parts of a bounded size, few of which are small', () => {
    fc.assert(
      fc.property(sizes, sizes, sizes, (cohorts, flags, earlier) => {
        const last = partsOf(planParts({ cohorts: [], flags: definitions(earlier) }, []))
        const [allCohorts, allFlags] = [definitions(cohorts), definitions(flags)]
        const plans = planParts({ cohorts: allCohorts, flags: allFlags }, last)
        expect(plans.flatMap((plan) => plan.cohorts)).toEqual(allCohorts)
        expect(plans.flatMap((plan) => plan.flags)).toEqual(allFlags)
        for (const plan of plans) {
          const members = [...plan.cohorts, ...plan.flags]
          if (members.length > 1) expect(size(members)).toBeLessThanOrEqual(MAX_PART_BYTES)
        }
        const total = size(allCohorts) + size(allFlags)
        expect(plans.length).toBeLessThanOrEqual(4 * Math.ceil(total / MAX_PART_BYTES) + 2)
      }),
    )
  })

  it('bounds what one change rewrites', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), bytes, (flags, place, changed) => {
        const before = planParts({ cohorts: [], flags: definitions(flags) }, [])
        const last = partsOf(before)
        expect(planParts({ cohorts: [], flags: definitions(flags) }, last)).toEqual(before)
        const after = planParts(
          { cohorts: [], flags: definitions(flags.with(place % flags.length, changed)) },
          last,
        )
        const known = new Set(before.map(contentOf))
        const put = after.filter((plan) => !known.has(contentOf(plan)))
        // The part, and a neighbour that it is merged with.
        expect(size(put.flatMap((plan) => plan.flags))).toBeLessThanOrEqual(MAX_PART_BYTES * 1.5 + changed)
      }),
    )
  })
})
