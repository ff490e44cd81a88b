// Reading flag definitions at the edge: from the memory of the isolate, else from KV, else from the project object. Never from D1.
//
// How stale can an answer be? A snapshot is served only while BOUND_MS have not passed since D1 was last known to agree with it,
// whatever KV or the publishing of a change may do in the meantime.
import type { Clock } from '../clock'
import type { FeedDefinition } from '../flags/definitions'
import { compile } from '../flags/evaluation/compile'
import type { CompiledFlag, CompiledFlagSet } from '../flags/evaluation/compiled'
import { merge, type Requirements, requirementsOf } from '../flags/evaluation/requirements'
import type { Projects } from '../project/gateway'
import { documentKey, FORMAT, type Pointer, pointerKey, type Snapshot } from './document'

/** Served without a second thought. */
const FRESH_MS = 5_000
/** While one request looks for news in the background, others do not. */
const CLAIM_MS = 2_000
/** Past this age KV's pointer is not news any more: the project object is asked to look at D1. */
const RECHECK_MS = 20_000
/** Never served past this age. Leaves room for the call under the promised 60 s. */
const BOUND_MS = 45_000
/** Projects whose snapshots an isolate keeps. */
const CAPACITY = 50
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
}

/** The snapshots that an isolate keeps between requests, by project. */
export type SnapshotCache = Map<number, Entry>

export const createSnapshotCache = (): SnapshotCache => new Map()

export interface Snapshots {
  /** The flags of a project, at most 60 s old. Null when there is no such project. */
  load(projectId: number): Promise<LoadedSnapshot | null>
  /** Publishes a change that was just committed, and takes it over here at once. */
  publish(projectId: number): Promise<void>
}

interface Sources {
  cache: SnapshotCache
  kv: KVNamespace
  projects: Projects
  clock: Clock
  afterResponse(work: () => Promise<unknown>): void
}

export function createSnapshots({ cache, kv, projects, clock, afterResponse }: Sources): Snapshots {
  const ageOf = (checkedAt: number, now: number) => Math.max(0, now - checkedAt)

  /** What was used last comes last: the first goes when there are too many. */
  function touch(projectId: number, entry: Entry): void {
    cache.delete(projectId)
    cache.set(projectId, entry)
  }

  function keep(projectId: number, checkedAt: number, snapshot: Snapshot): Entry {
    const known = cache.get(projectId)
    // Generations only grow: a slow answer never replaces a newer one.
    if (known && known.snapshot.generation > snapshot.generation) return known
    const entry =
      known?.snapshot.generation === snapshot.generation
        ? { ...known, checkedAt: Math.max(known.checkedAt, checkedAt) }
        : { ...compiledFrom(snapshot), checkedAt, claimedUntil: 0 }
    touch(projectId, entry)
    if (cache.size > CAPACITY) cache.delete(cache.keys().next().value!)
    return entry
  }

  /** The document of a generation: what is in memory, else what lies in KV. */
  async function documentOf(projectId: number, generation: number): Promise<Snapshot | null> {
    const known = cache.get(projectId)?.snapshot
    if (known?.generation === generation) return known
    const found = await kv.get<Snapshot>(documentKey(projectId, generation), {
      type: 'json',
      cacheTtl: DOCUMENT_TTL_S,
    })
    return found?.format === FORMAT ? found : null
  }

  async function fromKv(projectId: number, oldest: number): Promise<Entry | null> {
    const pointer = await kv.get<Pointer>(pointerKey(projectId), { type: 'json', cacheTtl: POINTER_TTL_S })
    if (!pointer || pointer.checked_at < oldest) return null
    const snapshot = await documentOf(projectId, pointer.generation)
    const entry = snapshot && keep(projectId, pointer.checked_at, snapshot)
    // Memory may hold a newer generation that nobody has confirmed for long.
    return entry && entry.checkedAt >= oldest ? entry : null
  }

  async function fromProject(projectId: number, now: Date): Promise<Entry | null> {
    const published = await projects.confirm(projectId, now)
    if (!published) return null
    const { generation, checkedAt } = published
    const snapshot = published.snapshot ?? (await documentOf(projectId, generation).catch(() => null))
    if (snapshot) return keep(projectId, checkedAt, snapshot)
    // What was published is gone from KV, or has not arrived here yet.
    const built = await projects.publish(projectId, now)
    return built?.snapshot ? keep(projectId, built.checkedAt, built.snapshot) : null
  }

  // Every request loads for itself: one that waits for another's load would hang when that one's client goes away.
  async function refresh(projectId: number): Promise<LoadedSnapshot | null> {
    const now = clock.now()
    const entry = await fromKv(projectId, now.getTime() - RECHECK_MS).catch(() => null)
    return entry ?? fromProject(projectId, now)
  }

  return {
    async load(projectId) {
      const entry = cache.get(projectId)
      const now = clock.now().getTime()
      const age = entry ? ageOf(entry.checkedAt, now) : Infinity
      if (!entry || age > BOUND_MS) return refresh(projectId)
      touch(projectId, entry)
      if (age > FRESH_MS && now >= entry.claimedUntil) {
        entry.claimedUntil = now + CLAIM_MS
        afterResponse(() => refresh(projectId))
      }
      return entry
    },
    async publish(projectId) {
      const published = await projects.publish(projectId, clock.now())
      if (published?.snapshot) keep(projectId, published.checkedAt, published.snapshot)
    },
  }
}
