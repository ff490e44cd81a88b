// Running an endpoint (reference/endpoints-api.md §3): read what is stored, check the request against it, answer from what is kept or ask
// the engine, and note that it happened once the answer is on its way.
import type * as z from 'zod'
import { engineOf } from '../../analytics/engine'
import { MAX_ANSWER, queryTooLarge } from '../../analytics/engine/limits'
import type { QueryEngine } from '../../analytics/engine/query-engine'
import type { Actor, Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { ApiError, apiErrorIn, notFound } from '../../errors'
import { runBatch } from '../../storage/run-batch'
import { executed, failed, rejected } from '../logs/message'
import { addLine } from '../logs/write'
import { requireAcceptable, requireVersion } from './check'
import { noteExecuted } from './executed'
import { findRunnable, type Found, type RunnableEndpoint, type RunnableVersion } from './find'
import type { Kind, Plan } from './kind'
import { kindOf } from './kinds'
import { parseRunRequest, type RunRequest } from './request'
import { type Given, renderRun } from './respond'
import { isFresh, keepResult } from './result-cache'
import { resultKeyOf } from './result-key'
import type { RunQuery } from './schema'
import { countRun, requireRunAllowed } from './throttle'

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
 * @throws in the order of §3.2: 404 for an endpoint that is not there or does not run, 429, 400 and 404 for what the request asks, 400 for
 * values and for what the engine makes of the query, 503.
 */
export async function runEndpoint(context: RunContext, name: string, sent: Sent): Promise<Response> {
  const { deps, actor, project } = context
  const engine = engineOf(deps)
  const executionId = deps.ids.opaqueUuid()
  const parsed = attempt(() => parseRunRequest(sent.body, sent.query))
  const request = 'value' in parsed ? parsed.value : null
  const key = request && (await resultKeyOf(name, request, { ...project, dialect: engine.dialect }))
  const found = await findRunnable(context, {
    name,
    version: request?.version ?? null,
    resultKey: request?.refresh === 'cache' ? key : null,
  })
  const { endpoint } = found
  if (!endpoint) throw notFound()
  await requireRunAllowed(deps, actor, found.runsOfKey)

  const now = deps.clock.now()
  const note = (level: 'INFO' | 'ERROR', message: string, version: RunnableVersion | null) =>
    deps.afterResponse(() =>
      runBatch(deps.db, [
        ...addLine(deps.db, {
          projectId: project.id,
          endpointId: endpoint.id,
          instanceId: executionId,
          at: now,
          level,
          message,
        }),
        ...countRun(deps, actor, now),
        ...(version ? noteExecuted(deps.db, actor, endpoint, version, now) : []),
      ]),
    )

  const checked = attempt(() => check(endpoint, parsed))
  if ('error' in checked) {
    if (checked.error instanceof ApiError) note('ERROR', rejected(checked.error), null)
    throw checked.error
  }
  const { version, kind, asked } = checked.value

  const started = performance.now()
  let given: Given
  try {
    given =
      keptAnswer(found, version, kind, now) ??
      (await compute(context, { engine, endpoint, version, kind, request: asked, key: key!, now }))
  } catch (error) {
    if (apiErrorIn(error)?.status !== 429) note('ERROR', failed('inline', version.version, error), null)
    throw error
  }
  const durationMs = Math.round(performance.now() - started)
  const { isCached, rowCount: rows } = given
  note('INFO', executed({ path: 'inline', isCached, durationMs, rows, version: version.version }), version)

  const text = renderRun(given, {
    name: endpoint.name,
    executionId,
    version,
    text: kind.text,
    timezone: project.timezone,
    request: asked,
    resultKey: key,
    durationMs,
  })
  return new Response(text, {
    headers: {
      'Content-Type': 'application/json',
      ...(asked.filtersOverride === null ? {} : { 'X-PostHog-Warn': FILTERS_OVERRIDE_WARNING }),
    },
  })
}

const FILTERS_OVERRIDE_WARNING =
  'filters_override is deprecated. Use variables instead, or mark the breakdown property as optional on the endpoint ' +
  'if you want to call /run without supplying its value.'

type Attempt<T> = { value: T } | { error: unknown }

/** What `work` gives or throws: whether the endpoint exists is told before what is wrong with the request. */
function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}

interface Checked {
  version: RunnableVersion
  kind: Kind
  asked: RunRequest
}

/** Rows 3 to 11 of §3.2, in their order. */
function check(endpoint: RunnableEndpoint, parsed: Attempt<RunRequest>): Checked {
  if ('error' in parsed) throw parsed.error
  const { value: asked } = parsed
  const version = requireVersion(endpoint, asked.version)
  const kind = kindOf(version.query)
  requireAcceptable(asked, kind)
  return { version, kind, asked }
}

/** An earlier answer, unless it is too old, or what the query's names mean has changed since. */
function keptAnswer({ stored }: Found, version: RunnableVersion, kind: Kind, now: Date): Given | null {
  if (!stored || !isFresh(stored, version, now) || (kind.isHogql && version.compiled === null)) return null
  const { body, rowCount, hasMore, storedAt } = stored
  return { body, rowCount, hasMore, computedAt: new Date(storedAt), isCached: true }
}

interface Computation extends Omit<Checked, 'asked'> {
  engine: QueryEngine
  endpoint: RunnableEndpoint
  request: RunRequest
  key: string
  now: Date
}

/** Asks the engine, and keeps the answer for those who ask the same. */
async function compute(
  { deps, project }: RunContext,
  { engine, version, kind, request, key, now }: Computation,
): Promise<Given> {
  const plan = await kind.plan({ deps, project, version, request, dialect: engine.dialect, now })
  const { timezone, id: projectId } = project
  const rows = await deps.runGate.pass(projectId, () =>
    runSteps(engine, plan, { projectId, timezone, now, queryId: request.clientQueryId }),
  )
  const { body, hasMore } = plan.answer(rows)
  const text = JSON.stringify(body)
  if (text.length > MAX_ANSWER) throw queryTooLarge()
  const rowCount = body.results.length
  if (plan.isCacheable) {
    deps.afterResponse(() =>
      runBatch(deps.db, keepResult(deps.db, { projectId, key, version, body: text, rowCount, hasMore, now })),
    )
  }
  return { body: text, rowCount, hasMore, computedAt: now, isCached: false }
}

const runSteps = (
  engine: QueryEngine,
  { steps }: Plan,
  common: { projectId: number; timezone: string; now: Date; queryId: string | null },
) =>
  Promise.all(
    steps.map(async ({ query, variables, limit, offset }) => {
      const { rows } = await engine.run(query, { ...common, variables, limit, offset })
      return rows
    }),
  )
