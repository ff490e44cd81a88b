// Reading flag definitions at the edge: from the memory of the isolate, else from KV, else from the project object.
// The reader does not query D1; a stale snapshot makes it call the project object, which does.
//
// A write that came through this location is visible to the next read here: the location's marker names its generation, and every read looks
// at it, unless the isolate did so a moment ago. That costs one look at the location's cache, and neither D1, KV nor the object.
//
// Maximum staleness: BOUND_MS after D1 last confirmed the snapshot, even if KV or publishing fails. An older one is
// served only if nothing newer can be loaded within LOAD_DEADLINE_MS, because D1, KV or the project object fails: the response is then marked
// as stale. An isolate without one takes KV's last document.
import { settleWithin, within } from '../deadline'
import type { LoadedSnapshot } from './compiled-snapshot'
import { createSnapshotLoader, type LoaderSources } from './loader'
import { type LocationMarker, markerIntervalMs, type Marked } from './location-marker'
import type { Published, SnapshotPublisher } from './manifest'
import { type CachedSnapshot, confirmCached } from './snapshot-cache'

/** Served without a refresh. */
const FRESH_MS = 5_000
/** While one request looks for news in the background, others do not. */
const CLAIM_MS = 2_000
/** Past this age KV's pointer is too old to confirm a snapshot: the project object looks at D1. */
const RECHECK_MS = 20_000
/** Past this age a snapshot is stale. Leaves room for the call under the promised 60 s. */
const BOUND_MS = 45_000
/** How long a request waits for another's read of the marker. */
const SHARED_READ_DEADLINE_MS = 50
/** How long all sources together may take before a stale snapshot is served. */
const LOAD_DEADLINE_MS = 600
/** How much longer a request waits that would get nothing otherwise. */
const FIRST_LOAD_DEADLINE_MS = 1_000
/** How long sources may continue after the response. */
const BACKGROUND_DEADLINE_MS = 10_000
/** After sources failed, a stale snapshot is served for so long before another request waits for them. */
const RETRY_MS = 5_000
/** How long a write waits until its change is published; past that, publishing continues after the response. */
const PUBLISH_DEADLINE_MS = 5_000

declare module '../deps' {
  interface ProjectObjects extends SnapshotPublisher {}
  interface Deps {
    /** Flag definitions as readers at the edge see them. */
    snapshots: Snapshots
  }
}

export interface Snapshots {
  /**
   * The flags of a project, at most 60 s old; older ones, reported to `onStale`, when every newer source fails. Null when there is no
   * such project.
   * @throws the error of the sources when no snapshot is cached.
   */
  load(projectId: number): Promise<LoadedSnapshot | null>
  /**
   * Publishes a change that was just committed: when this resolves, the next `load` in this location sees it. Never throws, because the
   * change is committed: a failure is logged, and readers find the change by themselves within a minute.
   */
  publish(projectId: number): Promise<void>
  /** The same for a change that the project object has published with the write. */
  adopt(projectId: number, published: Published): Promise<void>
}

interface Sources extends Omit<LoaderSources, 'onFailure'> {
  /** Publishes: the same objects, whose cost counts for the write. */
  publisher: SnapshotPublisher
  marker: LocationMarker
  publishDeadlineMs?: number
  afterResponse(work: () => Promise<unknown>): void
  /** Receives the age of a stale snapshot that is served, in milliseconds. */
  onStale(ageMs: number): void
}

const ageOf = (checkedAt: number, now: number) => Math.max(0, now - checkedAt)

