// Simulates locations with isolates and a cache, a project object and KV, with the latencies and limits that Cloudflare documents. Readers
// and the object run the code of the service.
import { createRequestMemory } from '../../../src/http/limits/request-memory'
import { LruCache } from '../../../src/lru-cache'
import { createSerialQueue } from '../../../src/project/serial-queue'
import { Publisher } from '../../../src/project/publisher'
import type { Mark, SnapshotPublisher } from '../../../src/snapshots/document'
import { createLocationMarker } from '../../../src/snapshots/location-marker'
import { createSnapshots, type Snapshots } from '../../../src/snapshots/reader'
import { createSnapshotCache } from '../../../src/snapshots/snapshot-cache'
import { openDatabase } from '../../../src/storage/database'
import { createMeter } from '../../../src/storage/metered-d1'
import { sqliteD1 } from './sqlite-d1'
import type { VirtualTime } from './virtual-time'

const PROJECT = 1

/** The round trip of an object to its database. */
const D1_MS = 3
/** The latency of a location's cache. */
const CACHE_MS = 1
/** The latency of KV where the location has read the key lately, and where it has not, and the time for which a location keeps a value. */
const KV_NEAR_MS = 5
const KV_FAR_MS = 120
const KV_CACHE_MS = 60_000
/** The time between two writes of a key. */
const KV_WRITE_INTERVAL_MS = 1_000
/** The round trips to the object: within its region, and to the other side of the world. */
const NEAREST_MS = 5
const FARTHEST_MS = 250

export interface WorldOptions {
  time: VirtualTime
  locations: number
  isolatesPerLocation: number
  freshnessMs: number
  /** Returns a number from 0 to 1, the same in each run. */
  random(): number
}

export interface Isolate {
  /** Returns the generation that a request is served, or null when it fails. */
  serve(): Promise<number | null>
  /** Commits a generation and publishes it. @returns the generation, and when it was acknowledged */
  write(): Promise<{ generation: number; at: number }>
}

export interface Calls {
  object: number
  kvReads: number
  kvWrites: number
  failedRequests: number
}

export interface World {
  isolates: Isolate[]
  calls: Calls
  /** While it is lost, calls of the object fail. */
  setLost(isLost: boolean): void
}

interface KvValue {
  text: Uint8Array
  metadata: unknown
}

