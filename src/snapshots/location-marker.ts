// Which generation of a project was last published through this location, so that its other isolates follow a write at once: KV may answer
// them from its cache for up to a minute. The Cache API is local to a location. It does nothing on `workers.dev`.
import { settleWithin } from '../deadline'
import { LruCache } from '../lru-cache'
import type { Published } from './manifest'

/** Longer than a snapshot is served without a look at D1: after it, no isolate serves the generation before the write. */
const MARKER_TTL_S = 60
/** A cache that takes longer counts as empty: flags are answered from memory. */
const MARKER_DEADLINE_MS = 100
/** An isolate looks at a project's marker this often at most. A write waits as long before its response, so that no read after it is stale. */
export const MARKER_INTERVAL_MS = 10
/** The same while the marker names a write of the last BUSY_MS: writes that follow each other wait less. */
const BUSY_INTERVAL_MS = 2
const BUSY_MS = 2_000
/** A writer takes isolates to look that often for half of that: clocks differ. */
const SURELY_BUSY_MS = BUSY_MS / 2

/**
 * How often an isolate looks at a marker.
 * @param seen the marker that it saw last.
 * @param now epoch milliseconds.
 */
export const markerIntervalMs = (seen: Marked['pointer'] | null, now: number): number =>
  seen && now - seen.checked_at < BUSY_MS ? BUSY_INTERVAL_MS : MARKER_INTERVAL_MS
/** An isolate that is more changes behind reads the parts. */
const MAX_CHANGES = 32
/** Characters. */
const MAX_MARKER_LENGTH = 512 * 1024

/** Projects of which an isolate remembers its last mark. */
const MAX_MARKS = 1_000

/** The newest generation that a request of this isolate marks, or has marked. */
interface Mark {
  generation: number
  /** Time of the write, in epoch milliseconds. */
  checkedAt: number
  /** Epoch milliseconds; null until then. */
  markedAt: number | null
  /** How long every isolate may take to look after that. */
  intervalMs: number
  /** Since when one has followed the other, in epoch milliseconds; null when the cache did not take this one. */
  busySince: number | null
}

/** By URL of the marker. */
const sharedMarks = new LruCache<string, Mark>(MAX_MARKS)

/** What a location has last published, and how its parts follow from those before. */
export type Marked = Pick<Published, 'pointer' | 'changes'>

export interface LocationMarker {
  /** The newest known generation; null when nothing was published here within MARKER_TTL_S. Never throws. */
  read(projectId: number): Promise<Marked | null>
  /** Stores the published generation, unless a newer one is stored. Resolves when every isolate has to look again. Never throws. */
  write(projectId: number, published: Marked): Promise<void>
}

/** @param origin of the deployment: the platform requires keys under a host that the Worker serves. */
export function createLocationMarker(
  cache: Pick<Cache, 'match' | 'put'>,
  origin: string,
  deadlineMs = MARKER_DEADLINE_MS,
  marks = sharedMarks,
): LocationMarker {
  const keyOf = (projectId: number) => `${origin}/.halyard/flags/${projectId}`

  async function match(projectId: number): Promise<Marked | null> {
    const found = await cache.match(keyOf(projectId))
    return found ? await found.json<Marked>() : null
  }

  function put(projectId: number, { pointer, changes }: Marked, known: Marked | null) {
    const all = [...(known?.changes ?? []), ...changes].slice(-MAX_CHANGES)
    const texts = [all, changes, []].map((each) => JSON.stringify({ pointer, changes: each }))
    return cache.put(
      keyOf(projectId),
      new Response(texts.find(({ length }) => length <= MAX_MARKER_LENGTH) ?? texts.at(-1), {
        headers: { 'Cache-Control': `max-age=${MARKER_TTL_S}` },
      }),
    )
  }

  const read = (projectId: number) => settleWithin(match(projectId), deadlineMs)

  /**
   * Waits for a mark of another request. Only its time is shared: a promise would never settle when that request is cancelled.
   * @returns whether every isolate has to look again.
   */
  async function isSpread(mark: Mark): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < deadlineMs; waitedMs += BUSY_INTERVAL_MS) {
      await scheduler.wait(BUSY_INTERVAL_MS)
      if (mark.markedAt === null) continue
      await scheduler.wait(Math.max(0, mark.markedAt + mark.intervalMs - Date.now()))
      return true
    }
    return false
  }

  /** Since when marks follow each other: isolates that have looked since look every BUSY_INTERVAL_MS. */
  const busySince = (last: Mark | undefined): number =>
    last && Date.now() - last.checkedAt < SURELY_BUSY_MS ? (last.busySince ?? Date.now()) : Date.now()

  return {
    read,
    async write(projectId, published) {
      const { generation, checked_at: checkedAt } = published.pointer
      const last = marks.peek(keyOf(projectId))
      // The writes of a group have one generation, and come back together.
      if (last && last.generation >= generation && (await isSpread(last))) return
      const mark: Mark = {
        generation,
        checkedAt,
        markedAt: null,
        intervalMs: MARKER_INTERVAL_MS,
        busySince: null,
      }
      marks.set(keyOf(projectId), mark, 1)
      const known = await read(projectId)
      if (!known || known.pointer.generation < generation) {
        const stored = put(projectId, published, known).then(() => true)
        if (await settleWithin(stored, deadlineMs)) {
          mark.busySince = busySince(last)
          if (Date.now() - mark.busySince >= MARKER_INTERVAL_MS) mark.intervalMs = BUSY_INTERVAL_MS
        }
      }
      mark.markedAt = Date.now()
      await scheduler.wait(mark.intervalMs)
    },
  }
}
