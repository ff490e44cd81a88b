// Stores which generation of a project is current, as a location knows it: what was last published through it, or what one of its isolates
// has read. Its isolates follow a write at once, and one of them at a time asks the object. The Cache API is local to a location. It does
// nothing on `workers.dev`.
import { settleWithin } from '../deadline'
import type { Mark } from './document'

/** The lifetime of a mark in seconds. A snapshot is served for a shorter time before the object is asked again. */
const MARK_TTL_S = 600
/** A cache that takes longer counts as empty, and flags are answered from memory. */
const DEADLINE_MS = 100

export interface LocationMarker {
  /** Returns the key of a project's mark. */
  keyOf(projectId: number): string
  /** Returns null when the location has no mark of the project. It never throws. */
  read(projectId: number): Promise<Mark | null>
  /** Stores a mark, unless the location has a newer one. It never throws. */
  write(projectId: number, mark: Mark): Promise<void>
  /**
   * Lets one isolate of the location ask the object. The claim is kept apart from marks, which it must not replace.
   * @param now and `until`: epoch milliseconds
   * @returns whether no other isolate has the claim. It never throws.
   */
  claimLook(projectId: number, now: number, until: number): Promise<boolean>
}

/** @param origin of the deployment: the platform requires keys under a host that the Worker serves */
export function createLocationMarker(
  cache: Pick<Cache, 'match' | 'put'>,
  origin: string,
  deadlineMs = DEADLINE_MS,
): LocationMarker {
  const keyOf = (projectId: number) => `${origin}/.halyard/flags/${projectId}`
  const lookOf = (projectId: number) => `${keyOf(projectId)}/look`

  async function match<T>(key: string): Promise<T | null> {
    const found = await cache.match(key)
    return found ? await found.json<T>() : null
  }

  const readAt = <T>(key: string) => settleWithin(match<T>(key), deadlineMs)

  async function put(key: string, value: unknown): Promise<void> {
    const headers = { 'Cache-Control': `max-age=${MARK_TTL_S}` }
    await settleWithin(cache.put(key, Response.json(value, { headers })), deadlineMs)
  }

  const read = (projectId: number) => readAt<Mark>(keyOf(projectId))

  return {
    keyOf,
    read,
    async write(projectId, mark) {
      const known = await read(projectId)
      if (known && known.generation > mark.generation) return
      await put(keyOf(projectId), mark)
    },
    async claimLook(projectId, now, until) {
      const claimed = await readAt<{ until: number }>(lookOf(projectId))
      if (claimed && claimed.until > now) return false
      await put(lookOf(projectId), { until })
      return true
    },
  }
}
