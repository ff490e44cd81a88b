// Reads flag definitions at the edge: from the memory of the isolate, else from the project object, else from KV. The reader never queries
// D1.
//
// A write that came through this location is visible to the next read here: the location's mark names its generation, and every read
// compares the mark, unless the isolate did so a moment ago. Elsewhere, when the mark is older than the deployment's FRESHNESS_SECONDS, one
// request of the location asks the object after its response.
//
// A snapshot that D1 confirmed longer ago than FRESHNESS_SECONDS and ALLOWANCE_MS together is served only if nothing newer can be loaded
// within LOAD_DEADLINE_MS, because D1, KV or the project object fails: the response is then marked as stale. An isolate without a snapshot
// takes KV's last document.
import { settleWithin, within } from '../deadline'
import type { LoadedSnapshot } from './compiled-snapshot'
import type { Mark, SnapshotPublisher } from './document'
import { createDocumentLoader, type DocumentSources } from './load-document'
import type { LocationMarker } from './location-marker'
import type { CachedSnapshot } from './snapshot-cache'

/**
 * The least time between two comparisons with a project's mark in an isolate. A write waits as long before its response, so that no read
 * after it is older.
 */
export const COMPARE_INTERVAL_MS = 10
/** While one request looks for a newer generation, others of the location do not. */
const LOOK_MS = 2_000
/**
 * Time that is added to the freshness of a deployment; past both, a snapshot is stale. With the default freshness of 5 s, the call still
 * ends within 60 s.
 */
const ALLOWANCE_MS = 40_000
/** Requests share a load that began at most this long ago. */
const SHARED_LOAD_MS = 1_000
/** How long all sources together may take before a stale snapshot is served. */
const LOAD_DEADLINE_MS = 600
/** The same deadline when the location knows of a newer generation, which the caller may have written. */
const KNOWN_DEADLINE_MS = 1_500
/** How much longer a request without any snapshot waits. */
const FIRST_LOAD_DEADLINE_MS = 1_000
/** How long sources may continue after the response. */
const BACKGROUND_DEADLINE_MS = 10_000
/** How long a stale snapshot is served after sources failed, before another request waits for them. */
const RETRY_MS = 5_000
/** How long a write waits until its change is published. Past that, publishing continues after the response. */
const PUBLISH_DEADLINE_MS = 5_000

export interface Snapshots {
  /**
   * Returns the flags of a project, which are at most FRESHNESS_SECONDS and ALLOWANCE_MS old. Older ones, which are reported to `onStale`,
   * are returned when every newer source fails. Returns null when there is no such project.
   * @throws the error of the sources when no snapshot is cached
   */
  load(projectId: number): Promise<LoadedSnapshot | null>
  /**
   * Publishes a change that was just committed: when this resolves, the next `load` in this location sees it. It never throws, because the
   * change is committed: a failure is logged, and the next reader finds the change.
   */
  publish(projectId: number): Promise<void>
  /** Does the same for a change that the project object has published with the write, unless the mark is null. */
  leaveMark(projectId: number, mark: Mark | null): Promise<void>
}

interface Sources extends DocumentSources {
  /** The publisher of changes: it calls the same objects, but their cost counts for the write. */
  publisher: SnapshotPublisher
  marker: LocationMarker
  /** The age past which a location looks for a newer generation, in milliseconds. */
  freshnessMs: number
  publishDeadlineMs?: number
  afterResponse(work: () => Promise<unknown>): void
  /** Receives the age of a stale snapshot that is served, in milliseconds. */
  onStale(ageMs: number): void
}

