// The Hono app: middleware, then one router per area.
import { Hono } from 'hono'
import { consolePages } from './account/pages/console-pages'
import { invitePages } from './account/pages/invite-pages'
import { resetPages } from './account/pages/reset-pages'
import { settingsPages } from './account/pages/settings-pages'
import { signInPages } from './account/pages/sign-in-pages'
import { openShard } from './storage/shards'
import { createKnownProperties } from './analytics/capture/learn-properties'
import { createQueryGates } from './analytics/query-gate/gateway'
import { createKeyCache } from './auth/key-cache'
import { userOf } from './auth/actor'
import { type Clock, createIds, type Ids, systemClock } from './clock'
import type { Deps } from './deps'
import { areas } from './areas'
import { referencePages } from './docs/page'
import { createConcurrencyLimit } from './endpoints/run/concurrency-limit'
import { endpointPages } from './endpoints/page/endpoint-pages'
import type { AppEnv } from './http/app-env'
import { areaRouter } from './http/area-router'
import { createRequestMemory } from './http/request-memory'
import { healthRoutes } from './http/health'
import { createHourlyQuota } from './http/hourly-quota'
import { renderError } from './http/render-error'
import { consoleLog, costOf, describeError, type Log, loggedPath } from './http/request-log'
import { unknownPath } from './http/unserved-paths'
import { mcpRoutes } from './mcp/routes'
import { createProjects } from './project/gateway'
import { sdkOperations } from './sdk/operations'
import { sdkRouter } from './sdk/router'
import { createLocationMarker } from './snapshots/location-marker'
import { createSnapshotCache, createSnapshots } from './snapshots/reader'
import { openDatabase } from './storage/database'
import { createMeter } from './storage/metered-d1'

/** Seconds since the flags of a response were last known to be current; absent below a minute. */
const STALE_HEADER = 'X-Stale-Seconds'

export interface AppOptions {
  clock?: Clock
  ids?: Ids
  log?: Log
}

/** Called once per isolate: the app has the caches that outlive requests. */
export function createApp({
  clock = systemClock,
  ids = createIds(),
  log = consoleLog,
}: AppOptions = {}): Hono<AppEnv> {
  const keyCache = createKeyCache()
  const knownProperties = createKnownProperties()
  const snapshotCache = createSnapshotCache()
  const runLimit = createConcurrencyLimit()
  const requestMemory = createRequestMemory()
  const hourlyQuota = createHourlyQuota()
  const app = new Hono<AppEnv>({ strict: false })

  app.use(async function prepare(c, next) {
    const started = performance.now()
    const meter = createMeter()
    const eventsMeter = createMeter()
    const answered = Promise.withResolvers<void>()
    let staleMs = 0
    const afterResponse: Deps['afterResponse'] = (work) => {
      const logged = answered.promise
        .then(work)
        .catch((error: unknown) =>
          log({ level: 'error', message: 'work after the response failed', error: describeError(error) }),
        )
      c.executionCtx.waitUntil(logged)
    }
    const projects = createProjects(c.env.PROJECTS, meter)
    const publishMeter = createMeter()
    const memory = requestMemory.open()
    const deps: Deps = {
      env: c.env,
      db: openDatabase(c.env.DB, meter),
      meter,
      eventsMeter,
      shardOf: ({ shard }) => openShard(c.env, shard, eventsMeter),
      clock,
      ids,
      keyCache,
      knownProperties,
      projects,
      snapshots: createSnapshots({
        cache: snapshotCache,
        kv: c.env.SNAPSHOTS,
        projects,
        publisher: createProjects(c.env.PROJECTS, publishMeter),
        marker: createLocationMarker(caches.default, new URL(c.req.url).origin),
        clock,
        memory,
        afterResponse,
        onStale: (ageMs) => (staleMs = Math.max(staleMs, ageMs)),
      }),
      queryGates: createQueryGates(c.env.QUERY_GATES, (work) => c.executionCtx.waitUntil(work)),
      runLimit,
      hourlyQuota,
      memory,
      afterResponse,
      log,
    }
    const requestId = crypto.randomUUID()
    c.set('deps', deps)
    c.set('requestId', requestId)
    try {
      await next()
    } finally {
      memory.release()
    }

    c.header('X-Request-Id', requestId)
    const staleSeconds = Math.ceil(staleMs / 1000)
    if (staleSeconds > 0) c.header(STALE_HEADER, String(staleSeconds))
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'private, no-store')
    // No body, nothing to sniff.
    if (c.res.status !== 204) c.header('X-Content-Type-Options', 'nosniff')
    // Pages set their own policy. Everything else gets a deny-all CSP.
    if (!c.res.headers.has('Content-Security-Policy')) {
      c.header('Content-Security-Policy', "default-src 'none'")
    }
    const actor = c.get('actor')
    log({
      level: c.res.status >= 500 ? 'error' : 'info',
      message: 'request',
      request_id: requestId,
      method: c.req.method,
      route: c.get('route') ?? null,
      ...(c.get('route') ? {} : { path: loggedPath(new URL(c.req.url).pathname) }),
      status: c.res.status,
      duration_ms: Math.round((performance.now() - started) * 100) / 100,
      ...costOf(meter, eventsMeter, publishMeter),
      ...(staleSeconds > 0 ? { stale_s: staleSeconds } : {}),
      actor: actor?.kind ?? 'anonymous',
      user_id: (actor && userOf(actor)?.id) ?? null,
      ...(actor?.kind === 'session' && actor.impersonation
        ? { impersonated_by: actor.impersonation.staffId }
        : {}),
      project_id: c.get('project')?.id ?? null,
      ...(c.error && (c.res.status >= 500 || c.error.cause) ? { error: describeError(c.error) } : {}),
    })
    answered.resolve()
  })

  app.route('/', referencePages())
  app.route('/', healthRoutes())
  for (const { operations } of areas) app.route('/', areaRouter(operations))
  app.route('/', signInPages())
  app.route('/', invitePages())
  app.route('/', resetPages())
  app.route('/', settingsPages())
  app.route('/', endpointPages())
  app.route('/', consolePages())
  app.route('/', sdkRouter(sdkOperations))
  app.route(
    '/',
    mcpRoutes((request, c) => app.fetch(request, c.env, c.executionCtx)),
  )

  app.notFound((c) => renderError(unknownPath(c.req.path)))
  app.onError((error) => renderError(error))
  return app
}
