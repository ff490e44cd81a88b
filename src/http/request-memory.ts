// How much memory the bodies take that an isolate reads at the same time. An isolate has 128 MB for everything that it does.
import { ApiError } from '../errors'

/**
 * Bytes of bodies, and of what was parsed of them, that an isolate holds at the same time. Beside them it holds snapshots, compiled patterns
 * and its code.
 */
export const MAX_BODY_MEMORY = 40 * 1024 * 1024

/** Bytes of each body that are not counted: small requests are served whatever the large ones take. */
const FREE_BYTES = 64 * 1024

/**
 * Bytes that a parsed JSON value takes. Measured on V8 without pointer compression: 8 for a number in an array, 64 for an empty object, 92
 * for an object with a name of its own. Workers compress pointers, which takes about half.
 */
export const BYTES_PER_VALUE = 50

/** The bodies of an isolate. */
export interface BodyMemory {
  /** For the body of one request. */
  open(): BodyLease
  /** Bytes that are held. */
  readonly held: number
}

/** What one request holds. */
export interface BodyLease {
  /**
   * Counts bytes that the request is about to hold.
   * @throws 503 when other requests hold too much. A request is never refused because of what it holds itself: its own limits see to that.
   */
  take(bytes: number): void
  /** Gives everything back: the request is over. */
  release(): void
}

export function createBodyMemory(maxBytes = MAX_BODY_MEMORY): BodyMemory {
  let held = 0
  return {
    get held() {
      return held
    },
    open() {
      let taken = 0
      let counted = 0
      return {
        take(bytes) {
          taken += bytes
          const more = Math.max(0, taken - FREE_BYTES) - counted
          if (more <= 0) return
          const others = held - counted
          if (others > 0 && held + more > maxBytes) throw tooManyBodies()
          counted += more
          held += more
        },
        release() {
          held -= counted
          counted = 0
          taken = 0
        },
      }
    },
  }
}

/** 503. */
export const tooManyBodies = () =>
  new ApiError({
    status: 503,
    type: 'server_error',
    code: 'overloaded',
    detail: 'Too many large request bodies at the same time. Please retry.',
    headers: { 'Retry-After': '1' },
  })