export function createSnapshots({
  publisher,
  marker,
  freshnessMs,
  publishDeadlineMs = PUBLISH_DEADLINE_MS,
  afterResponse,
  onStale,
  ...sources
}: Sources): Snapshots {
  const { cache, clock, projects } = sources
  const documents = createDocumentLoader(sources)
  const boundMs = freshnessMs + ALLOWANCE_MS

  /** Returns the mark of the location, or this isolate's when it is newer. */
  async function newestMark(projectId: number): Promise<Mark | null> {
    const known = await marker.read(projectId)
    const own = cache.marks.peek(projectId)
    return own && own.generation > (known?.generation ?? -1) ? own : known
  }

  /**
   * Loads the document of a mark; requests share the load.
   * @param mark null for the current one
   */
  async function loadMark(projectId: number, mark: Mark | null, now: number): Promise<CachedSnapshot | null> {
    const start = () => documents.fromObject(projectId, mark)
    const loaded = await cache.loads.read(projectId, now - SHARED_LOAD_MS, now, start)
    const isCurrent =
      !loaded || (mark ? loaded.snapshot.generation >= mark.generation : !isStale(loaded, now))
    if (isCurrent) return loaded
    // The shared load began before the mark was known. The requests that waited for it share the next one.
    const later = clock.now().getTime()
    return cache.loads.read(projectId, later, later, start)
  }

  const isStale = ({ checkedAt }: { checkedAt: number }, now: number) => now - checkedAt > boundMs

  /** Returns what `loadMark` returns, or the last known snapshot when the sources fail. */
  async function loadOrLast(
    projectId: number,
    mark: Mark | null,
    now: number,
  ): Promise<LoadedSnapshot | null> {
    const loading = loadMark(projectId, mark, now)
    afterResponse(() => within(loading, BACKGROUND_DEADLINE_MS))
    try {
      return await within(loading, mark ? KNOWN_DEADLINE_MS : LOAD_DEADLINE_MS)
    } catch {
      const last =
        cache.snapshots.peek(projectId) ?? (await settleWithin(documents.fromKv(projectId), LOAD_DEADLINE_MS))
      // A slow source is better than none.
      if (!last) return within(loading, mark ? 0 : FIRST_LOAD_DEADLINE_MS)
      const failedAt = clock.now().getTime()
      last.servedUntil = failedAt + RETRY_MS
      last.failedGeneration = mark?.generation ?? last.snapshot.generation
      return served(last, failedAt)
    }
  }

  /** Returns the entry, and reports a stale one to `onStale`. */
  function served(entry: CachedSnapshot, now: number): CachedSnapshot {
    if (isStale(entry, now)) onStale(now - entry.checkedAt)
    return entry
  }

  /** Has the object publish what D1 has, and leaves the mark in the location. One request does this for the whole location. */
  async function look(projectId: number, now: number): Promise<void> {
    if (!(await marker.claimLook(projectId, now, now + LOOK_MS))) return
    const mark = await projects.publish(projectId, clock.now())
    if (!mark) return
    await marker.write(projectId, mark)
    await loadMark(projectId, mark, clock.now().getTime())
  }

  /** Leaves the mark in the location, and waits until each isolate has to compare it again. */
  function leaveInLocation(projectId: number, published: Promise<Mark | null>): Promise<unknown> {
    const work = published.then(async (mark) => {
      if (!mark) return
      const known = cache.marks.peek(projectId)
      if (!known || known.generation < mark.generation) cache.marks.set(projectId, mark, 1)
      const entry = cache.snapshots.peek(projectId)
      if (entry) entry.comparedAt = -Infinity
      await marker.write(projectId, mark)
      await scheduler.wait(COMPARE_INTERVAL_MS)
    })
    afterResponse(() => work)
    return settleWithin(work, publishDeadlineMs)
  }

  return {
    async load(projectId) {
      const now = clock.now().getTime()
      const entry = cache.snapshots.get(projectId)
      if (entry && now - entry.comparedAt < COMPARE_INTERVAL_MS && !isStale(entry, now)) return entry
      const mark = await newestMark(projectId)
      const current = mark && !isStale(mark, now) ? mark : null
      if (!entry) return loadOrLast(projectId, current, now)
      if (current?.generation === entry.snapshot.generation)
        entry.checkedAt = Math.max(entry.checkedAt, current.checkedAt)
      // The wait is for the generation that failed: a later write is loaded at once.
      if (now < entry.servedUntil && !(current && current.generation > entry.failedGeneration))
        return served(entry, now)
      if (current && current.generation > entry.snapshot.generation)
        return loadOrLast(projectId, current, now)
      if (isStale(entry, now)) return loadOrLast(projectId, null, now)
      entry.comparedAt = now
      if (now - entry.checkedAt > freshnessMs && now >= entry.lookingUntil) {
        entry.lookingUntil = now + LOOK_MS
        afterResponse(() => within(look(projectId, now), BACKGROUND_DEADLINE_MS))
      }
      return entry
    },
    publish: async (projectId) =>
      void (await leaveInLocation(projectId, publisher.publish(projectId, clock.now()))),
    // All streams of an isolate learn of a change at once: one of them leaves the mark, for this generation or a later one.
    async leaveMark(projectId, mark) {
      if (!mark) return
      const { generation } = mark
      const leave = async () => void (await leaveInLocation(projectId, Promise.resolve(mark)))
      await cache.markWrites.read(marker.keyOf(projectId), generation, generation, leave)
    },
  }
}
