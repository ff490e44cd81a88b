// Reading flag definitions at the edge: from the memory of the isolate, else from KV, else from the project object.
// The reader does not query D1; a stale snapshot makes it call the project object, which does.
//
// A write that came through this location is visible to the next read here: the location's marker names its generation, and every read looks
// at it, unless the isolate did so a moment ago. That costs one look at the location's cache, and neither D1, KV nor the object.
//
// Maximum staleness: BOUND_MS after D1 last confirmed the snapshot, whatever KV or the publishing of a change does meanwhile. An older one is
// served only if nothing newer can be loaded within LOAD_DEADLINE_MS, because D1, KV or the project object fails: the response is then marked
// as stale. An isolate without one takes KV's last document.
import { backtrackingReady } from '../evaluation/regex/load-backtracking'
import type { Clock } from '../clock'
import { settleWithin, within } from '../deadline'
import { unavailable } from '../errors'
import type { MemoryLease } from '../http/request-memory'
import { LruCache } from '../lru-cache'
import { compileSnapshot, type LoadedSnapshot } from './compiled-snapshot'
import {
  FORMAT,
  type Part,
  type PartChange,
  type PartContent,
  partKey,
  type Pointer,
  pointerKey,
  type Published,
  type SnapshotPublisher,
} from './document'
import { type LocationMarker, markerIntervalMs, type Marked } from './location-marker'
import { changedPart, decodePart, parsePart } from './parts'

/** Served without a refresh. */
const FRESH_MS = 5_000
/** While one request looks for news in the background, others do not. */
const CLAIM_MS = 2_000
/** Past this age KV's pointer is too old to confirm a snapshot: the project object looks at D1. */
const RECHECK_MS = 20_000
/** Past this age a snapshot is stale. Leaves room for the call under the promised 60 s. */
const BOUND_MS = 45_000
/** How long KV may take for a pointer, and for each turn of parts; past that, the project object is asked. */
const KV_DEADLINE_MS = 250
/** Values that the platform reads from KV at the same time for one request. */
const KV_CONCURRENCY = 6
/** How long a request waits for another's read of the marker. */
const SHARED_READ_DEADLINE_MS = 50
/** How long all sources together may take before a stale snapshot is served. */
const LOAD_DEADLINE_MS = 600
/** How much longer a request waits that would get nothing otherwise. */
const FIRST_LOAD_DEADLINE_MS = 1_000
/** How long sources may go on after the response. */
const BACKGROUND_DEADLINE_MS = 10_000
/** How long a load waits for memory that other requests hold, and how often it looks. */
const MEMORY_DEADLINE_MS = 1_000
const MEMORY_INTERVAL_MS = 20
/** After sources failed, a stale snapshot is served for so long before another request waits for them. */
const RETRY_MS = 5_000
/** How long a write waits until its change is published; past that, publishing goes on after the response. */
const PUBLISH_DEADLINE_MS = 5_000
/**
 * Heap that an isolate uses for cached snapshots, by an estimate that is a fifth above what was measured: enough for one project with 8 MiB of
 * usual definitions. A larger one is read from KV and compiled for each request. Beside other caches (16 MiB), requests (40 MiB) and some
 * 15 MB of code, that fits into 128 MB.
 */
export const MAX_SNAPSHOT_CACHE_BYTES = 48 * 1024 * 1024
/** Seconds for which KV may answer from a cache near by. */
const POINTER_TTL_S = 60
const PART_TTL_S = 86_400

