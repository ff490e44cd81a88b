// Which generation of a project is current, as a location knows it: what was last published through it, or found out for it. Its isolates
// follow a write at once, and one of them at a time asks the object. The Cache API is local to a location. It does nothing on `workers.dev`.
import { settleWithin } from '../deadline'
import type { Mark } from './document'

/** Longer than a snapshot is served without a look at the object. */
const MARK_TTL_S = 600
/** A cache that takes longer counts as empty: flags are answered from memory. */
const DEADLINE_MS = 100

/** What a location knows. */
export interface LocationMark extends Mark {
  /** Until when an isolate of the location asks the object, in epoch milliseconds. */
  readonly lookingUntil?: number
}

export interface LocationMarker {
  /** Null when the location knows nothing of the project. Never throws. */
  read(projectId: number): Promise<LocationMark | null>
  /** Stores a mark, unless the location knows a newer one. Never throws. */
  write(projectId: number, mark: LocationMark): Promise<void>
}

/** @param origin of the deployment: the platform requires keys under a host that the Worker serves. */
export function createLocationMarker(
  cache: Pick<Cache, 'match' | 'put'>,
  origin: string,
  deadlineMs = DEADLINE_MS,
): LocationMarker {
  const keyOf = (projectId: number) => `${origin}/.halyard/flags/${projectId}`

  async function match(projectId: number): Promise<LocationMark | null> {
    const found = await cache.match(keyOf(projectId))
    return found ? await found.json<LocationMark>() : null
  }

  const read = (projectId: number) => settleWithin(match(projectId), deadlineMs)

  return {
    read,
    async write(projectId, mark) {
      const known = await read(projectId)
      if (known && known.generation > mark.generation) return
      const headers = { 'Cache-Control': `max-age=${MARK_TTL_S}` }
      await settleWithin(cache.put(keyOf(projectId), Response.json(mark, { headers })), deadlineMs)
    },
  }
}
