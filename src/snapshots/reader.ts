// Reading flag definitions at the edge: from the memory of the isolate, else from KV, else from the project object. Never from D1.
//
// A write that came through this location is visible to the next read here: the location's marker names its generation, and every read looks
// at it, unless the isolate did so a moment ago. That costs one look at the location's cache, and neither D1, KV nor the object.
//
// How stale can an answer be? A snapshot is served while BOUND_MS have not passed since D1 was last known to agree with it, whatever KV or
// the publishing of a change may do in the meantime. After that it is served only where nothing newer can be had within LOAD_DEADLINE_MS,
// because D1, KV or the project object fails: then the answer is marked as stale. An isolate without one takes KV's last document.
import type { Clock } from '../clock'
import type { FeedDefinition } from './definitions'
import { compile } from '../evaluation/compile'
import type { CompiledFlag, CompiledFlagSet } from '../evaluation/compiled'
import { merge, type Requirements, requirementsOf } from '../evaluation/requirements'
import { settleWithin, within } from '../deadline'
import { measureJson } from '../http/json-size'
import type { MemoryLease } from '../http/request-memory'
import { LruCache } from '../lru-cache'
import {
  documentKey,
  FORMAT,
  type Pointer,
  pointerKey,
  type Snapshot,
  type SnapshotPublisher,
} from './document'
import { type LocationMarker, MARKER_INTERVAL_MS } from './location-marker'

/** Served without a second thought. */
const FRESH_MS = 5_000
/** While one request looks for news in the background, others do not. */
const CLAIM_MS = 2_000
/** Past this age KV's pointer is not news any more: the project object is asked to look at D1. */
const RECHECK_MS = 20_000
/** Past this age a snapshot is stale. Leaves room for the call under the promised 60 s. */
const BOUND_MS = 45_000
/** How long KV may take; past that, the project object is asked. */
const KV_DEADLINE_MS = 250
/** How long all sources together may take before a stale snapshot is served. */
const LOAD_DEADLINE_MS = 600
/** How much longer a request waits that would get nothing otherwise. */
const FIRST_LOAD_DEADLINE_MS = 1_000
/** How long sources may go on after the response. */
const BACKGROUND_DEADLINE_MS = 10_000
/** After sources failed, a stale snapshot is served for so long before another request waits for them. */
const RETRY_MS = 5_000
/** How long a write waits until its change is published; past that, publishing goes on after the response. */
const PUBLISH_DEADLINE_MS = 5_000
/**
 * Heap that an isolate uses for cached snapshots, as `heapOf` estimates it: some 7 MB of definitions. A larger project is read from KV and
 * compiled for each request.
 */
export const MAX_SNAPSHOT_CACHE_BYTES = 32 * 1024 * 1024
/**
 * Heap per JSON value of a compiled snapshot, beside one byte per character. Measured with 2,000 flags on V8 without pointer compression: 100
 * with 20 conditions of 5 filters each (24 MB of JSON took 172 MB, 7 bytes per byte), 126 with the shortest filters, 30 for numbers in lists.
 * Workers use pointer compression, which halves it.
 */
const HEAP_PER_VALUE = 50
/** Heap of the cached results of a flag. */
const HEAP_PER_FLAG = 1_000
/** Seconds for which KV may answer from a cache near by. */
const POINTER_TTL_S = 60
const DOCUMENT_TTL_S = 86_400

export interface LoadedSnapshot {
  readonly snapshot: Snapshot
  readonly compiled: CompiledFlagSet<FeedDefinition>
  /** What evaluation needs to know of somebody: for each flag by itself, and for all of them together. */
  readonly requirements: {
    readonly byFlag: ReadonlyMap<CompiledFlag, Requirements>
    readonly together: Requirements
  }
}

/** Compiles a snapshot: once, when it is taken into memory. */
function compiledFrom(snapshot: Snapshot): LoadedSnapshot {
  const compiled = compile(snapshot)
  const byFlag = requirementsOf(compiled)
  return { snapshot, compiled, requirements: { byFlag, together: merge([...byFlag.values()]) } }
}

