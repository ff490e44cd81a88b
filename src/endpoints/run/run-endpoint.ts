// Runs an endpoint (docs/reference/endpoints.md#order-of-checks-of-a-run).
import type * as z from 'zod'
import { dialectOf } from '../../analytics/engine/select-engine'
import type { Actor } from '../../auth/actor'
import { requireScope } from '../../auth/scopes'
import { ApiError, invalid, notFound, notFoundErrorText } from '../../errors'
import { executedMessage, failedMessage, rejectedMessage, type RunPath } from '../logs/log-entry'
import { textResponse } from '../../http/text-response'
import { parseRunRequest, resultKeyOf, type RunRequest } from './run-request'
import { type ComputedResult, computeResult, type Computation } from './compute-result'
import { findRunnable, type RunnableEndpoint, type RunnableVersion } from './find-runnable'
import {
  isDirectAllowed,
  type MaterializedRead,
  chooseMaterializedRead,
  requireGiven,
} from './materialized-read'
import { requireKnown } from '../values/choose-values'
import type { QueryKind } from './query-kind'
import { type LoggedRun, recordRun } from './record-run'
import { renderRun } from './render-run'
import type { StoredResult } from './result-cache'
import type { RunQuery } from './run-schema'
import { queryKindOf } from './query-kind-of'

type RunContext = Pick<LoggedRun, 'deps' | 'actor' | 'project'>

interface RunInput {
  body: unknown
  query: z.output<typeof RunQuery>
}

/**
 * @throws 429 first; then in upstream's order: 404 for an unknown or inactive endpoint, 400 and 404 for the request, 400 for values and
 * errors of the query, 503
 */
export async function runEndpoint(context: RunContext, name: string, sent: RunInput): Promise<Response> {
  const { deps, actor, project } = context
  const { timezone } = project
  const read = await parseInput(context, name, sent)
  const parsed = 'value' in read ? read.value : null
  const { endpoint, stored } = await findRunnable(context, {
    name,
    version: parsed?.request.version ?? null,
    resultKey: parsed?.request.refresh === 'cache' ? parsed.key : null,
  })
  const now = deps.clock.now()
  const materialized =
    parsed && endpoint?.version
      ? chooseMaterializedRead(endpoint.version, parsed.request, { timezone, now })
      : null
  // A run of an unknown name counts against the limit, so that names cannot be guessed faster.
  await deps.keyQuota.count(deps, actor, materialized ? 'MATERIALIZED_RUN_RATE' : 'RUN_RATE')
  if (!endpoint) throw notFound()

  const run: LoggedRun = { ...context, endpoint, now, executionId: deps.ids.opaqueUuid() }
  const checked = check(run, read, materialized)
  const computation = { deps, project, now, materialized, ...checked }
  const { result, durationMs } = await computeTimed(run, stored, computation)
  return respond(run, checked, result, durationMs)
}

type Attempt<T> = { value: T } | { error: unknown }

interface ParsedRun {
  request: RunRequest
  key: string
}

/** Parses the request. Errors are returned, because 404 takes precedence over 400. */
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

/** Makes the checks that precede the query itself, in upstream's order, and logs rejections. */
function check(run: LoggedRun, read: Attempt<ParsedRun>, materialized: MaterializedRead | null): Checked {
  try {
    if ('error' in read) throw read.error
    const { request } = read.value
    const version = requireVersion(run.endpoint, request.version)
    const kind = queryKindOf(version.query)
    requireAcceptable(request, kind, version, materialized)
    requireHogqlAllowed(run.actor, request)
    return { version, kind, ...read.value }
  } catch (error) {
    if (error instanceof ApiError) recordRun(run, { level: 'ERROR', message: rejectedMessage(error) })
    throw error
  }
}

