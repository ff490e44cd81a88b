// Loading the snapshot of a project into memory: from KV, else from the project object.
import type { Clock } from '../clock'
import { within } from '../deadline'
import { unavailable } from '../errors'
import { backtrackingReady } from '../evaluation/regex/load-backtracking'
import type { MemoryLease } from '../http/limits/request-memory'
import { compileSnapshot } from './compiled-snapshot'
import {
  FORMAT,
  type PartChange,
  type Pointer,
  pointerKey,
  type Published,
  type SnapshotPublisher,
} from './manifest'
import { createPartReader, KV_DEADLINE_MS, POINTER_TTL_S } from './part-reader'
import { type CachedSnapshot, confirmCached, type SnapshotCache } from './snapshot-cache'

/** How long a load waits for memory that other requests hold, and how often it looks. */
const MEMORY_DEADLINE_MS = 1_000
const MEMORY_INTERVAL_MS = 20

export interface LoaderSources {
  cache: SnapshotCache
  kv: KVNamespace
  projects: SnapshotPublisher
  clock: Clock
  /** Counts snapshots that are loaded. */
  memory: MemoryLease
  /** Receives failures of KV: there is another source. */
  onFailure(error: unknown): void
}

/** One per request: waiting for another request's load would hang when its client disconnects. */
export interface SnapshotLoader {
  /** The pointer in KV; null when there is none, or KV fails or takes too long. */
  pointerFromKv(projectId: number): Promise<Pointer | null>
  /** The snapshot of a pointer; null without one, when it was confirmed before `oldest` (epoch milliseconds), or parts are not in KV. */
  fromPointer(pointer: Pointer | null, oldest: number): Promise<CachedSnapshot | null>
  /** What the project object published; asks it for parts that cannot be read. Null: no such project. */
  fromProject(projectId: number, published: Published | null): Promise<CachedSnapshot | null>
  /** Loads what a pointer names, unless D1 confirmed it longer ago than `maxAgeMs`: then the project object looks. Null: no such project. */
  load(projectId: number, pointer: Promise<Pointer | null>, maxAgeMs: number): Promise<CachedSnapshot | null>
  /** Finds parts that follow from those in memory. */
  derive(pointer: Pointer, changes: readonly PartChange[]): void
}

export function createSnapshotLoader({
  cache,
  kv,
  projects,
  clock,
  memory,
  onFailure,
}: LoaderSources): SnapshotLoader {
  const parts = createPartReader(kv, (projectId) => cache.peek(projectId)?.parts, onFailure)
  let reserved = 0

  /**
   * Counts the heap of a snapshot before it is read: requests that load one at the same time must not fill the isolate. While others hold
   * too much, waits for them.
   * @returns the snapshot, if another request has loaded it.
   * @throws 503 when there is still no memory after MEMORY_DEADLINE_MS.
   */
  async function reserveMemory(pointer: Pointer, heap: number): Promise<CachedSnapshot | null> {
    let more = Math.max(0, heap - reserved)
    reserved += more
    for (let waited = 0; ; waited += MEMORY_INTERVAL_MS) {
      try {
        memory.take(more)
        return null
      } catch (error) {
        if (waited >= MEMORY_DEADLINE_MS) throw error
      }
      // The lease has already recorded the shortfall.
      more = 0
      await scheduler.wait(MEMORY_INTERVAL_MS)
      const loaded = confirmCached(cache, pointer)
      if (loaded) return loaded
    }
  }

  /** The snapshot of a pointer, which is cached unless it is too large. Null when a part is neither in memory nor in KV. */
  async function follow(pointer: Pointer): Promise<CachedSnapshot | null> {
    const known = confirmCached(cache, pointer)
    if (known) return known
    const { checked_at: checkedAt, ...manifest } = pointer
    const heap = pointer.parts.reduce((sum, part) => sum + part.heap, 0)
    const loaded = await reserveMemory(pointer, heap)
    if (loaded) return loaded
    const contents = await parts.read(pointer)
    const newer = confirmCached(cache, pointer)
    if (newer || !contents) return newer
    const entry: CachedSnapshot = {
      ...compileSnapshot(manifest, [...contents.values()], cache.peek(manifest.project_id)),
      parts: contents,
      checkedAt,
      claimedUntil: 0,
      comparedAt: -Infinity,
      compared: null,
      comparison: null,
      servedUntil: 0,
    }
    const engines = backtrackingReady()
    if (engines) {
      await engines
      const newest = confirmCached(cache, pointer)
      if (newest) return newest
    }
    cache.set(manifest.project_id, entry, heap)
    return entry
  }

  function take({ pointer, parts: sent, changes }: Published): Promise<CachedSnapshot | null> {
    parts.add(sent)
    parts.derive(pointer, changes)
    return follow(pointer)
  }

  const publishMissing = (projectId: number, now: Date) => projects.publish(projectId, now, parts.missing())

  async function fromPointer(pointer: Pointer | null, oldest: number): Promise<CachedSnapshot | null> {
    if (pointer?.format !== FORMAT || !(pointer.checked_at >= oldest)) return null
    const entry = await follow(pointer)
    // Memory may hold a newer generation that was confirmed too long ago.
    return entry && entry.checkedAt >= oldest ? entry : null
  }

  async function fromProject(projectId: number, published: Published | null): Promise<CachedSnapshot | null> {
    if (!published) return null
    const entry = await take(published)
    if (entry) return entry
    const complete = await publishMissing(projectId, clock.now())
    if (!complete) return null
    const rebuilt = await take(complete)
    if (!rebuilt) throw unavailable()
    return rebuilt
  }

  return {
    derive: parts.derive,
    fromPointer,
    fromProject,
    pointerFromKv: (projectId) =>
      within(
        kv.get<Pointer>(pointerKey(projectId), { type: 'json', cacheTtl: POINTER_TTL_S }),
        KV_DEADLINE_MS,
      ).catch((error: unknown) => {
        onFailure(error)
        return null
      }),
    async load(projectId, pointer, maxAgeMs) {
      const now = clock.now()
      const entry = await fromPointer(await pointer, now.getTime() - maxAgeMs)
      return entry ?? fromProject(projectId, await publishMissing(projectId, now))
    },
  }
}
