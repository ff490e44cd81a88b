// A number of slots that requests of one isolate share.

export interface Slots {
  /** Takes a slot; returns the function that frees it, or null when all are taken. */
  take(): (() => void) | null
}

/**
 * Slots that expire: the platform may drop the work of a request whose client disconnected, which then never frees its slot.
 * @param lifeMs after this time a slot counts as free.
 * @param now milliseconds that only grow.
 */
export function createSlots(max: number, lifeMs: number, now: () => number = () => performance.now()): Slots {
  const taken = new Set<{ expires: number }>()
  return {
    take() {
      for (const slot of taken) if (slot.expires <= now()) taken.delete(slot)
      if (taken.size >= max) return null
      const slot = { expires: now() + lifeMs }
      taken.add(slot)
      return () => void taken.delete(slot)
    },
  }
}
