// Readers of snapshots as isolates are: each with a memory of its own. Their reads of KV and D1 are counted.
import { env } from 'cloudflare:workers'
import { eq, sql } from 'drizzle-orm'
import { featureFlags } from '../../drizzle'
import { createRequestMemory, type MemoryLease } from '../../src/http/limits/request-memory'
import type { LocationMarker } from '../../src/snapshots/location-marker'
import type { ProjectObjects } from '../../src/deps'
import { createProjectObjects } from '../../src/project/project-client'
import { bumpGeneration } from '../../src/storage/flags-generation'
import { createSnapshots, type Snapshots } from '../../src/snapshots/reader'
import { createSnapshotCache, type SnapshotCache } from '../../src/snapshots/snapshot-cache'
import { createMeter, type Meter } from '../../src/storage/metered-d1'
import { database, type Tenant } from '../support/tenant'

export interface Reader extends Snapshots {
  cache: SnapshotCache
  /** D1, as the project objects saw it on behalf of this reader. */
  meter: Meter
  /** Ages of the stale snapshots that were served, in milliseconds. */
  staleAges: number[]
  /** Calls of the project object, and reads of KV, by name. */
  calls: string[]
  /** Waits for the work behind the responses. */
  settle(): Promise<void>
}

/** Of a location through which nothing was written. */
const ELSEWHERE: LocationMarker = {
  keyOf: String,
  read: async () => null,
  write: async () => undefined,
  claimLook: async () => true,
}

/** A reader that shares nothing with others but KV, the objects and the clock; and a location, with whoever has the same marker. */
export function reader(
  { clock }: Pick<Tenant, 'clock'>,
  {
    kv = env.SNAPSHOTS,
    projects,
    freshnessMs = 5_000,
    maxBytes,
    cache = createSnapshotCache(maxBytes),
    memory = createRequestMemory().open(),
    marker = ELSEWHERE,
    publishDeadlineMs,
  }: {
    kv?: Pick<KVNamespace, 'getWithMetadata'>
    projects?: Partial<ProjectObjects>
    freshnessMs?: number
    maxBytes?: number
    /** Of an isolate that several requests share. */
    cache?: SnapshotCache
    memory?: MemoryLease
    marker?: LocationMarker
    publishDeadlineMs?: number
  } = {},
): Reader {
  const meter = createMeter()
  const calls: string[] = []
  const counting = {
    getWithMetadata(key: string, type: 'stream') {
      calls.push('KV')
      return kv.getWithMetadata(key, type)
    },
  } as unknown as KVNamespace
  const staleAges: number[] = []
  let behind: Promise<unknown>[] = []
  const real = { ...createProjectObjects(env.PROJECTS, meter), ...projects }
  const objects: ProjectObjects = {
    ...real,
    publish(...of) {
      calls.push('publish')
      return real.publish(...of)
    },
    document(...of) {
      calls.push('document')
      return real.document(...of)
    },
  }
  const snapshots = createSnapshots({
    cache,
    kv: counting,
    projects: objects,
    publisher: objects,
    marker,
    freshnessMs,
    publishDeadlineMs,
    clock,
    memory,
    afterResponse: (work) => void behind.push(work().catch(() => undefined)),
    onStale: (age) => void staleAges.push(age),
  })
  return {
    ...snapshots,
    cache,
    meter,
    staleAges,
    calls,
    async settle() {
      await Promise.all(behind)
      behind = []
    },
  }
}

/** Changes what evaluation sees, and tells nobody: as a write does whose publishing fails. */
export async function writeSilently({ projectId }: Pick<Tenant, 'projectId'>, name: string): Promise<void> {
  const db = database()
  await db.batch([
    db
      .update(featureFlags)
      .set({ name, version: sql`version + 1` })
      .where(eq(featureFlags.projectId, projectId)),
    bumpGeneration(db, projectId),
  ])
}
