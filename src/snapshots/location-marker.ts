// Which generation of a project was last published through this location, so that its other isolates follow a write at once: KV may answer
// them from its cache for up to a minute. The Cache API is local to a location. It does nothing on `workers.dev`.
import type { Pointer } from './document'

/** Longer than a snapshot is served without a look at D1: after it, no isolate serves what was current before the write. */
const MARKER_TTL_S = 60
/** A cache that takes longer counts as empty: flags are answered from memory. */
const MARKER_DEADLINE_MS = 100

export interface LocationMarker {
  /** The newest known generation; null when nothing was published here lately. Never throws. */
  read(projectId: number): Promise<Pointer | null>
  /** Stores what was published, unless something newer is there. Never throws. */
  write(projectId: number, pointer: Pointer): Promise<void>
}

/** @param origin of the deployment: the platform wants keys under a host that the Worker serves. */
export function createLocationMarker(
  cache: Pick<Cache, 'match' | 'put'>,
  origin: string,
  deadlineMs = MARKER_DEADLINE_MS,
): LocationMarker {
  const keyOf = (projectId: number) => `${origin}/.halyard/flags/${projectId}`

  async function match(projectId: number): Promise<Pointer | null> {
    const found = await cache.match(keyOf(projectId))
    return found ? await found.json<Pointer>() : null
  }

  const put = (projectId: number, pointer: Pointer) =>
    cache.put(
      keyOf(projectId),
      Response.json(pointer, { headers: { 'Cache-Control': `max-age=${MARKER_TTL_S}` } }),
    )

  const read = (projectId: number) => settleWithin(match(projectId), deadlineMs)

  return {
    read,
    async write(projectId, pointer) {
      const known = await read(projectId)
      if (known && known.generation >= pointer.generation) return
      await settleWithin(put(projectId, pointer), deadlineMs)
    },
  }
}

/** What the work comes to; null when it fails or takes longer. */
export async function settleWithin<T>(work: Promise<T>, deadlineMs: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, deadlineMs, null)
  })
  return Promise.race([work.catch(() => null), late]).finally(() => clearTimeout(timer))
}
