// Keys that this isolate recognised a moment ago, so that a busy caller costs no look-up.
//
// Trade-off: a key that is revoked, or a user who leaves, may still be served by another isolate for up to TTL_MS. Sessions are never kept
// here: they are looked up for every request, so that revoking one holds at once and everywhere.
import type { Recognised } from './api-keys'

const TTL_MS = 30_000
const CAPACITY = 1_000

export interface KeyCache {
  get(id: string, now: Date): Recognised | null
  set(id: string, entry: Recognised, now: Date): void
  /** Drops everything known of a key: it was rolled, restricted or deleted. */
  forget(keyId: string): void
}

/** A bounded map in order of use: the least recently set entry goes first. Holds digests of keys, never keys. */
export function createKeyCache(): KeyCache {
  const entries = new Map<string, { entry: Recognised; expires: number }>()
  return {
    get(id, now) {
      const found = entries.get(id)
      if (!found) return null
      if (found.expires > now.getTime()) return found.entry
      entries.delete(id)
      return null
    },
    set(id, entry, now) {
      entries.delete(id)
      entries.set(id, { entry, expires: now.getTime() + TTL_MS })
      if (entries.size > CAPACITY) entries.delete(entries.keys().next().value!)
    },
    forget(keyId) {
      for (const [id, { entry }] of entries) if (entry.actor.keyId === keyId) entries.delete(id)
    },
  }
}