interface Entry extends LoadedSnapshot {
  checkedAt: number
  /** Until when somebody is already looking for something newer. */
  claimedUntil: number
  /** When the location's marker was last found to name nothing newer. */
  comparedAt: number
  /** Until when a stale snapshot is served at once, because sources failed. */
  servedUntil: number
}

/** The snapshots that an isolate keeps between requests, by project. */
export type SnapshotCache = LruCache<number, Entry>

export const createSnapshotCache = (maxBytes = MAX_SNAPSHOT_CACHE_BYTES): SnapshotCache =>
  new LruCache(maxBytes)

/** A snapshot, and the heap that it takes when compiled. */
interface Document {
  snapshot: Snapshot
  heap: number
}

const documentFrom = (snapshot: Snapshot, text = JSON.stringify(snapshot)): Document => ({
  snapshot,
  heap: heapOf(text) + HEAP_PER_FLAG * snapshot.flags.length,
})

/** The document that a text holds; null for one of another format. */
function documentIn(text: string): Document | null {
  const snapshot = JSON.parse(text) as Snapshot
  return snapshot.format === FORMAT ? documentFrom(snapshot, text) : null
}

const heapOf = (text: string): number =>
  text.length + HEAP_PER_VALUE * measureJson(text, { maxDepth: Infinity, maxValues: Infinity }).values

declare module '../deps' {
  interface Deps {
    /** Flag definitions as readers at the edge see them. */
    snapshots: Snapshots
  }
}

export interface Snapshots {
  /**
   * The flags of a project, at most 60 s old; older ones, of which `onStale` is told, where every newer source fails. Null when there is no
   * such project.
   * @throws what the sources throw where there is nothing at all.
   */
  load(projectId: number): Promise<LoadedSnapshot | null>
  /**
   * Publishes a change that was just committed: when this resolves, the next `load` in this location sees it. Never throws, because the
   * change is committed: a failure is logged, and readers find the change by themselves within a minute.
   */
  publish(projectId: number): Promise<void>
  /** The same for a change that the project object has published itself. */
  adopt(projectId: number): Promise<void>
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
  /** Counts snapshots that are too large for the cache. */
  memory: MemoryLease
  afterResponse(work: () => Promise<unknown>): void
  /** Is told the age of a stale snapshot that is served, in milliseconds. */
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

  /** The cached entry, if it is as new as `generation`; else the compiled document, which is cached unless it is too large. */
  function keep(
    projectId: number,
    checkedAt: number,
    generation: number,
    document: Document | null,
  ): Entry | null {
    const known = cache.peek(projectId)
    // Generations only grow: a slow answer never replaces a newer one.
    if (known && known.snapshot.generation > generation) return known
    if (known?.snapshot.generation === generation) {
      known.checkedAt = Math.max(known.checkedAt, checkedAt)
      return known
    }
    if (!document) return null
    if (document.heap > cache.maxWeight) memory.take(document.heap)
    const entry = {
      ...compiledFrom(document.snapshot),
      checkedAt,
      claimedUntil: 0,
      comparedAt: -Infinity,
      servedUntil: 0,
    }
    cache.set(projectId, entry, document.heap)
    return entry
  }

  /** What KV has under a key; null when it has nothing, fails or takes too long: there is another source. A failure is logged. */
  const fromKv = <T>(read: Promise<T | null>): Promise<T | null> =>
    within(read, KV_DEADLINE_MS).catch((error: unknown) => {
      afterResponse(() => Promise.reject(error))
      return null
    })

  /** The document of a generation in KV. Null when it is missing, of another format, or cached already. */
  async function documentOf(projectId: number, generation: number): Promise<Document | null> {
    if (cache.peek(projectId)?.snapshot.generation === generation) return null
    const read = kv.get(documentKey(projectId, generation), { type: 'text', cacheTtl: DOCUMENT_TTL_S })
    return fromKv(read.then((text) => (text === null ? null : documentIn(text))))
  }

  const pointerFromKv = (projectId: number) =>
    fromKv(kv.get<Pointer>(pointerKey(projectId), { type: 'json', cacheTtl: POINTER_TTL_S }))

  async function fromPointer(
    projectId: number,
    pointer: Pointer | null,
    oldest: number,
  ): Promise<Entry | null> {
    if (!pointer || !(pointer.checked_at >= oldest)) return null
    const { generation, checked_at: checkedAt } = pointer
    const entry = keep(projectId, checkedAt, generation, await documentOf(projectId, generation))
    // Memory may hold a newer generation that nobody has confirmed for long.
    return entry && entry.checkedAt >= oldest ? entry : null
  }

