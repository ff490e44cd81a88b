// Bounds the passwords that an isolate hashes at the same time. workerd computes scrypt on the isolate's own thread, so that a hash
// blocks all other requests for tens of milliseconds. A pause after each hash lets them run. Waiting requests poll, because a slot that
// is given to a request whose client disconnected would be lost.
import { sleep } from '../../deadline'
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

/**
 * Returns a function that runs a hash when a slot is free. It throws 503 when the queue is full, or when no slot became free in time. The
 * hash has then not run.
 */
export function createHashLimit() {
  const takeWaiting = createSlots(MAX_WAITING_HASHES, MAX_HASH_WAIT_MS)
  const takeRunning = createSlots(MAX_RUNNING_HASHES, MAX_HASH_MS)
  let pausedUntil = -Infinity

  /** Takes a slot, and returns the function that frees it. */
  async function takeSlot(): Promise<() => void> {
    const leaveQueue = takeWaiting()
    if (!leaveQueue) throw passwordCapacity()
    const deadline = performance.now() + MAX_HASH_WAIT_MS
    try {
      for (let ms = 0; ; ms = POLL_MS) {
        await sleep(ms)
        const free = performance.now() >= pausedUntil ? takeRunning() : null
        if (free) return free
        if (performance.now() >= deadline) throw passwordCapacity()
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
      pausedUntil = performance.now() + PAUSE_MS
    }
  }
}

/**
 * Returns a function that takes a slot. It returns the function that frees the slot, or null if all are taken. Slots expire, because the
 * platform may drop the work of a request whose client disconnected, which then never frees its slot.
 */
export function createSlots(max: number, lifeMs: number) {
  const taken = new Set<{ expires: number }>()
  return function takeSlot(): (() => void) | null {
    for (const slot of taken) if (slot.expires <= performance.now()) taken.delete(slot)
    if (taken.size >= max) return null
    const slot = { expires: performance.now() + lifeMs }
    taken.add(slot)
    return () => void taken.delete(slot)
  }
}
