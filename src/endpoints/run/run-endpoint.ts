// Runs an endpoint (reference/endpoints-api.md §3).
import type * as z from 'zod'
import { dialectOf } from '../../analytics/engine/select-engine'
import type { Actor, Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { ApiError, notFound } from '../../errors'
import { executedMessage, failedMessage, rejectedMessage, type RunPath } from '../logs/log-entry'
import { wake } from '../materialization/hibernate'
import { runBatch } from '../../storage/run-batch'
import { requireAcceptable, requireVersion } from './request-checks'
import { parseRunRequest, resultKeyOf, type RunRequest } from './run-request'
import { type ComputedResult, computeResult, type Computation } from './compute-result'
import { findRunnable, type RunnableEndpoint, type RunnableVersion } from './find-runnable'
import { type MaterializedRead, planMaterializedRead } from './materialized-read'
import type { QueryKind } from './query-kind'
import { type LoggedRun, logRun } from './run-log'
import { renderRun } from './render-run'
import type { StoredResult } from './result-cache'
import type { RunQuery } from './run-schema'
import { countRun, requireRunAllowed } from './run-throttle'
import type { EndpointQuery } from '../query/query-types'
import { hogqlKind } from './hogql-run'
import { insightKind } from './insight-run'

export interface RunContext {
  deps: Deps
  actor: Actor
  project: Project
}

export interface RunInput {
  body: unknown
  query: z.output<typeof RunQuery>
}

/**
 * @throws 429 first; then in the order of §3.2: 404 for an unknown or inactive endpoint, 400 and 404 for the request, 400 for values and
 * errors of the query, 503
 */
export async function runEndpoint(context: RunContext, name: string, sent: RunInput): Promise<Response> {
  const { deps, actor, project } = context
  const { timezone } = project
  const read = await parseInput(context, name, sent)
  const parsed = 'value' in read ? read.value : null
  const { endpoint, stored, runsOfKey } = await findRunnable(context, {
    name,
    version: parsed?.request.version ?? null,
    resultKey: parsed?.request.refresh === 'cache' ? parsed.key : null,
  })
  const now = deps.clock.now()
  const materialized =
    parsed && endpoint?.version
      ? planMaterializedRead(endpoint.version, parsed.request, { timezone, now })
      : null
  const budget = materialized ? 'materialized' : 'inline'
  await requireRunAllowed(deps, actor, budget, runsOfKey)
  if (!endpoint) {
    // Guessing names counts against the limit.
    deps.afterResponse(() => runBatch(deps.db, countRun(deps, actor, budget, now)))
    throw notFound()
  }

  const run: LoggedRun = { ...context, endpoint, now, budget, executionId: deps.ids.opaqueUuid() }
  const checked = check(run, read, materialized)
  const { version, kind, request, key } = checked
  const timed = await computeTimed(run, stored, {
    deps,
    project,
    version,
    kind,
    request,
    key,
    materialized,
    now,
  })
  wakeIfHibernated(run, version)
  return respond(run, checked, timed)
}

function wakeIfHibernated(
  { deps, actor, project, endpoint, now }: LoggedRun,
  version: RunnableVersion,
): void {
  const { materialization } = version
  if (actor.kind !== 'apiKey' || !materialization || materialization.hibernatedAt === null) return
  const { id: versionId, version: number } = version
  const hibernated = {
    projectId: project.id,
    endpointId: endpoint.id,
    name: endpoint.name,
    versionId,
    version: number,
  }
  deps.afterResponse(() => wake(deps, { ...hibernated, id: materialization.id }, now))
}

type Attempt<T> = { value: T } | { error: unknown }

interface ParsedRun {
  request: RunRequest
  key: string
}

/** Returns errors: 404 takes precedence over 400. */
async function parseInput(
  { project: { timezone, store } }: RunContext,
  name: string,
  { body, query }: RunInput,
): Promise<Attempt<ParsedRun>> {
  const dialect = dialectOf(store)
  try {
    const request = parseRunRequest(body, query)
    return { value: { request, key: await resultKeyOf(name, request, { dialect, timezone }) } }
  } catch (error) {
    return { error }
  }
}

interface Checked extends ParsedRun {
  version: RunnableVersion
  kind: QueryKind
}

/** Rows 3 to 12 of §3.2, in order. Logs rejections. */
function check(run: LoggedRun, read: Attempt<ParsedRun>, materialized: MaterializedRead | null): Checked {
  try {
    return acceptable(run.endpoint, read, materialized)
  } catch (error) {
    if (error instanceof ApiError) logRun(run, { level: 'ERROR', message: rejectedMessage(error) })
    throw error
  }
}

function acceptable(
  endpoint: RunnableEndpoint,
  read: Attempt<ParsedRun>,
  materialized: MaterializedRead | null,
): Checked {
  if ('error' in read) throw read.error
  const { request, key } = read.value
  const version = requireVersion(endpoint, request.version)
  const kind = kindOf(version.query)
  requireAcceptable(request, kind, version, materialized)
  return { version, kind, request, key }
}

interface Timed {
  result: ComputedResult
  durationMs: number
}

/** Computes and logs the result. */
async function computeTimed(
  run: LoggedRun,
  stored: StoredResult | null,
  computation: Computation,
): Promise<Timed> {
  const { version } = computation
  const started = performance.now()
  let path: RunPath = 'inline'
  try {
    const result = await computeResult(stored, computation, (taken) => {
      path = taken
    })
    const durationMs = Math.round(performance.now() - started)
    const { isCached, rowCount: rows } = result
    const message = executedMessage({ path, isCached, durationMs, rows, version: version.version })
    logRun(run, { level: 'INFO', message, executed: version, toStore: result.toStore })
    return { result, durationMs }
  } catch (error) {
    logRun(run, { level: 'ERROR', message: failedMessage(path, version.version, error) })
    throw error
  }
}

const FILTERS_OVERRIDE_WARNING =
  'filters_override is deprecated. Use variables instead, or mark the breakdown property as optional on the endpoint ' +
  'if you want to call /run without supplying its value.'

function respond(
  { endpoint, project, executionId }: LoggedRun,
  { version, kind, request, key }: Checked,
  { result, durationMs }: Timed,
): Response {
  const body = renderRun(result, {
    name: endpoint.name,
    executionId,
    version,
    text: kind.text,
    page:
      kind.isHogql && request.limit !== null ? { limit: request.limit, offset: request.offset ?? 0 } : null,
    timezone: project.timezone,
    request,
    resultKey: key,
    durationMs,
  })
  const headers = new Headers({ 'Content-Type': 'application/json' })
  if (request.filtersOverride !== null) headers.set('X-PostHog-Warn', FILTERS_OVERRIDE_WARNING)
  return new Response(body, { headers })
}

function kindOf(query: EndpointQuery): QueryKind {
  switch (query.kind) {
    case 'HogQLQuery':
      return hogqlKind(query)
    case 'TrendsQuery':
    case 'LifecycleQuery':
    case 'RetentionQuery':
    case 'FunnelsQuery':
      return insightKind(query)
  }
}