interface Entry extends LoadedSnapshot {
  parts: ReadonlyMap<string, PartContent>
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

/** The snapshots that an isolate keeps between requests, by project. */
export type SnapshotCache = LruCache<number, Entry>

export const createSnapshotCache = (maxBytes = MAX_SNAPSHOT_CACHE_BYTES): SnapshotCache =>
  new LruCache(maxBytes)

declare module '../deps' {
  interface Deps {
    /** Flag definitions as readers at the edge see them. */
    snapshots: Snapshots
  }
}

export interface Snapshots {
  /**
   * The flags of a project, at most 60 s old; older ones, reported to `onStale`, when every newer source fails. Null when there is no
   * such project.
   * @throws what the sources throw where there is nothing at all.
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

interface Sources {
  cache: SnapshotCache
  kv: KVNamespace
  projects: SnapshotPublisher
  /** Publishes: the same objects, whose cost counts for the write. */
  publisher: SnapshotPublisher
  marker: LocationMarker
  publishDeadlineMs?: number
  clock: Clock
  /** Counts snapshots that are loaded. */
  memory: MemoryLease
  afterResponse(work: () => Promise<unknown>): void
  /** Receives the age of a stale snapshot that is served, in milliseconds. */
  onStale(ageMs: number): void
}

export function createSnapshots({
  cache,
  kv,
  projects,
  publisher,
  marker,
  publishDeadlineMs = PUBLISH_DEADLINE_MS,
  clock,
  memory,
  afterResponse,
  onStale,
}: Sources): Snapshots {
  const ageOf = (checkedAt: number, now: number) => Math.max(0, now - checkedAt)

  /** The cached entry, if it is as new as the pointer. */
  function cached({ project_id: projectId, generation, checked_at: checkedAt }: Pointer): Entry | null {
    const known = cache.peek(projectId)
    // Generations only grow: a slow response never replaces a newer one.
    if (known?.snapshot.generation === generation) known.checkedAt = Math.max(known.checkedAt, checkedAt)
    return known && known.snapshot.generation >= generation ? known : null
  }

  /** The snapshot of a pointer, which is cached unless it is too large. Null when a part is neither in memory nor in KV. */
  async function follow(pointer: Pointer): Promise<Entry | null> {
    const known = cached(pointer)
    if (known) return known
    const { checked_at: checkedAt, ...manifest } = pointer
    const heap = pointer.parts.reduce((sum, part) => sum + part.heap, 0)
    const loaded = await reserveMemory(pointer, heap)
    if (loaded) return loaded
    const parts = await partsOf(pointer)
    const newer = cached(pointer)
    if (newer || !parts) return newer
    const entry = {
      ...compileSnapshot(manifest, [...parts.values()], cache.peek(manifest.project_id)),
      parts,
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
      const newest = cached(pointer)
      if (newest) return newest
    }
    cache.set(manifest.project_id, entry, heap)
    return entry
  }

  let reserved = 0

  /**
   * Counts the heap of a snapshot before it is read: requests that load one at the same time must not fill the isolate. While others hold
   * too much, waits for them.
   * @returns the snapshot, if another request has loaded it meanwhile.
   * @throws 503 when there is still no memory after MEMORY_DEADLINE_MS.
   */
  async function reserveMemory(pointer: Pointer, heap: number): Promise<Entry | null> {
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
      const loaded = cached(pointer)
      if (loaded) return loaded
    }
  }

  /** Parts that this request has read, by hash. */
  const found = new Map<string, PartContent>()
  /** Parts that this request could not read, by hash. */
  const missing = new Set<string>()
  const unread = new Set<string>()

  /** The parts of a pointer, from memory or KV; null when some are in neither. */
  async function partsOf({
    project_id: projectId,
    parts,
  }: Pointer): Promise<Map<string, PartContent> | null> {
    const known = cache.peek(projectId)?.parts
    const contentOf = ({ hash }: Part) => found.get(hash) ?? known?.get(hash)
    const absent = parts.filter((part) => !contentOf(part))
    const deadlineMs = KV_DEADLINE_MS * Math.ceil(absent.length / KV_CONCURRENCY)
    await Promise.all(absent.map((part) => readPart(projectId, part, deadlineMs)))
    const contents = parts.flatMap((part): [string, PartContent][] => {
      const content = contentOf(part)
      return content ? [[part.hash, content]] : []
    })
    return contents.length === parts.length ? new Map(contents) : null
  }

  async function readPart(
    projectId: number,
    { hash, put_at: putAt }: Part,
    deadlineMs: number,
  ): Promise<void> {
    if (missing.has(hash) || unread.has(hash)) return
    // KV caches that it has nothing, too: a part that is about to be put has to be found soon.
    const cacheTtl = putAt === null ? POINTER_TTL_S : PART_TTL_S
    try {
      const read = kv.get(partKey(projectId, hash), { type: 'arrayBuffer', cacheTtl })
      const bytes = await within(read, deadlineMs)
      const content = bytes && (await decodePart(hash, bytes))
      if (content) found.set(hash, content)
      else if (bytes || putAt !== null) missing.add(hash)
      else unread.add(hash)
      if (bytes && !content) throw new Error(`KV has other content under ${partKey(projectId, hash)}`)
    } catch (error) {
      if (!missing.has(hash)) unread.add(hash)
      afterResponse(() => Promise.reject(error))
    }
  }

