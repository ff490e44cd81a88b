// What an isolate stores of snapshots between requests.
import { settleWithin } from '../deadline'
import { LruCache } from '../lru-cache'
import type { LoadedSnapshot } from './compiled-snapshot'
import type { Mark } from './document'

/**
 * The heap that an isolate uses for cached snapshots, by an estimate a fifth above measurements. It suffices for any one project,
 * because a write checks MAX_DEFINITION_BYTES by the same estimate. With the other caches (16 MiB), requests (40 MiB) and some 15 MB of code,
 * it fits into 128 MB.
 */
export const MAX_SNAPSHOT_CACHE_BYTES = 48 * 1024 * 1024

/** The most projects whose newest mark is stored. */
const MAX_MARKS = 10_000

/** A snapshot, and when it was confirmed. All times are epoch milliseconds. */
export interface CachedSnapshot extends LoadedSnapshot {
  readonly heap: number
  /** When D1 last confirmed that the snapshot is current. */
  checkedAt: number
  /** When this isolate last compared it with the mark of its location. */
  comparedAt: number
  /** Until when another request asks the object for a newer one. */
  lookingUntil: number
  /** Until when the snapshot is served at once, because sources failed to give `failedGeneration`. */
  servedUntil: number
  failedGeneration: number
}

export interface SnapshotCache {
  /** The snapshots by project. */
  readonly snapshots: LruCache<number, CachedSnapshot>
  /** The newest generation of each project that a request of this isolate has published. */
  readonly marks: LruCache<number, Mark>
  /** Loads of documents that have begun. */
  readonly loads: SharedReads<CachedSnapshot | null>
  /** Marks that are being left in locations, by the key of a location's mark. The generation serves as the clock. */
  readonly markWrites: SharedReads<void, string>
}

/** How long one of a thousand streams that learn of a change waits until another has left the mark. */
const MARK_WRITE_DEADLINE_MS = 1_000

export const createSnapshotCache = (maxBytes = MAX_SNAPSHOT_CACHE_BYTES): SnapshotCache => ({
  snapshots: new LruCache(maxBytes),
  marks: new LruCache(MAX_MARKS),
  loads: createSharedReads(),
  markWrites: createSharedReads(MARK_WRITE_DEADLINE_MS),
})

/** Returns the cached snapshot of a project if it is as new as the mark, which then confirms it. */
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

/**
 * Reads that requests of an isolate share. The platform may cancel a read with the request that began it: others wait for it up to a
 * deadline, and then read for themselves.
 */
interface SharedReads<Result, Key = number> {
  /**
   * Returns the result of a read that began at `since` or later, or of `start`.
   * @param now and `since`: by the same clock
   */
  read(key: Key, since: number, now: number, start: () => Promise<Result>): Promise<Result>
}

/** @param deadlineMs how long a request waits for the read of another */
function createSharedReads<Result, Key = number>(deadlineMs = 250): SharedReads<Result, Key> {
  const pending = new Map<Key, { startedAt: number; result: Promise<{ value: Result }> }>()
  return {
    async read(key, since, now, start) {
      const shared = pending.get(key)
      const settled = shared && shared.startedAt >= since && (await settleWithin(shared.result, deadlineMs))
      if (settled) return settled.value
      const result = start().then((value) => ({ value }))
      const read = { startedAt: now, result }
      pending.set(key, read)
      const forget = () => void (pending.get(key) === read && pending.delete(key))
      result.then(forget, forget)
      return (await result).value
    },
  }
}
