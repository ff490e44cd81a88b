// Finds the project of a public token (`phc_…`), and caches it in the isolate. A deleted project or a replaced token may work for up to a
// minute. While D1 fails, it works as long as it is cached or published in KV.
import { eq } from 'drizzle-orm'
import { projects } from '../../drizzle'
import type { Deps } from '../deps'
import { settleWithin, within } from '../deadline'
import { ApiError, apiErrorIn } from '../errors'
import type { OperationErrors } from '../http/docs/operation-docs'
import { type SdkProject, tokenKey } from '../snapshots/document'
import type { TokenCache } from './token-cache'

/** The deadline of D1, after which the cached or published project is used. */
const DEADLINE_MS = 600
const KV_DEADLINE_MS = 250
/** The time after a failure until a cached project is queried again. */
const RETRY_MS = 5_000
const MAX_TOKEN_LENGTH = 200

const unauthorized = (code: string, detail: string) =>
  new ApiError({ status: 401, type: 'authentication_error', code, detail, attr: 'api_key' })

/** The error of events of several projects, of which one would get the events of all. */
export const inconsistentTokens = (index: number) =>
  unauthorized(
    'inconsistent_api_key',
    `Batch submitted with inconsistent api_key values: the token of event ${index} is another one than that of the address or of the events before it.`,
  )

/** Matches personal API keys, and secret keys of upstream's projects, anywhere in a text such as `Bearer phx_…`. */
const SECRET = /ph[xs]_/

const masked = (token: string): string =>
  `${SECRET.exec(token)![0]}...${token.length > 40 ? token.slice(-4) : ''}`

const missingToken = () =>
  unauthorized('missing_api_key', 'Project API token not provided. Send it as `api_key` or `token`.')

/** The error of an unknown token. It does not repeat a secret, because logs and screens show errors. */
export const unknownToken = (token: string) =>
  SECRET.test(token)
    ? unauthorized(
        'invalid_personal_api_key',
        `"${masked(token)}" is ${token.includes('phs_') ? 'a secret key' : 'a personal API key'}, not a project API token. Send the public token of the project (phc_…).`,
      )
    : unauthorized('invalid_api_key', `Project API token "${token.slice(0, MAX_TOKEN_LENGTH)}" is not known.`)

/** Returns the token of the `Authorization` header. */
export function bearerOf(headers: Headers): string | null {
  const [scheme, value] = (headers.get('Authorization') ?? '').trim().split(/\s+/, 2)
  return scheme?.toLowerCase() === 'bearer' && value ? value : null
}

/** Documentation of a field with the token. */
export const tokenField = 'Public token of the project (`phc_…`)'

export const tokenErrors = (): OperationErrors => ({
  'No token': missingToken(),
  'An unknown token': unknownToken('phc_TSSeFzpjqX1CwnprQqFzy89Q08NYoMokMEBgdYmyLGe'),
})

/**
 * Finds the project in the cache or D1. When D1 fails, it is the last known project.
 * @throws 401 when the token is missing or unknown; 503 when D1 fails and the token is neither cached nor in KV
 */
export async function projectByToken(
  { db, env, clock }: Pick<Deps, 'db' | 'env' | 'clock'>,
  cache: TokenCache,
  token: unknown,
): Promise<SdkProject> {
  if (typeof token !== 'string' || token.trim() === '') throw missingToken()
  const trimmed = token.trim()
  if (trimmed.length > MAX_TOKEN_LENGTH) throw unknownToken(trimmed)
  const known = cache.get(trimmed, clock.now())
  if (known?.isFresh) return known.project
  try {
    const project = await within(findProject(db, trimmed), DEADLINE_MS)
    if (!project) throw unknownToken(trimmed)
    cache.set(trimmed, project, clock.now())
    return project
  } catch (error) {
    if (apiErrorIn(error)?.status === 401) throw error
    const last = known?.project ?? (await publishedProject(env.SNAPSHOTS, trimmed))
    if (!last) throw error
    cache.set(trimmed, last, clock.now(), RETRY_MS)
    return last
  }
}

/** Returns the project as it is published in KV, or null without one, or if KV fails. */
const publishedProject = (kv: KVNamespace, token: string): Promise<SdkProject | null> =>
  settleWithin(kv.get<SdkProject>(tokenKey(token), 'json'), KV_DEADLINE_MS)

async function findProject(db: Deps['db'], token: string): Promise<SdkProject | null> {
  const [project] = await db
    .select({
      id: projects.id,
      organizationId: projects.organizationId,
      timezone: projects.timezone,
      shard: projects.shard,
      queryEngine: projects.queryEngine,
    })
    .from(projects)
    .where(eq(projects.apiToken, token))
  if (!project) return null
  const { shard, queryEngine, ...rest } = project
  return { ...rest, store: { shard, queryEngine } }
}
