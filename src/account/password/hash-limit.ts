// Bounds how many passwords an isolate hashes at once, and how many wait.
//
// workerd computes scrypt on the isolate's own thread: every hash stops all other requests for tens of milliseconds. So each hash starts
// from a timer, which lets requests that arrived meanwhile run first, and callers past the queue get 503 at once.
//
// A waiter polls; nobody wakes it. The platform drops the work of a request whose client disconnected, and a slot handed to such a request
// would be lost. For the same reason slots and places in the queue expire.
import { ApiError } from '../../errors'

/** Each hash takes 16 MiB of the isolate's 128. */
export const MAX_RUNNING_HASHES = 2
export const MAX_WAITING_HASHES = 32
export const MAX_HASH_WAIT_MS = 8_000
/** After this time a running hash counts as abandoned. */
const MAX_HASH_MS = 10_000
const POLL_MS = 5

/** 503: too many passwords are being checked in this isolate. The caller may try again. */
export const passwordCapacity = () =>
  new ApiError({
    status: 503,
    type: 'server_error',
    code: 'password_capacity',
    detail: 'Password checks are temporarily at capacity. Please retry.',
    headers: { 'Retry-After': '1' },
  })

export interface HashLimit {
  /**
   * Runs `hash` when a slot is free.
   * @throws 503 when the queue is full, or when no slot came free in time; then `hash` has not run.
   */
  run<T>(hash: () => Promise<T>): Promise<T>
}

export interface HashLimitOptions {
  maxRunning?: number
  maxWaiting?: number
  maxWaitMs?: number
  maxHashMs?: number
  /** Milliseconds that only grow. */
  now?: () => number
  /** Resolves after some milliseconds, and never before other events had their turn. */
  pause?: (ms: number) => Promise<void>
}

export function createHashLimit({
  maxRunning = MAX_RUNNING_HASHES,
  maxWaiting = MAX_WAITING_HASHES,
  maxWaitMs = MAX_HASH_WAIT_MS,
  maxHashMs = MAX_HASH_MS,
  now = () => performance.now(),
  pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}: HashLimitOptions = {}): HashLimit {
  const waiting = createSlots(maxWaiting, maxWaitMs, now)
  const running = createSlots(maxRunning, maxHashMs, now)

  /** Waits for a slot; returns the function that frees it. */
  async function takeSlot(): Promise<() => void> {
    const leaveQueue = waiting.take()
    if (!leaveQueue) throw passwordCapacity()
    const deadline = now() + maxWaitMs
    try {
      for (let ms = 0; ; ms = POLL_MS) {
        await pause(ms)
        const free = running.take()
        if (free) return free
        if (now() >= deadline) throw passwordCapacity()
      }
    } finally {
      leaveQueue()
    }
  }

  return {
    async run(hash) {
      const free = await takeSlot()
      try {
        return await hash()
      } finally {
        free()
      }
    },
  }
}

/** A number of slots, each of which its holder frees, or which expires. */
function createSlots(max: number, lifeMs: number, now: () => number) {
  const taken = new Set<{ expires: number }>()
  return {
    /** Takes a slot; returns the function that frees it, or null when all are taken. */
    take(): (() => void) | null {
      for (const slot of taken) if (slot.expires <= now()) taken.delete(slot)
      if (taken.size >= max) return null
      const slot = { expires: now() + lifeMs }
      taken.add(slot)
      return () => void taken.delete(slot)
    },
  }
}