export function createSnapshots({
  publisher,
  marker,
  publishDeadlineMs = PUBLISH_DEADLINE_MS,
  afterResponse,
  onStale,
  ...sources
}: Sources): Snapshots {
  const { cache, clock } = sources
  const loader = createSnapshotLoader({
    ...sources,
    onFailure: (error) => afterResponse(() => Promise.reject(error)),
  })

  const refresh = (projectId: number) => loader.load(projectId, loader.pointerFromKv(projectId), RECHECK_MS)

  /** The pending load, or the last known snapshot when the sources fail. */
  async function orLast(
    projectId: number,
    loading: Promise<LoadedSnapshot | null>,
  ): Promise<LoadedSnapshot | null> {
    afterResponse(() => within(loading, BACKGROUND_DEADLINE_MS))
    try {
      return await within(loading, LOAD_DEADLINE_MS)
    } catch {
      const last =
        cache.peek(projectId) ?? (await loader.fromPointer(await loader.pointerFromKv(projectId), 0))
      // Slow sources are better than none.
      if (!last) return within(loading, FIRST_LOAD_DEADLINE_MS)
      const now = clock.now().getTime()
      last.servedUntil = now + RETRY_MS
      return served(last, now)
    }
  }

  /** Returns the entry. Reports a stale one to `onStale`. */
  function served(entry: CachedSnapshot, now: number): CachedSnapshot {
    const age = ageOf(entry.checkedAt, now)
    if (age > BOUND_MS) onStale(age)
    return entry
  }

  /** Marks the published generation for the other isolates of this location, and loads it here. */
  function spread(projectId: number, published: () => Promise<Published | null>): Promise<unknown> {
    const current = published()
    const work = Promise.all([
      // The cache stores the mark while this isolate compiles.
      current.then((marked) => marked && marker.write(projectId, marked)),
      current.then((taken) => loader.fromProject(projectId, taken)),
    ])
    afterResponse(() => work)
    return settleWithin(work, publishDeadlineMs)
  }

  /**
   * Reads the marker, or shares a read that began less than the interval ago: a write waits that long. The read of a request whose
   * client goes away may never end, so that this one then reads for itself.
   */
  async function readMarker(
    projectId: number,
    entry: CachedSnapshot | undefined,
    now: number,
  ): Promise<{ marked: Marked | null; startedAt: number }> {
    const shared = entry?.comparison
    if (shared && ageOf(shared.startedAt, now) < markerIntervalMs(entry.compared, now)) {
      const { startedAt } = shared
      const read = shared.marked.then((marked) => ({ marked, startedAt }))
      const settled = await settleWithin(read, SHARED_READ_DEADLINE_MS)
      if (settled) return settled
    }
    const marked = marker.read(projectId)
    if (entry) entry.comparison = { marked, startedAt: now }
    return { marked: await marked, startedAt: now }
  }

  return {
    async load(projectId) {
      const entry = cache.get(projectId)
      const now = clock.now().getTime()
      const age = entry ? ageOf(entry.checkedAt, now) : Infinity
      if (!entry || ageOf(entry.comparedAt, now) >= markerIntervalMs(entry.compared, now)) {
        const { marked, startedAt } = await readMarker(projectId, entry, now)
        if (marked && marked.pointer.generation > (entry?.snapshot.generation ?? -1)) {
          loader.derive(marked.pointer, marked.changes)
          return orLast(projectId, loader.load(projectId, Promise.resolve(marked.pointer), BOUND_MS))
        }
        if (entry) {
          entry.comparedAt = Math.max(entry.comparedAt, startedAt)
          entry.compared = marked?.pointer ?? entry.compared
        }
      }
      if (entry && age > BOUND_MS && now < entry.servedUntil) return served(entry, now)
      if (!entry || age > BOUND_MS) return orLast(projectId, refresh(projectId))
      if (age > FRESH_MS && now >= entry.claimedUntil) {
        entry.claimedUntil = now + CLAIM_MS
        afterResponse(() => within(refresh(projectId), BACKGROUND_DEADLINE_MS))
      }
      return entry
    },
    publish: async (projectId) =>
      void (await spread(projectId, () => publisher.publish(projectId, clock.now()))),
    async adopt(projectId, published) {
      // An isolate that has not evaluated the project's flags leaves them to the first request that does. Where one of its streams has taken
      // the change, the others do not derive it again: there may be a thousand.
      if (cache.peek(projectId) && !confirmCached(cache, published.pointer))
        await spread(projectId, async () => published)
      else await marker.write(projectId, published)
    },
  }
}
