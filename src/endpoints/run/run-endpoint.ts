// Running an endpoint (reference/endpoints-api.md §3): read what is stored, check the request against it, answer from what is kept or ask
// the engine, and note that it happened once the answer is on its way.
import type * as z from 'zod'
import { dialectOf } from '../../analytics/engine'
import type { Actor, Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { ApiError, notFound } from '../../errors'
import { executed, failed, rejected, type RunPath } from '../logs/log-entry'
import { wake } from '../materialization/hibernate'
import { runBatch } from '../../storage/run-batch'
import { requireAcceptable, requireVersion } from './request-checks'
import { parseRunRequest, resultKeyOf, type RunRequest } from './run-request'
import { answerOf, type Computation } from './compute-result'
import { findRunnable, type RunnableEndpoint, type RunnableVersion } from './find-runnable'
import { type KeptRows, keptRowsFor } from './materialized-read'
import type { Kind } from './query-kind'
import { type Noted, noteRun } from './run-log'
import { type Given, renderRun } from './render-run'
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

export interface Sent {
  body: unknown
  query: z.output<typeof RunQuery>
}

/**
 * Runs an endpoint.
 * @returns the whole response.
 * @throws 429 to who runs too often; then in the order of §3.2: 404 for an endpoint that is not there or does not run, 400 and 404 for what
 * the request asks, 400 for values and for what the engine makes of the query, 503.
 */
export async function runEndpoint(context: RunContext, name: string, sent: Sent): Promise<Response> {
  const { deps, actor, project } = context
  const { timezone } = project
  const read = await readAsked(context, name, sent)
  const asked = 'value' in read ? read.value : null
  const { endpoint, stored, runsOfKey } = await findRunnable(context, {
    name,
    version: asked?.request.version ?? null,
    resultKey: asked?.request.refresh === 'cache' ? asked.key : null,
  })
  const now = deps.clock.now()
  const kept =
    asked && endpoint?.version ? keptRowsFor(endpoint.version, asked.request, { timezone, now }) : null
  const budget = kept ? 'materialized' : 'inline'
  await requireRunAllowed(deps, actor, budget, runsOfKey)
  if (!endpoint) {
    // Guessing names counts like running them.
    deps.afterResponse(() => runBatch(deps.db, countRun(deps, actor, budget, now)))
    throw notFound()
  }

  const run: Noted = { ...context, endpoint, now, budget, executionId: deps.ids.opaqueUuid() }
  const checked = check(run, read, kept)
  const { version, kind, request, key } = checked
  const timed = await answerTimed(run, stored, { deps, project, version, kind, request, key, kept, now })
  wakeIfAsleep(run, version)
  return respond(run, checked, timed)
}

/** A call by a key says that somebody uses the version. */
function wakeIfAsleep({ deps, actor, project, endpoint, now }: Noted, version: RunnableVersion): void {
  const { materialization } = version
  if (actor.kind !== 'apiKey' || !materialization || materialization.hibernatedAt === null) return
  const { id: versionId, version: number } = version
  const sleeper = {
    projectId: project.id,
    endpointId: endpoint.id,
    name: endpoint.name,
    versionId,
    version: number,
  }
  deps.afterResponse(() => wake(deps, { ...sleeper, id: materialization.id }, now))
}

type Attempt<T> = { value: T } | { error: unknown }

interface Asked {
  request: RunRequest
  /** Where its answer is kept. */
  key: string
}

/** What is asked, or what is wrong with it: whether the endpoint exists is told first. */
async function readAsked(
  { project: { timezone, store } }: RunContext,
  name: string,
  { body, query }: Sent,
): Promise<Attempt<Asked>> {
  const dialect = dialectOf(store)
  try {
    const request = parseRunRequest(body, query)
    return { value: { request, key: await resultKeyOf(name, request, { dialect, timezone }) } }
  } catch (error) {
    return { error }
  }
}

interface Checked extends Asked {
  version: RunnableVersion
  kind: Kind
}

/** Rows 3 to 12 of §3.2, in their order; what is refused is in the log. */
function check(run: Noted, read: Attempt<Asked>, kept: KeptRows | null): Checked {
  try {
    return acceptable(run.endpoint, read, kept)
  } catch (error) {
    if (error instanceof ApiError) noteRun(run, { level: 'ERROR', message: rejected(error) })
    throw error
  }
}

function acceptable(endpoint: RunnableEndpoint, read: Attempt<Asked>, kept: KeptRows | null): Checked {
  if ('error' in read) throw read.error
  const { request, key } = read.value
  const version = requireVersion(endpoint, request.version)
  const kind = kindOf(version.query)
  requireAcceptable(request, kind, version, kept)
  return { version, kind, request, key }
}

interface Timed {
  given: Given
  durationMs: number
}

/** The answer and how long it took. Whether there is one or not is in the log. */
async function answerTimed(
  run: Noted,
  stored: StoredResult | null,
  computation: Computation,
): Promise<Timed> {
  const { version } = computation
  const started = performance.now()
  let path: RunPath = 'inline'
  try {
    const given = await answerOf(stored, computation, (taken) => {
      path = taken
    })
    const durationMs = Math.round(performance.now() - started)
    const { isCached, rowCount: rows } = given
    const message = executed({ path, isCached, durationMs, rows, version: version.version })
    noteRun(run, { level: 'INFO', message, executed: version })
    return { given, durationMs }
  } catch (error) {
    noteRun(run, { level: 'ERROR', message: failed(path, version.version, error) })
    throw error
  }
}

const FILTERS_OVERRIDE_WARNING =
  'filters_override is deprecated. Use variables instead, or mark the breakdown property as optional on the endpoint ' +
  'if you want to call /run without supplying its value.'

function respond(
  { endpoint, project, executionId }: Noted,
  { version, kind, request, key }: Checked,
  { given, durationMs }: Timed,
): Response {
  const body = renderRun(given, {
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

export function kindOf(query: EndpointQuery): Kind {
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
