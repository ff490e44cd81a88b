// Caches projects in an isolate, by the tokens that SDKs sent recently.
import { LruCache } from '../lru-cache'
import type { SdkProject } from '../snapshots/document'

const TTL_MS = 60_000
/** Maximum bytes of the cache, which suffice for some 1,000 projects. */
export const MAX_TOKEN_CACHE_BYTES = 512 * 1024
const PROJECT_BYTES = 300

interface KnownToken {
  project: SdkProject
  isFresh: boolean
}

export interface TokenCache {
  get(token: string, now: Date): KnownToken | null
  set(token: string, project: SdkProject, now: Date, ttlMs?: number): void
  readonly bytes: number
}

/** Creates the cache. Unknown tokens are not cached, because they would evict known ones. */
export function createTokenCache(maxBytes = MAX_TOKEN_CACHE_BYTES): TokenCache {
  const entries = new LruCache<string, { project: SdkProject; expires: number }>(maxBytes)
  return {
    get bytes() {
      return entries.weight
    },
    get(token, now) {
      const found = entries.get(token)
      return found ? { project: found.project, isFresh: found.expires > now.getTime() } : null
    },
    set(token, project, now, ttlMs = TTL_MS) {
      const weight = PROJECT_BYTES + 2 * token.length
      entries.set(token, { project, expires: now.getTime() + ttlMs }, weight)
    },
  }
}
