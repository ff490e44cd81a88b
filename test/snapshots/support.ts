// Readers of snapshots as isolates are: each with a memory of its own, with every look at KV and D1 counted.
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
  /** Keys that were looked up in KV. */
  looked: string[]
  /** Waits for the work behind the responses. */
  settle(): Promise<void>
}

/** Of a location through which nothing was written. */
const ELSEWHERE: LocationMarker = { read: async () => null, write: async () => undefined }

/** A reader that shares nothing with others but KV, the objects and the clock; and a location, with whoever has the same marker. */
export function reader(
  { clock }: Pick<Tenant, 'clock'>,
  {
    kv = env.SNAPSHOTS,
    projects,
    maxBytes,
    cache = createSnapshotCache(maxBytes),
    memory = createRequestMemory().open(),
    marker = ELSEWHERE,
    publishDeadlineMs,
  }: {
    kv?: Pick<KVNamespace, 'get'>
    projects?: Partial<ProjectObjects>
    maxBytes?: number
    /** Of an isolate that several requests share. */
    cache?: SnapshotCache
    memory?: MemoryLease
    marker?: LocationMarker
    publishDeadlineMs?: number
  } = {},
): Reader {
  const meter = createMeter()
  const looked: string[] = []
  const counting = {
    get(key: string, options: KVNamespaceGetOptions<'text'>) {
      looked.push(key)
      return kv.get(key, options)
    },
  } as unknown as KVNamespace
  const staleAges: number[] = []
  let behind: Promise<unknown>[] = []
  const objects = { ...createProjectObjects(env.PROJECTS, meter), ...projects }
  const snapshots = createSnapshots({
    cache,
    kv: counting,
    projects: objects,
    publisher: objects,
    marker,
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
    looked,
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
