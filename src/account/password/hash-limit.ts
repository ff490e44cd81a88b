// Bounds the passwords that an isolate hashes at the same time. workerd computes scrypt on the isolate's own thread, so that a hash
// blocks all other requests for tens of milliseconds. A pause after each hash lets them run. Waiting requests poll, because a slot that
// is given to a request whose client disconnected would be lost.
import { ApiError, unavailable } from '../../errors'
import type { OperationDocs } from '../../http/docs/operation-docs'

/** Maximum hashes that run at the same time. Each takes 16 MiB of the isolate's 128. */
export const MAX_RUNNING_HASHES = 2
export const MAX_WAITING_HASHES = 32
export const MAX_HASH_WAIT_MS = 8_000
/** A hash that runs longer counts as abandoned. */
const MAX_HASH_MS = 10_000
/** The pause after a hash. It is too short to notice, unless many passwords arrive. */
const PAUSE_MS = 20
const POLL_MS = 5

export const passwordCapacity = () =>
  new ApiError({
    status: 503,
    type: 'server_error',
    code: 'password_capacity',
    detail: 'Password checks are temporarily at capacity. Please retry.',
    headers: { 'Retry-After': '1' },
  })

/** Documents the errors of operations that hash a password. */
export const passwordErrors = (): OperationDocs['errors'] => ({
  503: {
    'Too many passwords are hashed at once': passwordCapacity(),
    'The database did not respond in time': unavailable(),
  },
})

export interface HashLimitOptions {
  maxRunning?: number
  maxWaiting?: number
  maxWaitMs?: number
  maxHashMs?: number
  pauseMs?: number
  /** The clock, in monotonic milliseconds. */
  now?: () => number
  /** Resolves after some milliseconds and at least one turn of the event loop. */
  sleep?: (ms: number) => Promise<void>
}

/**
 * Returns a function that runs a hash when a slot is free. It throws 503 when the queue is full, or when no slot became free in time. The
 * hash has then not run.
 */
export function createHashLimit({
  maxRunning = MAX_RUNNING_HASHES,
  maxWaiting = MAX_WAITING_HASHES,
  maxWaitMs = MAX_HASH_WAIT_MS,
  maxHashMs = MAX_HASH_MS,
  pauseMs = PAUSE_MS,
  now = () => performance.now(),
  sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}: HashLimitOptions = {}) {
  const takeWaiting = createSlots(maxWaiting, maxWaitMs, now)
  const takeRunning = createSlots(maxRunning, maxHashMs, now)
  let pausedUntil = -Infinity

  /** Takes a slot, and returns the function that frees it. */
  async function takeSlot(): Promise<() => void> {
    const leaveQueue = takeWaiting()
    if (!leaveQueue) throw passwordCapacity()
    const deadline = now() + maxWaitMs
    try {
      for (let ms = 0; ; ms = POLL_MS) {
        await sleep(ms)
        const free = now() >= pausedUntil ? takeRunning() : null
        if (free) return free
        if (now() >= deadline) throw passwordCapacity()
      }
    } finally {
      leaveQueue()
    }
  }

  return async function hashWithin<T>(hash: () => Promise<T>): Promise<T> {
    const free = await takeSlot()
    try {
      return await hash()
    } finally {
      free()
      pausedUntil = now() + pauseMs
    }
  }
}

/**
 * Returns a function that takes a slot. It returns the function that frees the slot, or null if all are taken. Slots expire, because the
 * platform may drop the work of a request whose client disconnected, which then never frees its slot.
 * @param now monotonic milliseconds
 */
export function createSlots(max: number, lifeMs: number, now: () => number = () => performance.now()) {
  const taken = new Set<{ expires: number }>()
  return function takeSlot(): (() => void) | null {
    for (const slot of taken) if (slot.expires <= now()) taken.delete(slot)
    if (taken.size >= max) return null
    const slot = { expires: now() + lifeMs }
    taken.add(slot)
    return () => void taken.delete(slot)
  }
}
