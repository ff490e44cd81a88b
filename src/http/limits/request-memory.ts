// Limits the memory of concurrent large requests in an isolate, which has 128 MB.
import { ApiError } from '../../errors'

/**
 * The most bytes that the bodies of an isolate's requests use at the same time, with their parsed values. An isolate also has cached
 * snapshots, compiled patterns and its code in memory.
 */
export const MAX_REQUEST_MEMORY = 24 * 1024 * 1024
/** The most bytes of snapshots that an isolate loads at the same time. Bodies, which callers may send slowly, take nothing of it. */
export const MAX_LOADING_MEMORY = 16 * 1024 * 1024

/** Bytes of each request that are not counted, so that small requests always succeed. */
const FREE_BYTES = 64 * 1024

/**
 * Bytes of a parsed JSON value. V8 without pointer compression takes 8 for a number in an array, 64 for an empty object, and 92 for an
 * object with a name of its own. Workers compress pointers, which takes about half.
 */
export const BYTES_PER_VALUE = 50

export interface MemoryLease {
  /**
   * Counts bytes before the request allocates them. Nothing is counted after `release`.
   * @throws 503 when other requests have reserved too much; a request alone always succeeds, because other limits bound it
   */
  take(bytes: number): void
  /** Ends the request. */
  release(): void
}

export function createRequestMemory(maxBytes = MAX_REQUEST_MEMORY) {
  let reserved = 0
  return {
    get reserved() {
      return reserved
    },
    open(): MemoryLease {
      let taken = 0
      let counted = 0
      let isOver = false
      return {
        take(bytes) {
          if (isOver) return
          taken += bytes
          const more = Math.max(0, taken - FREE_BYTES) - counted
          if (more <= 0) return
          const others = reserved - counted
          if (others > 0 && reserved + more > maxBytes) throw overloaded()
          counted += more
          reserved += more
        },
        release() {
          isOver = true
          reserved -= counted
          counted = 0
        },
      }
    },
  }
}

export const overloaded = () =>
  new ApiError({
    status: 503,
    type: 'server_error',
    code: 'overloaded',
    detail: 'Too many large requests at the same time. Please retry.',
    headers: { 'Retry-After': '1' },
  })
