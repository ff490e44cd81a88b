// Reads that requests of an isolate share. The platform may cancel a read with the request that began it: others wait for it up to a
// deadline, and then read for themselves.
import { settleWithin } from '../deadline'

export interface SharedReads<Result, Key = number> {
  /**
   * Returns the result of a read that began at `since` or later, or of `start`.
   * @param now and `since`: by the same clock
   */
  read(key: Key, since: number, now: number, start: () => Promise<Result>): Promise<Result>
}

/** @param deadlineMs how long a request waits for the read of another */
export function createSharedReads<Result, Key = number>(deadlineMs = 250): SharedReads<Result, Key> {
  const pending = new Map<Key, { startedAt: number; result: Promise<{ value: Result }> }>()
  return {
    async read(key, since, now, start) {
      const shared = pending.get(key)
      const settled = shared && shared.startedAt >= since && (await settleWithin(shared.result, deadlineMs))
      if (settled) return settled.value
      const result = start().then((value) => ({ value }))
      const read = { startedAt: now, result }
      pending.set(key, read)
      const forget = () => void (pending.get(key) === read && pending.delete(key))
      result.then(forget, forget)
      return (await result).value
    },
  }
}
