// The project that a public token (`phc_…`) names, remembered by the isolate so that a busy client costs no look-up.
//
// Trade-off: a project that is deleted, or gets another token, may still be served by another isolate for up to TTL_MS.
import { eq } from 'drizzle-orm'
import { projects } from '../../drizzle'
import type { AnalyticsStore } from '../analytics/store'
import type { Deps } from '../deps'
import { ApiError } from '../errors'
import { LruCache } from '../lru-cache'

const TTL_MS = 60_000
/** Bytes of tokens and what is known of their projects: some 1,000. */
export const MAX_TOKEN_CACHE_BYTES = 512 * 1024
/** Bytes of a project: its fields, and the entry. */
const BYTES_OF_A_PROJECT = 300
const LONGEST_TOKEN = 200

/** What SDK endpoints know of a project. */
export interface SdkProject {
  id: number
  organizationId: string
  timezone: string
  requireEvaluationContexts: boolean
  store: AnalyticsStore
}

export interface TokenCache {
  get(token: string, now: Date): SdkProject | null
  set(token: string, project: SdkProject, now: Date): void
  /** Bytes that the cache holds. */
  readonly bytes: number
}

/** Evicts the least recently used token. Unknown tokens are not kept: they would push out known ones. */
export function createTokenCache(maxBytes = MAX_TOKEN_CACHE_BYTES): TokenCache {
  const entries = new LruCache<string, { project: SdkProject; expires: number }>(maxBytes)
  return {
    get bytes() {
      return entries.weight
    },
    get(token, now) {
      const found = entries.get(token)
      if (!found) return null
      if (found.expires > now.getTime()) return found.project
      entries.delete(token)
      return null
    },
    set(token, project, now) {
      const weight = BYTES_OF_A_PROJECT + 2 * token.length
      entries.set(token, { project, expires: now.getTime() + TTL_MS }, weight)
    },
  }
}

const refuse = (code: string, detail: string) =>
  new ApiError({ status: 401, type: 'authentication_error', code, detail, attr: 'api_key' })

/** 401. */
export const missingToken = () =>
  refuse('missing_api_key', 'Project API token not provided. Send it as `api_key` or `token`.')

/** 401. */
export const unknownToken = (token: string) =>
  refuse('invalid_api_key', `Project API token "${token.slice(0, LONGEST_TOKEN)}" is not known.`)

/**
 * The project of a token: one look-up, or none when the isolate saw the token within the last minute.
 * @throws 401, naming the token, when it is missing or unknown.
 */
export async function projectByToken(
  { db, clock }: Deps,
  cache: TokenCache,
  token: unknown,
): Promise<SdkProject> {
  if (typeof token !== 'string' || token.trim() === '') throw missingToken()
  const wanted = token.trim()
  const known = cache.get(wanted, clock.now())
  if (known) return known
  const project = wanted.length > LONGEST_TOKEN ? null : await findProject(db, wanted)
  if (!project) throw unknownToken(wanted)
  cache.set(wanted, project, clock.now())
  return project
}

async function findProject(db: Deps['db'], token: string): Promise<SdkProject | null> {
  const [project] = await db
    .select({
      id: projects.id,
      organizationId: projects.organizationId,
      timezone: projects.timezone,
      requireEvaluationContexts: projects.requireEvaluationContexts,
      shard: projects.shard,
      queryEngine: projects.queryEngine,
    })
    .from(projects)
    .where(eq(projects.apiToken, token))
  if (!project) return null
  const { shard, queryEngine, ...rest } = project
  return { ...rest, store: { shard, queryEngine } }
}
