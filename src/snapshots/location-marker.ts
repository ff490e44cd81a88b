// Which generation of a project was last published through this location, so that its other isolates follow a write at once: KV may answer
// them from its cache for up to a minute. The Cache API is local to a location. It does nothing on `workers.dev`.
import { settleWithin } from '../deadline'
import { LruCache } from '../lru-cache'
import { FORMAT, type PartChange, type Published } from './manifest'
import { joinChanges } from './parts'

/** Longer than a snapshot is served without a look at D1: after it, no isolate serves the generation before the write. */
const MARKER_TTL_S = 60
/** A cache that takes longer counts as empty: flags are answered from memory. */
const MARKER_DEADLINE_MS = 100
/** An isolate looks at a project's marker this often at most. A write waits as long before its response, so that no read after it is stale. */
export const MARKER_INTERVAL_MS = 10
/** While the marker names a write of this time, every request looks: writes that follow each other do not wait. */
const BUSY_MS = 2_000
/** A writer relies on that for half of the time: clocks differ. */
const SURELY_BUSY_MS = BUSY_MS / 2

/**
 * How often an isolate looks at a marker.
 * @param seen the marker that it saw last.
 * @param now epoch milliseconds.
 */
export const markerIntervalMs = (seen: Marked['pointer'] | null, now: number): number =>
  seen && now - seen.checked_at < BUSY_MS ? 0 : MARKER_INTERVAL_MS
/** Changes in a marker, and versions and flags in a change. An isolate that is further behind reads the parts. */
const MAX_CHANGES = 16
/** Characters. */
const MAX_MARKER_LENGTH = 512 * 1024

/** Characters of the last marks that an isolate remembers. */
const MAX_REMEMBERED_CHARACTERS = 8 * 1024 * 1024
/** What a mark takes beside its changes. */
const MARK_CHARACTERS = 500

/** The newest generation that a request of this isolate marks, or has marked. */
interface Mark {
  generation: number
  /** Time of the write, in epoch milliseconds. */
  checkedAt: number
  /** Resolves when every isolate has to look again. Does not resolve when the request is cancelled. */
  spread: Promise<void>
  /** The changes that the cache has; null when it did not take them. */
  changes: Marked['changes'] | null
  /** Since when one has followed the other, in epoch milliseconds; null when the cache did not take this one. */
  busySince: number | null
}

/** By URL of the marker. */
const sharedMarks = new LruCache<string, Mark>(MAX_REMEMBERED_CHARACTERS)

/** What a location has last published, and how its parts follow from those before. */
export type Marked = Pick<Published, 'pointer' | 'changes'>

export interface LocationMarker {
  /** The newest known generation; null when nothing was published here within MARKER_TTL_S. Never throws. */
  read(projectId: number): Promise<Marked | null>
  /** Stores the published generation, unless a newer one is stored. Resolves when every isolate has to look again. Never throws. */
  write(projectId: number, published: Marked): Promise<void>
}

/** The changes of a marker after a write: one that follows another of the same part is joined with it. */
function appended(known: Marked['changes'], changes: Marked['changes']): Marked['changes'] {
  const all = [...known]
  for (const change of changes) {
    const at = all.findLastIndex(({ to }) => change.from.includes(to))
    const joined = at < 0 ? null : joinChanges(all[at]!, change)
    if (joined && sizeOf(joined) <= MAX_CHANGES) all[at] = joined
    else all.push(change)
  }
  return all.slice(-MAX_CHANGES)
}

const sizeOf = ({ from, flags, deleted }: PartChange): number =>
  Math.max(from.length, flags.length + deleted.length)

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

  /** @returns the changes that are stored, and their length; null when the cache did not take them. */
  async function put(projectId: number, { pointer, changes }: Marked, known: Marked['changes']) {
    const options = [appended(known, changes), changes, []]
    for (const stored of options) {
      const text = JSON.stringify({ pointer, changes: stored })
      if (text.length > MAX_MARKER_LENGTH && stored.length > 0) continue
      const response = new Response(text, { headers: { 'Cache-Control': `max-age=${MARKER_TTL_S}` } })
      const done = cache.put(keyOf(projectId), response).then(() => true)
      return (await settleWithin(done, deadlineMs)) ? { changes: stored, length: text.length } : null
    }
    return null
  }

  const read = (projectId: number) => settleWithin(match(projectId), deadlineMs)

  /** Since when marks follow each other: isolates that have looked since look with every request. */
  const busySince = (last: Mark | undefined): number =>
    last && Date.now() - last.checkedAt < SURELY_BUSY_MS ? (last.busySince ?? Date.now()) : Date.now()

  return {
    read,
    async write(projectId, published) {
      const { generation, checked_at: checkedAt } = published.pointer
      const key = keyOf(projectId)
      const last = marks.peek(key)
      // The writes of a group have one generation, and come back together.
      if (last && last.generation >= generation) {
        const isSpread = await settleWithin(
          last.spread.then(() => true),
          deadlineMs,
        )
        if (isSpread) return
      }
      const { promise: spread, resolve } = Promise.withResolvers<void>()
      const mark: Mark = { generation, checkedAt, spread, changes: null, busySince: null }
      marks.set(key, mark, MARK_CHARACTERS)
      // Nothing lies between this mark and the one before it: the cache has no more than what this isolate stored.
      const isNext = last?.generation === generation - 1 && last.changes !== null
      const known = isNext ? null : await read(projectId)
      let isBusy = false
      if (!known || known.pointer.generation < generation) {
        const before = isNext ? last.changes : known?.pointer.format === FORMAT ? known.changes : null
        const stored = await put(projectId, published, before ?? [])
        if (stored) {
          mark.changes = stored.changes
          mark.busySince = busySince(last)
          isBusy = Date.now() - mark.busySince >= MARKER_INTERVAL_MS
          if (marks.peek(key) === mark) marks.set(key, mark, MARK_CHARACTERS + stored.length)
        }
      }
      if (!isBusy) await scheduler.wait(MARKER_INTERVAL_MS)
      resolve()
    },
  }
}