/** @throws 404 `{error}` for a missing version, 400 for an inactive one */
function requireVersion(
  { name, currentVersion, version }: RunnableEndpoint,
  requested: number | null,
): RunnableVersion {
  if (!version) {
    throw requested === null
      ? notFoundErrorText('No version found for this endpoint')
      : notFoundErrorText(`Version ${requested} not found for endpoint '${name}'`, {
          current_version: currentVersion,
        })
  }
  if (!version.isActive) {
    throw invalid(null, `Version ${version.version} is inactive and cannot be executed.`)
  }
  return version
}

/**
 * Rejects HogQL in the filters of a run, which could read what a query of the caller's own reads.
 * @throws 403 for a key that may run the endpoint, but no queries of its own
 */
function requireHogqlAllowed(actor: Actor, { filtersOverride }: RunRequest): void {
  const hasHogql = filtersOverride?.properties?.some(({ type }) => type === 'hogql') === true
  if (hasHogql && actor.kind === 'apiKey') requireScope(actor.scopes, 'query:read')
}

/**
 * @param materialized the rows that the run reads
 * @throws 400 for settings that the kind does not support, unknown variables, and missing required ones
 */
function requireAcceptable(
  request: RunRequest,
  kind: QueryKind,
  version: Pick<RunnableVersion, 'materialization'>,
  materialized: MaterializedRead | null,
): void {
  const { filtersOverride, offset, refresh, variables } = request
  if (filtersOverride !== null && kind.isHogql) {
    throw invalid('filters_override', 'Not allowed for HogQL endpoints. Use variables instead.')
  }
  if (offset !== null && !kind.isHogql) {
    throw invalid('offset', 'offset is only supported for HogQL endpoints')
  }
  if (refresh === 'direct' && !isDirectAllowed(version)) {
    throw invalid(
      'refresh',
      "'direct' refresh mode is only valid for materialized endpoints. " +
        "Use 'cache' or 'force' instead, or enable materialization on this endpoint.",
    )
  }
  requireKnown(variables, kind.variables)
  if (materialized) requireGiven(materialized)
}

/** Computes the result, and logs the run with its duration. */
async function computeTimed(
  run: LoggedRun,
  stored: StoredResult | null,
  computation: Computation,
): Promise<{ result: ComputedResult; durationMs: number }> {
  const {
    version,
    request: { clientQueryId },
  } = computation
  const started = performance.now()
  const elapsedMs = () => Math.round(performance.now() - started)
  let path: RunPath = 'inline'
  try {
    const result = await computeResult(stored, computation, (taken) => {
      path = taken
    })
    const durationMs = elapsedMs()
    const { isCached, rowCount: rows } = result
    const message = executedMessage({
      path,
      isCached,
      durationMs,
      rows,
      version: version.version,
      clientQueryId,
    })
    recordRun(run, { level: 'INFO', message, executed: version, toStore: result.toStore })
    return { result, durationMs }
  } catch (error) {
    const message = failedMessage({
      path,
      durationMs: elapsedMs(),
      version: version.version,
      error,
      clientQueryId,
    })
    recordRun(run, { level: 'ERROR', message })
    throw error
  }
}

const FILTERS_OVERRIDE_WARNING =
  'filters_override is deprecated. Use variables instead, or mark the breakdown property as optional on the endpoint ' +
  'if you want to call /run without supplying its value.'

function respond(
  { endpoint, project, executionId }: LoggedRun,
  { version, kind, request, key }: Checked,
  result: ComputedResult,
  durationMs: number,
): Response {
  const body = renderRun(result, {
    name: endpoint.name,
    executionId,
    version,
    text: kind.text,
    page:
      kind.isHogql && request.limit !== null ? { limit: request.limit, offset: request.offset ?? 0 } : null,
    timezone: project.timezone,
    warnings: version.warnings,
    request,
    resultKey: key,
    durationMs,
  })
  const headers = new Headers({ 'Content-Type': 'application/json' })
  if (request.filtersOverride !== null) headers.set('X-PostHog-Warn', FILTERS_OVERRIDE_WARNING)
  return textResponse(body, headers)
}
