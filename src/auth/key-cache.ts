// Caches authenticated API keys and their targets in the isolate. Every write to a key drops its entries in the isolate of the write.
// Other isolates use them until they expire. Sessions are never cached, nor are targets of `@current`, which any request can change.
import { jsonBytes } from '../json-bytes'
import { LruCache } from '../lru-cache'
import type { AuthenticatedKey } from './api-keys'

export const KEY_CACHE_MS = 30_000

/** The time for which an expired entry is accepted for reading flag definitions while D1 fails. */
const MAX_OUTAGE_MS = 3_600_000

/** Maximum bytes of JSON: 4,000 keys of a few scopes, or 100 keys of 300 scopes and 100 projects. Objects take about twice as much. */
export const MAX_KEY_CACHE_BYTES = 2 * 1024 * 1024

/** Selects the entries that have all of these in common. */
export interface KeyCacheMatch {
  keyId?: string
  userId?: number
  /** Matches paths in this organization or in one of its projects. */
  organizationId?: string
}

export type KeyCache = ReturnType<typeof createKeyCache>

/** Creates the cache, which evicts the least recently used key. It has digests of keys, and never keys. */
export function createKeyCache(maxBytes = MAX_KEY_CACHE_BYTES) {
  const entries = new LruCache<string, { entry: AuthenticatedKey; expires: number }>(maxBytes)
  let revision = 0

  /** Returns an entry until `lateMs` after it has expired. */
  function find(id: string, now: Date, lateMs: number): AuthenticatedKey | null {
    const found = entries.get(id)
    return found && found.expires + lateMs > now.getTime() ? found.entry : null
  }

  /** Drops every matching entry. */
  function forget(match: KeyCacheMatch): void {
    revision += 1
    for (const [id, { entry }] of entries) if (isMatch(entry, match)) entries.delete(id)
  }

  return {
    /** The bytes of the entries. */
    get bytes() {
      return entries.weight
    },
    get: (id: string, now: Date) => find(id, now, 0),
    /** Returns an entry that may have expired, for when D1 fails. It is null after MAX_OUTAGE_MS. */
    getExpired: (id: string, now: Date) => find(id, now, MAX_OUTAGE_MS),
    /** Read the revision before a lookup, and pass it to `set`. */
    get revision() {
      return revision
    },
    /** Caches a lookup. The lookup is dropped if any entry was forgotten since `revision`, because it may be older than that write. */
    set(id: string, entry: AuthenticatedKey, now: Date, since: number): void {
      if (since !== revision) return
      entries.set(id, { entry, expires: now.getTime() + KEY_CACHE_MS }, id.length + jsonBytes(entry))
    },
    forget,
    /**
     * Runs a write and drops every matching entry, also when the write fails, because a call that exceeded its deadline may have been
     * committed.
     * @returns what `write` returns
     */
    async forgetAfter<T>(match: KeyCacheMatch, write: () => Promise<T>): Promise<T> {
      try {
        return await write()
      } finally {
        forget(match)
      }
    },
  }
}

const isMatch = (
  { actor, access }: AuthenticatedKey,
  { keyId, userId, organizationId }: KeyCacheMatch,
): boolean =>
  (keyId === undefined || actor.keyId === keyId) &&
  (userId === undefined || actor.user.id === userId) &&
  (organizationId === undefined || access?.organizationId === organizationId)
