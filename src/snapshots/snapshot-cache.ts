// The snapshots that an isolate keeps between requests.
import { LruCache } from '../lru-cache'
import type { LoadedSnapshot } from './compiled-snapshot'
import type { Marked } from './location-marker'
import type { PartContent, Pointer } from './manifest'

/**
 * Heap that an isolate uses for cached snapshots, by an estimate a fifth above measurements: enough for one project with 8 MiB of
 * usual definitions. A larger one is read from KV and compiled for each request. Beside other caches (16 MiB), requests (40 MiB) and some
 * 15 MB of code, that fits into 128 MB.
 */
export const MAX_SNAPSHOT_CACHE_BYTES = 48 * 1024 * 1024

/** A snapshot, and when it was confirmed. All times are epoch milliseconds. */
export interface CachedSnapshot extends LoadedSnapshot {
  /** By hash. */
  parts: ReadonlyMap<string, PartContent>
  /** When D1 last confirmed that it is current. */
  checkedAt: number
  /** Until when another request is refreshing it. */
  claimedUntil: number
  /** When the location's marker was last found to name nothing newer, and the marker. */
  comparedAt: number
  compared: Marked['pointer'] | null
  /** The last read of the marker, which other requests share, and when it began. */
  comparison: { marked: Promise<Marked | null>; startedAt: number } | null
  /** Until when a stale snapshot is served at once, because sources failed. */
  servedUntil: number
}

/** By project. */
export type SnapshotCache = LruCache<number, CachedSnapshot>

export const createSnapshotCache = (maxBytes = MAX_SNAPSHOT_CACHE_BYTES): SnapshotCache =>
  new LruCache(maxBytes)

/** The cached snapshot of a pointer's project, if it is as new as the pointer: then the pointer confirms it. */
export function confirmCached(
  cache: SnapshotCache,
  { project_id: projectId, generation, checked_at: checkedAt }: Pointer,
): CachedSnapshot | null {
  const known = cache.peek(projectId)
  // Generations only grow: a slow response never replaces a newer one.
  if (known?.snapshot.generation === generation) known.checkedAt = Math.max(known.checkedAt, checkedAt)
  return known && known.snapshot.generation >= generation ? known : null
}
