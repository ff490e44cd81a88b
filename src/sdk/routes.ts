// Routes SDK paths through Hono: those with parameters, other methods, and features that are missing here.
import { type Context, type Handler, Hono, type MiddlewareHandler } from 'hono'
import { methodNotAllowed } from '../errors'
import type { AppEnv } from '../http/app-env'
import { serveAsset } from '../http/asset'
import type { RequestFacts } from '../http/log/request-log'
import type { SdkMethod } from './operation'
import { allowed, allowOrigin, type Sdk, type SdkHandler } from './router'

const EMPTY_MAX_AGE_S = 300

/** Scripts are cached for a day, and for another week while a new copy is fetched, because their names have no version. */
const SCRIPT_CACHING = 'public, max-age=86400, stale-while-revalidate=604800'

/**
 * Scripts of posthog-js by route, for pages that install it with a snippet of HTML. src/cli/postinstall.ts copies them from its
 * package.
 */
const BROWSER_SCRIPTS: Readonly<Record<string, (c: Context<AppEnv>) => Promise<Response>>> = {
  '/static/:file{[a-z-]+\\.js}': (c) => serveAsset(c, `/static/${c.req.param('file')}`, SCRIPT_CACHING),
  // Newer versions first request the scripts of their own version.
  '/static/:version{\\d[\\w.-]*}/:file{[a-z-]+\\.js}': (c) =>
    serveAsset(c, `/static/${c.req.param('file')}`, SCRIPT_CACHING),
  '/array/:token/array.js': (c) => serveAsset(c, '/static/array.js', SCRIPT_CACHING),
}

/** Responses to browsers by path, for features that are missing here. SDKs continue without them. */
const EMPTY_LISTS: Readonly<Record<string, object>> = {
  '/api/early_access_features': { earlyAccessFeatures: [] },
  '/api/product_tours': { product_tours: [] },
  '/api/surveys': { surveys: [], survey_config: null },
  '/api/web_experiments': { experiments: [] },
}

/** Paths of OpenTelemetry. Telemetry is accepted and discarded, because SDKs retry failures. */
const DISCARDED_TELEMETRY: readonly string[] = ['/i/v1/logs', '/i/v1/metrics', '/i/v1/traces']

/** The partial success of OTLP, after which clients must not repeat a request. */
const DISCARDED = { partialSuccess: { errorMessage: 'This service does not store telemetry.' } }

/** Paths that only SDKs request. Pages of any origin can read their 404s. */
const SDK_PATHS: readonly string[] = [
  '/api/conversations/*',
  '/array/*',
  '/batch/*',
  '/capture/*',
  '/decide/*',
  '/e/*',
  '/engage/*',
  '/flags/*',
  '/i/*',
  '/s/*',
  '/static/*',
  '/track/*',
]

/** Routes all SDK paths, with and without trailing slashes, and the paths of features that are missing here. */
export function sdkRoutes({ paths }: Sdk): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  for (const { path, route, methods, handlers } of paths) {
    router.use(path, cors(methods))
    for (const [method, handle] of handlers) router.on(method, [path], (c) => handleIn(c, handle))
    router.all(path, (c) => otherMethod(route, methods, c))
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

async function handleIn(c: Context<AppEnv>, handle: SdkHandler): Promise<Response> {
  const facts: RequestFacts = {}
  try {
    return await handle({
      deps: c.get('deps'),
      requestId: c.get('requestId'),
      request: c.req.raw,
      url: new URL(c.req.url),
      params: c.req.param(),
      facts,
    })
  } finally {
    if (facts.route) c.set('route', facts.route)
    if (facts.actor) c.set('actor', facts.actor)
    if (facts.project) c.set('project', facts.project)
  }
}

function cors(methods: readonly SdkMethod[]): MiddlewareHandler<AppEnv> {
  return async function allowAnyOrigin(c, next) {
    await next()
    // A route inside such a prefix may have set these headers.
    if (c.res.headers.has('Access-Control-Allow-Origin')) return
    const response = new Response(c.res.body, c.res)
    allowOrigin(c.req.raw, methods, response.headers)
    // Otherwise, Hono would merge the headers of both responses.
    c.res = undefined
    c.res = response
  }
}

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
