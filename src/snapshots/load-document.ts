// Loads the document of a project into memory, from the project object or from KV.
import type { Clock } from '../clock'
import { within } from '../deadline'
import { enginesReady } from '../evaluation/regex/load-engines'
import type { MemoryLease } from '../http/limits/request-memory'
import { compileSnapshot } from './compiled-snapshot'
import { documentInKv, type Mark, parseDocument, type SnapshotPublisher } from './document'
import { type CachedSnapshot, confirmCached, type SnapshotCache } from './snapshot-cache'

/** How long KV may take. */
const KV_DEADLINE_MS = 250
/** How long a load waits for memory that other requests hold, and how often it checks. */
const MEMORY_DEADLINE_MS = 1_000
const MEMORY_INTERVAL_MS = 20

export interface DocumentSources {
  cache: SnapshotCache
  kv: KVNamespace
  projects: SnapshotPublisher
  clock: Clock
  /** Counts the memory of snapshots that are loaded. */
  memory: MemoryLease
}

export interface DocumentLoader {
  /**
   * Returns the snapshot of a mark, or a newer one. Returns null when there is no such project.
   * @param mark null for the current one, which the object reads from D1
   * @throws 503 when the object fails, or there is no memory
   */
  fromObject(projectId: number, mark: Mark | null): Promise<CachedSnapshot | null>
  /**
   * Returns the last document in KV, or null when there is none.
   * @throws when KV fails or takes too long
   */
  fromKv(projectId: number): Promise<CachedSnapshot | null>
}

/** Returns a loader for one request, whose memory it counts. */
export function createDocumentLoader({
  cache,
  kv,
  projects,
  clock,
  memory,
}: DocumentSources): DocumentLoader {
  let reserved = 0

  /**
   * Reserves the heap of a snapshot before it is read, because requests that load one at the same time must not fill the isolate. While
   * others hold too much, it waits for them.
   * @returns the snapshot, if another request has loaded it
   * @throws 503 when there is still no memory after MEMORY_DEADLINE_MS
   */
  async function reserveMemory(projectId: number, mark: Mark): Promise<CachedSnapshot | null> {
    let more = Math.max(0, mark.heap - reserved)
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
      const loaded = confirmCached(cache, projectId, mark)
      if (loaded) return loaded
    }
  }

  /**
   * Compiles a document and caches it, unless a newer one is cached. A project may be larger than writes allow if it was stored before
   * they counted this estimate: it is cached alone.
   */
  async function cacheDocument(projectId: number, mark: Mark, bytes: Uint8Array): Promise<CachedSnapshot> {
    const newer = confirmCached(cache, projectId, mark)
    if (newer) return newer
    const entry: CachedSnapshot = {
      ...compileSnapshot(parseDocument(bytes), cache.snapshots.peek(projectId)),
      heap: mark.heap,
      checkedAt: mark.checkedAt,
      comparedAt: -Infinity,
      lookingUntil: 0,
      servedUntil: 0,
      failedGeneration: 0,
    }
    const engines = enginesReady()
    if (engines) {
      await engines
      const newest = confirmCached(cache, projectId, mark)
      if (newest) return newest
    }
    cache.snapshots.set(projectId, entry, Math.min(mark.heap, cache.snapshots.maxWeight))
    return entry
  }

  return {
    async fromObject(projectId, wanted) {
      const mark = wanted ?? (await projects.publish(projectId, clock.now()))
      if (!mark) return null
      const loaded = confirmCached(cache, projectId, mark) ?? (await reserveMemory(projectId, mark))
      if (loaded) return loaded
      const document = await projects.document(projectId, mark.generation, clock.now())
      if (!document) return null
      return (
        (await reserveMemory(projectId, document.mark)) ??
        cacheDocument(projectId, document.mark, document.bytes)
      )
    },
    async fromKv(projectId) {
      const found = await within(documentInKv(kv, projectId), KV_DEADLINE_MS)
      if (!found) return null
      const loaded = await reserveMemory(projectId, found.mark)
      if (loaded) {
        await found.body.cancel()
        return loaded
      }
      return cacheDocument(projectId, found.mark, await new Response(found.body).bytes())
    },
  }
}
