// Finds the SDK operation of a request, and calls it. Any origin may call them.
import { VIEWER } from '../auth/actor'
import { authorizeKey } from '../auth/authorize'
import { findKeyCredential } from '../auth/key-credential'
import type { Deps } from '../deps'
import { apiErrorIn, notAuthenticated, notFound } from '../errors'
import { successStatus } from '../http/operation'
import { renderError } from '../http/render-error'
import { jsonResponse } from '../http/text-response'
import type { RequestFacts } from '../http/log/request-log'
import { countKey } from '../http/limits/throttle'
import { type BodyLimits, CAPTURE_BODY, parseSdkBody, SMALL_BODY } from './body/read-body'
import { tokensAtStart } from './body/early-tokens'
import { visitorIds } from './cookieless'
import type { SdkContext, SdkMethod, SdkOperation } from './operation'
import type { SdkProject } from '../snapshots/document'
import { projectByToken } from './project-token'

/** The headers that are allowed without `Access-Control-Request-Headers`. */
const USUAL_HEADERS = 'Authorization, Content-Encoding, Content-Type, X-Requested-With'
/** Headers that OpenFeature providers read. */
const EXPOSED_HEADERS = 'ETag, Preference-Applied, Retry-After, X-Request-Id, X-Stale-Seconds'
const PREFLIGHT_AGE_S = 86_400

/** A request of an SDK. */
export interface SdkCall {
  deps: Deps
  requestId: string
  request: Request
  url: URL
  params: Readonly<Record<string, string>>
  /** Facts for the log entry. */
  facts: RequestFacts
}

export type SdkHandler = (call: SdkCall) => Promise<Response>

/** The operations of one path. */
interface SdkPath {
  /** The path without a trailing slash. */
  path: string
  route: string
  methods: readonly SdkMethod[]
  /** Handlers by method in upper case. */
  handlers: ReadonlyMap<string, SdkHandler>
}

export interface Sdk {
  readonly paths: readonly SdkPath[]
  /**
   * Returns the handler of a path without parameters, which needs no router and handles errors itself. Returns null for other paths and
   * methods.
   */
  find(method: string, pathname: string): SdkHandler | null
}

export function createSdk(operations: readonly SdkOperation[]): Sdk {
  const byPath = Map.groupBy(
    operations.flatMap((operation) =>
      operation.paths.map((path) => ({ path: withoutSlash(path), operation })),
    ),
    ({ path }) => path,
  )
  const paths = [...byPath].map(([path, entries]): SdkPath => {
    const here = entries.map(({ operation }) => operation)
    return {
      path,
      route: here[0]!.paths[0],
      methods: [...new Set(here.flatMap(({ methods }) => methods))],
      handlers: new Map(
        here.flatMap((operation) =>
          operation.methods.map((method) => [
            method.toUpperCase(),
            (call: SdkCall) => respond(operation, call),
          ]),
        ),
      ),
    }
  })
  const direct = new Map(
    paths.flatMap(({ path, methods, handlers }) =>
      [...handlers].map(([method, handle]) => [`${method} ${path}`, forAnyOrigin(methods, handle)] as const),
    ),
  )
  return { paths, find: (method, pathname) => direct.get(`${method} ${withoutSlash(pathname)}`) ?? null }
}

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path)

const forAnyOrigin =
  (methods: readonly SdkMethod[], handle: SdkHandler): SdkHandler =>
  async (call) => {
    const response = await handle(call).catch((error: unknown) => {
      call.facts.error = error
      return renderError(error)
    })
    allowOrigin(call.request, methods, response.headers)
    return response
  }

/**
 * Allows an origin with credentials, because beacons always send them. SDK operations authenticate by tokens and keys, never by cookies.
 */
export function allowOrigin(request: Request, methods: readonly SdkMethod[], headers: Headers): void {
  const origin = request.headers.get('Origin')
  headers.set('Access-Control-Allow-Origin', origin ?? '*')
  headers.append('Vary', 'Origin')
  if (origin !== null) headers.set('Access-Control-Allow-Credentials', 'true')
  if (request.method !== 'OPTIONS') {
    headers.set('Access-Control-Expose-Headers', EXPOSED_HEADERS)
    return
  }
  headers.set('Access-Control-Allow-Methods', allowed(methods).join(', '))
  headers.set(
    'Access-Control-Allow-Headers',
    request.headers.get('Access-Control-Request-Headers') ?? USUAL_HEADERS,
  )
  headers.set('Access-Control-Max-Age', String(PREFLIGHT_AGE_S))
}

export const allowed = (methods: readonly SdkMethod[]) => [
  ...methods.map((each) => each.toUpperCase()),
  'OPTIONS',
]

async function respond(operation: SdkOperation, call: SdkCall): Promise<Response> {
  call.facts.route = operation.paths[0]
  const result = await operation.handle(contextOf(call))
  if (result instanceof Response) return result
  const status = successStatus(operation)
  if (operation.responses[status] === 'empty') return new Response(null, { status })
  return jsonResponse(result, status, call.request.method !== 'GET')
}

function contextOf({ deps, request, url, requestId, params, facts }: SdkCall): SdkContext {
  let body: Promise<unknown> | undefined
  let isKnown = false
  const find = async (token: unknown): Promise<SdkProject> => {
    const project = await projectByToken(deps, deps.tokenCache, token)
    isKnown = true
    return project
  }
  return {
    deps,
    request,
    url,
    requestId,
    params,
    readBody: (limits = SMALL_BODY) =>
      (body ??= parseSdkBody(request, url, {
        limits,
        lease: deps.memory,
        checkStart: async (start) => isKnown || (await hasKnownToken(find, url, limits, start)),
      })),
    async projectOf(token) {
      const project = await find(token)
      // The level is for the log only, because a token gives no permission.
      facts.project = { ...project, membershipLevel: VIEWER }
      return project
    },
    visitorIdsOf: ({ id }) => visitorIds(id, request, () => deps.dailySalt(deps)),
    async projectOfKey(id) {
      // Cookies are ignored, because any origin may call.
      const credential = await findKeyCredential(partsOf(request, url), () => null)
      if (!credential) throw notAuthenticated()
      const wanted = { kind: 'project', id } as const
      const { actor, project } = await authorizeKey(deps, credential, 'feature_flag:read', wanted, true)
      if (!project) throw notFound()
      facts.actor = actor
      facts.project = project
      await countKey(deps, actor)
      return project
    },
  }
}

const partsOf = ({ headers }: Request, { searchParams }: URL) => ({
  header: (name: string) => headers.get(name) ?? undefined,
  query: (name: string) => searchParams.get(name) ?? undefined,
})

/**
 * Whether a large body has a known token at its start. The token may come last.
 * @throws 401 as `projectByToken` does, when every token found so far is unknown
 */
async function hasKnownToken(
  find: (token: string) => Promise<SdkProject>,
  { searchParams }: URL,
  limits: BodyLimits,
  start: string,
): Promise<boolean> {
  const isCapture = limits === CAPTURE_BODY
  const inAddress = isCapture ? [searchParams.get('api_key'), searchParams.get('token')] : []
  let rejection: unknown = null
  for (const token of [...inAddress, ...tokensAtStart(start, isCapture)]) {
    if (token === null || token === '') continue
    try {
      await find(token)
      return true
    } catch (error) {
      if (apiErrorIn(error)?.status !== 401) throw error
      rejection ??= error
    }
  }
  if (rejection !== null) throw rejection
  return false
}
