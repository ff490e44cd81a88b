// Routes SDK operations. Any origin may call them.
import { type Context, type Handler, Hono, type MiddlewareHandler } from 'hono'
import { authorizeKey } from '../auth/authorize'
import { findKeyCredential } from '../auth/key-credential'
import { apiErrorIn, methodNotAllowed, notAuthenticated, notFound } from '../errors'
import type { AppEnv } from '../http/app-env'
import { successStatus } from '../http/operation'
import { countKey } from '../http/throttle'
import { type BodyLimits, CAPTURE_BODY, parseSdkBody, SMALL_BODY } from './body/read-body'
import { tokensAtStart } from './body/early-tokens'
import { BROWSER_SCRIPTS } from './browser-scripts'
import { DISCARDED, DISCARDED_TELEMETRY, EMPTY_LISTS, SDK_PATHS } from './missing-features'
import type { SdkContext, SdkMethod, SdkOperation } from './operation'
import type { SdkProject } from '../snapshots/document'
import { createTokenCache, projectByToken, type TokenCache } from './project-token'

/** Default without `Access-Control-Request-Headers`. */
const USUAL_HEADERS = 'Authorization, Content-Encoding, Content-Type, X-Requested-With'
/** For OpenFeature providers. */
const EXPOSED_HEADERS = 'ETag, Preference-Applied, Retry-After, X-Request-Id, X-Stale-Seconds'
const PREFLIGHT_AGE_S = 86_400
const EMPTY_MAX_AGE_S = 300

/** Creates the router, with and without trailing slashes. Call it once per isolate: it has a cache. */
export function sdkRouter(operations: readonly SdkOperation[]): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  const tokens = createTokenCache()
  const byPath = Map.groupBy(
    operations.flatMap((operation) =>
      operation.paths.map((path) => ({ path: path.replace(/\/$/, ''), operation })),
    ),
    ({ path }) => path,
  )
  for (const [path, entries] of byPath) {
    const here = entries.map(({ operation }) => operation)
    const methods = [...new Set(here.flatMap((operation) => operation.methods))]
    router.use(path, cors(methods))
    for (const operation of here) {
      const verbs = operation.methods.map((method) => method.toUpperCase())
      router.on(verbs, [path], (c) => respond(operation, tokens, c))
    }
    router.all(path, (c) => otherMethod(here[0]!.paths[0], methods, c))
  }
  const add = (path: string, method: SdkMethod, handle: Handler<AppEnv>) => {
    router.use(path, cors([method]))
    router.on(method.toUpperCase(), [path], (c, next) => {
      c.set('route', path)
      return handle(c, next)
    })
    router.all(path, (c) => otherMethod(path, [method], c))
  }
  for (const [path, body] of Object.entries(EMPTY_LISTS)) {
    add(path, 'get', (c) => c.json(body, 200, { 'Cache-Control': `public, max-age=${EMPTY_MAX_AGE_S}` }))
  }
  for (const path of DISCARDED_TELEMETRY) add(path, 'post', (c) => c.json(DISCARDED))
  for (const [path, serve] of Object.entries(BROWSER_SCRIPTS)) add(path, 'get', serve)
  for (const path of SDK_PATHS) {
    router.use(path, cors(['get', 'post']))
    router.options(path, (c) => c.body(null, 204))
  }
  return router
}

/** Allows credentials, because beacons always send them. SDK operations authenticate by tokens and keys, never by cookies. */
function cors(methods: readonly SdkMethod[]): MiddlewareHandler<AppEnv> {
  return async function allowAnyOrigin(c, next) {
    await next()
    // A route within a prefix that has its own.
    if (c.res.headers.has('Access-Control-Allow-Origin')) return
    const origin = c.req.header('Origin')
    c.header('Access-Control-Allow-Origin', origin ?? '*')
    c.header('Vary', 'Origin', { append: true })
    if (origin) c.header('Access-Control-Allow-Credentials', 'true')
    if (c.req.method !== 'OPTIONS') {
      c.header('Access-Control-Expose-Headers', EXPOSED_HEADERS)
      return
    }
    c.header('Access-Control-Allow-Methods', allowed(methods).join(', '))
    c.header('Access-Control-Allow-Headers', c.req.header('Access-Control-Request-Headers') ?? USUAL_HEADERS)
    c.header('Access-Control-Max-Age', String(PREFLIGHT_AGE_S))
  }
}

const allowed = (methods: readonly SdkMethod[]) => [...methods.map((each) => each.toUpperCase()), 'OPTIONS']

function otherMethod(route: string, methods: readonly SdkMethod[], c: Context<AppEnv>): Response {
  c.set('route', route)
  switch (c.req.method) {
    case 'HEAD':
      return c.body(null, 200)
    case 'OPTIONS':
      return c.body(null, 204)
    default:
      throw methodNotAllowed(c.req.method, allowed(methods))
  }
}

async function respond(operation: SdkOperation, tokens: TokenCache, c: Context<AppEnv>): Promise<Response> {
  c.set('route', operation.paths[0])
  const result = await operation.handle(contextOf(tokens, c))
  if (result instanceof Response) return result
  const status = successStatus(operation)
  if (operation.responses[status] === 'empty') return new Response(null, { status })
  return Response.json(result, { status })
}

function contextOf(tokens: TokenCache, c: Context<AppEnv>): SdkContext {
  const deps = c.get('deps')
  const url = new URL(c.req.url)
  let body: Promise<unknown> | undefined
  let isKnown = false
  const find = async (token: unknown): Promise<SdkProject> => {
    const project = await projectByToken(deps, tokens, token)
    isKnown = true
    return project
  }
  return {
    deps,
    request: c.req.raw,
    url,
    requestId: c.get('requestId'),
    params: c.req.param(),
    readBody: (limits = SMALL_BODY) =>
      (body ??= parseSdkBody(c.req.raw, url, {
        limits,
        lease: deps.memory,
        admit: async (start) => (isKnown ? undefined : admit(find, url, limits, start)),
      })),
    async projectOf(token) {
      const project = await find(token)
      // For the log only; a token gives no permission.
      c.set('project', { ...project, membershipLevel: 0 })
      return project
    },
    async projectOfKey(id) {
      // Any origin may call, so cookies are ignored.
      const credential = await findKeyCredential(c.req, () => null)
      if (!credential) throw notAuthenticated()
      const wanted = { kind: 'project', id } as const
      const { actor, project } = await authorizeKey(deps, credential, 'feature_flag:read', wanted, true)
      if (!project) throw notFound()
      c.set('actor', actor)
      c.set('project', project)
      await countKey(deps, actor)
      return project
    },
  }
}

/**
 * Rejects a large body when every token found so far is unknown. Without a token, reading continues: the token may come last.
 * @throws 401 as `projectByToken` does
 */
async function admit(
  find: (token: string) => Promise<SdkProject>,
  { searchParams }: URL,
  limits: BodyLimits,
  start: string,
): Promise<void> {
  const isCapture = limits === CAPTURE_BODY
  const inAddress = isCapture ? [searchParams.get('api_key'), searchParams.get('token')] : []
  let rejection: unknown = null
  for (const token of [...inAddress, ...tokensAtStart(start, isCapture)]) {
    if (token === null || token === '') continue
    try {
      await find(token)
      return
    } catch (error) {
      if (apiErrorIn(error)?.status !== 401) throw error
      rejection ??= error
    }
  }
  if (rejection !== null) throw rejection
}
