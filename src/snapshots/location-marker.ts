// Which generation of a project was last published through this location, so that its other isolates follow a write at once: KV may answer
// them from its cache for up to a minute. The Cache API is local to a location. It does nothing on `workers.dev`.
import { settleWithin } from '../deadline'
import type { Pointer } from './document'

/** Longer than a snapshot is served without a look at D1: after it, no isolate serves what was current before the write. */
const MARKER_TTL_S = 60
/** A cache that takes longer counts as empty: flags are answered from memory. */
const MARKER_DEADLINE_MS = 100
/** An isolate looks at a project's marker this often at most. A write waits as long before its response, so that no read after it is stale. */
export const MARKER_INTERVAL_MS = 10

export interface LocationMarker {
  /** The newest known generation; null when nothing was published here lately. Never throws. */
  read(projectId: number): Promise<Pointer | null>
  /** Stores what was published, unless something newer is there. Resolves when every isolate has to look again. Never throws. */
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
      if (!known || known.generation < pointer.generation)
        await settleWithin(put(projectId, pointer), deadlineMs)
      await scheduler.wait(MARKER_INTERVAL_MS)
    },
  }
}