export function createWorld({
  time,
  locations,
  isolatesPerLocation,
  freshnessMs,
  random,
}: WorldOptions): World {
  const calls: Calls = { object: 0, kvReads: 0, kvWrites: 0, failedRequests: 0 }
  const { d1, sqlite } = sqliteD1(() => time.wait(D1_MS))
  sqlite.exec(SEED)
  const db = openDatabase(d1, createMeter())
  let isLost = false

  // KV has the newest value, and the value that each location has read.
  const stored = new Map<string, KvValue>()
  const writtenAt = new Map<string, number>()
  const readIn = Array.from(
    { length: locations },
    () => new Map<string, { value: KvValue | null; at: number }>(),
  )
  const objectKv = {
    async put(key: string, value: string | Uint8Array, options?: { metadata?: unknown }) {
      calls.kvWrites += 1
      if (time.now() - (writtenAt.get(key) ?? -Infinity) < KV_WRITE_INTERVAL_MS) throw new Error('429')
      writtenAt.set(key, time.now())
      await time.wait(KV_FAR_MS)
      const text = typeof value === 'string' ? new TextEncoder().encode(value) : value
      stored.set(key, { text, metadata: options?.metadata ?? null })
    },
  } as unknown as KVNamespace
  const kvOf = (location: number) =>
    ({
      async getWithMetadata(key: string) {
        calls.kvReads += 1
        let known = readIn[location]!.get(key)
        const isKnown = known !== undefined && time.now() - known.at < KV_CACHE_MS
        await time.wait(isKnown ? KV_NEAR_MS : KV_FAR_MS)
        if (!isKnown) {
          known = { value: stored.get(key) ?? null, at: time.now() }
          readIn[location]!.set(key, known)
        }
        const { value } = known!
        return {
          value: value && new Response(value.text as BodyInit).body,
          metadata: value?.metadata ?? null,
        }
      },
    }) as unknown as KVNamespace

  const storage = new Map<string, unknown>()
  const publisher = new Publisher(
    {
      get: async (key: string) => storage.get(key),
      put: async (key: string, value: unknown) => void storage.set(key, value),
    } as unknown as DurableObjectStorage,
    objectKv,
    { cache: new LruCache(1e9) },
  )
  const publishing = createSerialQueue(1_000)

  async function call<T>(location: number, work: () => Promise<T>): Promise<T> {
    calls.object += 1
    const roundTripMs = NEAREST_MS + ((FARTHEST_MS - NEAREST_MS) * location) / Math.max(1, locations - 1)
    await time.wait(roundTripMs / 2)
    if (isLost) throw new Error('the object is lost')
    const result = await work()
    await time.wait(roundTripMs / 2)
    return result
  }

  const objectFor = (location: number): SnapshotPublisher => ({
    publish: (projectId, now) =>
      call(location, () => publishing.runShared(() => publisher.publish(db, projectId, now.getTime()))),
    document: (projectId, generation, now) =>
      call(location, () =>
        publishing.run(() => publisher.document(db, projectId, generation, now.getTime())),
      ),
  })

  function isolateIn(location: number, cache: Pick<Cache, 'match' | 'put'>): Isolate {
    const memory = createRequestMemory()
    const snapshotCache = createSnapshotCache()
    const request = (): Snapshots => {
      const lease = memory.open()
      return createSnapshots({
        cache: snapshotCache,
        kv: kvOf(location),
        projects: objectFor(location),
        publisher: objectFor(location),
        marker: createLocationMarker(cache, 'https://flags.test'),
        freshnessMs,
        clock: { now: () => new Date(time.now()) },
        memory: lease,
        afterResponse: (work) =>
          void work()
            .catch(() => undefined)
            .finally(() => lease.release()),
        onStale: () => {},
      })
    }
    return {
      async serve() {
        try {
          return (await request().load(PROJECT))?.snapshot.generation ?? null
        } catch {
          calls.failedRequests += 1
          return null
        }
      },
      async write() {
        const mark = (await call(location, async (): Promise<Mark | null> => {
          await time.wait(2 * D1_MS)
          sqlite.exec(`UPDATE projects SET flags_generation = flags_generation + 1 WHERE id = ${PROJECT}`)
          const { generation } = sqlite
            .prepare('SELECT flags_generation AS generation FROM projects')
            .get() as {
            generation: number
          }
          return publishing.run(() => publisher.advance(db, PROJECT, generation, new Map(), time.now()))
        }))!
        await request().leaveMark(PROJECT, mark)
        return { generation: mark.generation, at: time.now() }
      },
    }
  }

  const isolates = [...Array(locations).keys()].flatMap((location) => {
    let mark: Mark | null = null
    // A read does not see what was put in this millisecond, because the Cache API is not consistent.
    const cache = {
      async match() {
        await time.wait(CACHE_MS)
        const known = mark
        return known ? ({ json: async () => known } as unknown as Response) : undefined
      },
      async put(_: unknown, response: Response) {
        const put = (await response.json()) as Mark
        await time.wait(CACHE_MS + random())
        mark = put
      },
    } as unknown as Pick<Cache, 'match' | 'put'>
    return Array.from({ length: isolatesPerLocation }, () => isolateIn(location, cache))
  })

  return { isolates, calls, setLost: (lost) => void (isLost = lost) }
}

const FLAGS = 50

const SEED = `
  PRAGMA foreign_keys = off;
  INSERT INTO projects (id, uuid, organization_id, name, api_token, created_at, flags_generation)
    VALUES (${PROJECT}, 'u', 'o', 'Website', 'phc_x', '2026-01-01T00:00:00.000000Z', 1);
  INSERT INTO feature_flags (project_id, key, filters, search_text, created_at, updated_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${FLAGS})
    SELECT ${PROJECT}, 'flag-' || i, '{"groups":[{"properties":[],"rollout_percentage":50}]}', '',
      '2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:00.000000Z' FROM n;`
