/**
 * Returns a function that takes a slot and returns the function that frees it; null if all are taken. Slots expire: the platform may drop the
 * work of a request whose client disconnected, which then never frees its slot.
 * @param now monotonic milliseconds.
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
