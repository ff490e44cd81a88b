// The project that a public token (`phc_…`) names, remembered by the isolate so that a busy client costs no look-up.
//
// Trade-off: a project that is deleted, or gets another token, may still be served by another isolate for up to TTL_MS; for as long as D1
// fails, from what is remembered here or what the project object left in KV.
import { eq } from 'drizzle-orm'
import { projects } from '../../drizzle'
import type { Deps } from '../deps'
import { settleWithin, within } from '../deadline'
import { ApiError, apiErrorIn } from '../errors'
import type { OperationErrors } from '../http/docs/operation-docs'
import { LruCache } from '../lru-cache'
import { type SdkProject, tokenKey } from '../snapshots/document'

const TTL_MS = 60_000
/** How long D1 may take before what is remembered counts, and then KV. */
const DEADLINE_MS = 600
const KV_DEADLINE_MS = 250
/** How long what is remembered counts before D1 is asked again. */
const RETRY_MS = 5_000
/** Bytes of tokens and what is known of their projects: some 1,000. */
export const MAX_TOKEN_CACHE_BYTES = 512 * 1024
/** Bytes of a project: its fields, and the entry. */
const BYTES_OF_A_PROJECT = 300
const LONGEST_TOKEN = 200

interface KnownToken {
  project: SdkProject
  /** Whether it need not be looked up again. */
  isFresh: boolean
}

export interface TokenCache {
  get(token: string, now: Date): KnownToken | null
  set(token: string, project: SdkProject, now: Date, ttlMs?: number): void
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
      return found ? { project: found.project, isFresh: found.expires > now.getTime() } : null
    },
    set(token, project, now, ttlMs = TTL_MS) {
      const weight = BYTES_OF_A_PROJECT + 2 * token.length
      entries.set(token, { project, expires: now.getTime() + ttlMs }, weight)
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

/** For documentation: a field with the token, without the full stop. */
export const tokenField = 'Public token of the project (`phc_…`)'

/** For documentation. */
export const tokenErrors = (): OperationErrors => ({
  'No token': missingToken(),
  'An unknown token': unknownToken('phc_TSSeFzpjqX1CwnprQqFzy89Q08NYoMokMEBgdYmyLGe'),
})

/**
 * The project of a token: one look-up, or none when the isolate saw the token within the last minute. Where D1 fails, the project that the
 * token named last.
 * @throws 401, naming the token, when it is missing or unknown; 503 when D1 fails and nobody remembers the token.
 */
export async function projectByToken(
  { db, env, clock }: Pick<Deps, 'db' | 'env' | 'clock'>,
  cache: TokenCache,
  token: unknown,
): Promise<SdkProject> {
  if (typeof token !== 'string' || token.trim() === '') throw missingToken()
  const wanted = token.trim()
  if (wanted.length > LONGEST_TOKEN) throw unknownToken(wanted)
  const known = cache.get(wanted, clock.now())
  if (known?.isFresh) return known.project
  try {
    const project = await within(findProject(db, wanted), DEADLINE_MS)
    if (!project) throw unknownToken(wanted)
    cache.set(wanted, project, clock.now())
    return project
  } catch (error) {
    if (apiErrorIn(error)?.status === 401) throw error
    const last = known?.project ?? (await publishedProject(env.SNAPSHOTS, wanted))
    if (!last) throw error
    cache.set(wanted, last, clock.now(), RETRY_MS)
    return last
  }
}

/** The project that its object published with a token; null where there is none, or KV fails too. */
const publishedProject = (kv: KVNamespace, token: string): Promise<SdkProject | null> =>
  settleWithin(kv.get<SdkProject>(tokenKey(token), 'json'), KV_DEADLINE_MS)

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