  /** The pointer in KV; null when there is none, or KV fails or takes too long: there is another source. A failure is logged. */
  const pointerFromKv = (projectId: number): Promise<Pointer | null> =>
    within(
      kv.get<Pointer>(pointerKey(projectId), { type: 'json', cacheTtl: POINTER_TTL_S }),
      KV_DEADLINE_MS,
    ).catch((error: unknown) => {
      afterResponse(() => Promise.reject(error))
      return null
    })

  async function fromPointer(pointer: Pointer | null, oldest: number): Promise<Entry | null> {
    if (pointer?.format !== FORMAT || !(pointer.checked_at >= oldest)) return null
    const entry = await follow(pointer)
    // Memory may hold a newer generation that nobody has confirmed for long.
    return entry && entry.checkedAt >= oldest ? entry : null
  }

  function publishLacking(projectId: number, now: Date): Promise<Published | null> {
    const lacking = { missing: [...missing], unread: [...unread] }
    const isComplete = lacking.missing.length + lacking.unread.length === 0
    return projects.publish(projectId, now, isComplete ? undefined : lacking)
  }

  async function fromProject(
    projectId: number,
    now: Date,
    ask: (projectId: number, now: Date) => Promise<Published | null> = publishLacking,
  ): Promise<Entry | null> {
    const published = await ask(projectId, now)
    if (!published) return null
    const entry = await fromPublished(published)
    if (entry) return entry
    const built = await publishLacking(projectId, now)
    if (!built) return null
    const rebuilt = await fromPublished(built)
    if (!rebuilt) throw unavailable()
    return rebuilt
  }

  /** Finds parts that follow from those in memory. */
  function derive(projectId: number, changes: readonly PartChange[]): void {
    const known = cache.peek(projectId)?.parts
    for (const change of changes) {
      const before = found.get(change.from) ?? known?.get(change.from)
      if (before) found.set(change.to, changedPart(before, change))
    }
  }

  function fromPublished({ pointer, parts, changes }: Published): Promise<Entry | null> {
    for (const [hash, bytes] of Object.entries(parts)) found.set(hash, parsePart(bytes))
    derive(pointer.project_id, changes)
    return follow(pointer)
  }

  // Every request loads for itself: one that waits for another's load would hang when that one's client goes away.
  /** Loads what a pointer names, unless D1 confirmed it longer ago than `maxAgeMs`: then the project object looks. */
  async function loadFrom(
    projectId: number,
    pointer: Promise<Pointer | null>,
    maxAgeMs: number,
  ): Promise<LoadedSnapshot | null> {
    const now = clock.now()
    const entry = await fromPointer(await pointer, now.getTime() - maxAgeMs)
    return entry ?? fromProject(projectId, now)
  }

  const refresh = (projectId: number) => loadFrom(projectId, pointerFromKv(projectId), RECHECK_MS)

  /** What the sources have, or the last snapshot that is known where they fail. */
  async function orLast(
    projectId: number,
    sources: Promise<LoadedSnapshot | null>,
  ): Promise<LoadedSnapshot | null> {
    afterResponse(() => within(sources, BACKGROUND_DEADLINE_MS))
    try {
      return await within(sources, LOAD_DEADLINE_MS)
    } catch {
      const last = cache.peek(projectId) ?? (await fromPointer(await pointerFromKv(projectId), 0))
      // Slow sources are better than none.
      if (!last) return within(sources, FIRST_LOAD_DEADLINE_MS)
      const now = clock.now().getTime()
      last.servedUntil = now + RETRY_MS
      return served(last, now)
    }
  }

  /** Returns the entry. Reports a stale one to `onStale`. */
  function served(entry: Entry, now: number): Entry {
    const age = ageOf(entry.checkedAt, now)
    if (age > BOUND_MS) onStale(age)
    return entry
  }

  /** Marks what is published for the other isolates of this location, and takes it over here. */
  function spread(projectId: number, published: () => Promise<Published | null>): Promise<unknown> {
    const current = published()
    const work = Promise.all([
      fromProject(projectId, clock.now(), () => current),
      current.then((marked) => marked && marker.write(projectId, marked)),
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
    entry: Entry | undefined,
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
          derive(projectId, marked.changes)
          return orLast(projectId, loadFrom(projectId, Promise.resolve(marked.pointer), BOUND_MS))
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
      // An isolate that has not evaluated the project's flags leaves them to the first request that does.
      if (cache.peek(projectId)) await spread(projectId, async () => published)
      else await marker.write(projectId, published)
    },
  }
}
