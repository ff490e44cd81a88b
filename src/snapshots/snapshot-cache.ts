// What an isolate knows of snapshots between requests.
import { LruCache } from '../lru-cache'
import type { LoadedSnapshot } from './compiled-snapshot'
import type { Mark } from './document'
import { createSharedReads, type SharedReads } from './shared-reads'

/**
 * Heap that an isolate uses for cached snapshots, by an estimate a fifth above measurements: enough for one project with 8 MiB of
 * usual definitions. A larger one is read and compiled for each request. Beside other caches (16 MiB), requests (40 MiB) and some
 * 15 MB of code, that fits into 128 MB.
 */
export const MAX_SNAPSHOT_CACHE_BYTES = 48 * 1024 * 1024

/** Projects whose newest mark is remembered. */
const MAX_MARKS = 10_000

/** A snapshot, and when it was confirmed. All times are epoch milliseconds. */
export interface CachedSnapshot extends LoadedSnapshot {
  readonly heap: number
  /** When D1 last confirmed that it is current. */
  checkedAt: number
  /** When this isolate last looked for a newer one in its location. */
  comparedAt: number
  /** Until when another request looks for a newer one at the object. */
  lookingUntil: number
  /** Until when a stale snapshot is served at once, because sources failed. */
  servedUntil: number
}

export interface SnapshotCache {
  /** By project. */
  readonly snapshots: LruCache<number, CachedSnapshot>
  /** The newest generation of each project that a request of this isolate has published. */
  readonly marks: LruCache<number, Mark>
  /** Loads of documents that have begun. */
  readonly loads: SharedReads<CachedSnapshot | null>
  /** Marks that are being left in locations, by the key of a location's mark; generations are the clock. */
  readonly markWrites: SharedReads<void, string>
}

/** How long one of a thousand streams that learn of a change waits for another to make the location current. */
const MARK_WRITE_DEADLINE_MS = 1_000

export const createSnapshotCache = (maxBytes = MAX_SNAPSHOT_CACHE_BYTES): SnapshotCache => ({
  snapshots: new LruCache(maxBytes),
  marks: new LruCache(MAX_MARKS),
  loads: createSharedReads(),
  markWrites: createSharedReads(MARK_WRITE_DEADLINE_MS),
})

/** The cached snapshot of a project, if it is as new as the mark: then the mark confirms it. */
export function confirmCached(
  { snapshots }: SnapshotCache,
  projectId: number,
  { generation, checkedAt }: Mark,
): CachedSnapshot | null {
  const known = snapshots.peek(projectId)
  // Generations only grow: a slow response never replaces a newer one.
  if (known?.snapshot.generation === generation) {
    known.checkedAt = Math.max(known.checkedAt, checkedAt)
    known.servedUntil = 0
  }
  return known && known.snapshot.generation >= generation ? known : null
}