  async function fromProject(
    projectId: number,
    now: Date,
    ask: SnapshotPublisher['confirm'] = projects.confirm,
  ): Promise<Entry | null> {
    const published = await ask(projectId, now)
    if (!published) return null
    const { generation, checkedAt, snapshot } = published
    const document = snapshot ? documentFrom(snapshot) : await documentOf(projectId, generation)
    const entry = keep(projectId, checkedAt, generation, document)
    if (entry) return entry
    // What was published is gone from KV, or has not arrived here yet.
    const built = await projects.publish(projectId, now)
    return built?.snapshot
      ? keep(projectId, built.checkedAt, built.generation, documentFrom(built.snapshot))
      : null
  }

  // Every request loads for itself: one that waits for another's load would hang when that one's client goes away.
  async function refresh(projectId: number): Promise<LoadedSnapshot | null> {
    const now = clock.now()
    const oldest = now.getTime() - RECHECK_MS
    const entry = await fromPointer(projectId, await pointerFromKv(projectId), oldest)
    return entry ?? fromProject(projectId, now)
  }

  /** Loads what the location's marker names. */
  async function catchUp(projectId: number, marked: Pointer): Promise<LoadedSnapshot | null> {
    const now = clock.now()
    const entry = await fromPointer(projectId, marked, now.getTime() - BOUND_MS)
    return entry ?? fromProject(projectId, now)
  }

  /** What the sources have, or the last snapshot that is known where they fail. */
  async function orLast(
    projectId: number,
    sources: Promise<LoadedSnapshot | null>,
  ): Promise<LoadedSnapshot | null> {
    afterResponse(() => within(sources, BACKGROUND_DEADLINE_MS))
    try {
      return await within(sources, LOAD_DEADLINE_MS)
    } catch {
      const last = cache.peek(projectId) ?? (await fromPointer(projectId, await pointerFromKv(projectId), 0))
      // Slow sources are better than none.
      if (!last) return within(sources, FIRST_LOAD_DEADLINE_MS)
      const now = clock.now().getTime()
      last.servedUntil = now + RETRY_MS
      return served(last, now)
    }
  }

  /** The entry, of which the caller is told when it is stale. */
  function served(entry: Entry, now: number): Entry {
    const age = ageOf(entry.checkedAt, now)
    if (age > BOUND_MS) onStale(age)
    return entry
  }

  /** Has a change published, marks it for the other isolates of this location, and takes it over here. */
  function spread(projectId: number, publish: SnapshotPublisher['publish']): Promise<unknown> {
    const work = fromProject(projectId, clock.now(), async (id, now) => {
      const published = await publish(id, now)
      if (published) {
        const { generation, checkedAt } = published
        await marker.write(id, { generation, checked_at: checkedAt })
      }
      return published
    })
    afterResponse(() => work)
    return settleWithin(work, publishDeadlineMs)
  }

  return {
    async load(projectId) {
      const entry = cache.get(projectId)
      const now = clock.now().getTime()
      const age = entry ? ageOf(entry.checkedAt, now) : Infinity
      if (!entry || ageOf(entry.comparedAt, now) >= MARKER_INTERVAL_MS) {
        const marked = await marker.read(projectId)
        if (marked && marked.generation > (entry?.snapshot.generation ?? -1)) {
          return orLast(projectId, catchUp(projectId, marked))
        }
        if (entry) entry.comparedAt = now
      }
      if (entry && age > BOUND_MS && now < entry.servedUntil) return served(entry, now)
      if (!entry || age > BOUND_MS) return orLast(projectId, refresh(projectId))
      if (age > FRESH_MS && now >= entry.claimedUntil) {
        entry.claimedUntil = now + CLAIM_MS
        afterResponse(() => within(refresh(projectId), BACKGROUND_DEADLINE_MS))
      }
      return entry
    },
    publish: async (projectId) => void (await spread(projectId, publisher.publish)),
    adopt: async (projectId) => void (await spread(projectId, publisher.confirm)),
  }
}
