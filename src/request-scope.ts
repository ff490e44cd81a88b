// The scope of a request: its services, the headers of its response, and its log entry.
import { createKnownProperties } from './analytics/capture/learn-properties'
import { createWarningReporter } from './analytics/capture/report-warnings'
import { createQueryGates } from './analytics/query-gate/query-gate-client'
import { userOf } from './auth/actor'
import { createKeyCache } from './auth/key-cache'
import type { Clock, Ids } from './clock'
import type { Deps } from './deps'
import { createConcurrencyLimit } from './endpoints/run/concurrency-limit'
import { createProjectObjects } from './project/project-client'
import { createDailySalt } from './sdk/daily-salt'
import { createTokenCache } from './sdk/token-cache'
import { createLocationMarker } from './snapshots/location-marker'
import { createSnapshots } from './snapshots/reader'
import { createSnapshotCache } from './snapshots/snapshot-cache'
import { nearestReplica, openDatabase } from './storage/database'
import { createMeter } from './storage/metered-d1'
import { openShard } from './storage/shards'
import { settings } from './settings'
import type { RequestScope } from './http/app-env'
import { createKeyQuota } from './http/limits/key-quota'
import { createRequestMemory, MAX_LOADING_MEMORY } from './http/limits/request-memory'
import { countRequest, type Traffic, writeRequestPoint } from './http/log/request-points'
import { costOf, describeError, type Log, loggedPath, type RequestFacts } from './http/log/request-log'

/** Seconds since the flags of a response were last known to be current; absent below a minute. */
const STALE_HEADER = 'X-Stale-Seconds'

type ScopeContext = Pick<ExecutionContext, 'waitUntil'>

/** Opens the scope of a request. */
export type OpenScope = (request: Request, url: URL, env: Env, context: ScopeContext) => RequestScope

/** Creates the scopes of an isolate, which share the caches that outlive requests. */
export function createScopes({ clock, ids, log }: { clock: Clock; ids: Ids; log: Log }): OpenScope {
  const keyCache = createKeyCache()
  const tokenCache = createTokenCache()
  const dailySalt = createDailySalt()
  const knownProperties = createKnownProperties()
  const warnings = createWarningReporter()
  const snapshotCache = createSnapshotCache()
  const queryConcurrency = createConcurrencyLimit()
  const requestMemory = createRequestMemory()
  const loadingMemory = createRequestMemory(MAX_LOADING_MEMORY)
  const keyQuota = createKeyQuota()
  const traffic: Traffic = { since: null, requests: 0, errors: 0, lastMs: [] }

  return function open(request, url, env, context) {
    const started = performance.now()
    traffic.since ??= clock.now()
    const requestId = crypto.randomUUID()
    const meter = createMeter()
    const eventsMeter = createMeter()
    const publishMeter = createMeter()
    const answered = Promise.withResolvers<void>()
    const memory = requestMemory.open()
    const loading = loadingMemory.open()
    let staleMs = 0
    const afterResponse: Deps['afterResponse'] = (work) => {
      const logged = answered.promise
        .then(work)
        .catch((error: unknown) =>
          log({ level: 'error', message: 'work after the response failed', error: describeError(error) }),
        )
      context.waitUntil(logged)
    }
    const snapshotsOf = (projects: Deps['projectObjects']) =>
      createSnapshots({
        cache: snapshotCache,
        kv: env.SNAPSHOTS,
        projects,
        // The publisher has a meter of its own, because the cost of publishing is logged separately.
        publisher: createProjectObjects(env.PROJECTS, publishMeter),
        marker: createLocationMarker(caches.default, url.origin),
        freshnessMs: settings(env).freshnessMs,
        clock,
        memory: loading,
        afterResponse,
        onStale: (ageMs) => (staleMs = Math.max(staleMs, ageMs)),
      })
    // Services are created at first use, because most requests use few of them.
    let db: Deps['db'] | undefined
    let nearestDb: Deps['nearestDb'] | undefined
    let projectObjects: Deps['projectObjects'] | undefined
    let snapshots: Deps['snapshots'] | undefined
    let queryGates: Deps['queryGates'] | undefined
    const deps: Deps = {
      env,
      get db() {
        return (db ??= openDatabase(env.DB, meter))
      },
      get nearestDb() {
        return (nearestDb ??= openDatabase(nearestReplica(env), meter))
      },
      meter,
      eventsMeter,
      shardOf: ({ shard }) => openShard(env, shard, eventsMeter),
      clock,
      ids,
      keyCache,
      tokenCache,
      dailySalt,
      knownProperties,
      warnings,
      get projectObjects() {
        return (projectObjects ??= createProjectObjects(env.PROJECTS, meter))
      },
      get snapshots() {
        return (snapshots ??= snapshotsOf(deps.projectObjects))
      },
      get queryGates() {
        return (queryGates ??= createQueryGates(env.QUERY_GATES, (work) => context.waitUntil(work)))
      },
      queryConcurrency,
      keyQuota,
      memory,
      traffic,
      afterResponse,
      log,
    }

    function close({ headers, status }: Response, { route, actor, project, error }: RequestFacts): void {
      memory.release()
      loading.release()
      headers.set('X-Request-Id', requestId)
      const staleSeconds = Math.ceil(staleMs / 1000)
      if (staleSeconds > 0) headers.set(STALE_HEADER, String(staleSeconds))
      if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store')
      // A response without a body has no type to guess.
      if (status !== 204) headers.set('X-Content-Type-Options', 'nosniff')
      // Pages set their own policy. Everything else gets a deny-all CSP.
      if (!headers.has('Content-Security-Policy'))
        headers.set('Content-Security-Policy', "default-src 'none'")
      const cause = error instanceof Error ? error.cause : undefined
      const durationMs = Math.round((performance.now() - started) * 100) / 100
      countRequest(traffic, status, durationMs)
      writeRequestPoint(env.REQUESTS, {
        route: route ?? null,
        method: request.method,
        status,
        durationMs,
        meter,
      })
      log({
        level: status >= 500 ? 'error' : 'info',
        message: 'request',
        request_id: requestId,
        method: request.method,
        route: route ?? null,
        ...(route ? {} : { path: loggedPath(url.pathname) }),
        status,
        duration_ms: durationMs,
        ...costOf(meter, eventsMeter, publishMeter),
        ...(staleSeconds > 0 ? { stale_s: staleSeconds } : {}),
        actor: actor?.kind ?? 'anonymous',
        user_id: (actor && userOf(actor)?.id) ?? null,
        ...(actor?.kind === 'session' && actor.impersonation
          ? { impersonated_by: actor.impersonation.staffId }
          : {}),
        project_id: project?.id ?? null,
        ...(error && (status >= 500 || cause) ? { error: describeError(error) } : {}),
      })
      answered.resolve()
    }

    return { deps, requestId, url, close }
  }
}
