// Runs a query that is not saved. Its result is not stored.
import { engineFor } from '../../analytics/engine/select-engine'
import { textResponse } from '../../http/text-response'
import type { EndpointContext } from '../context'
import { bodyOf, rowsIn, runBound } from '../run/compute-result'
import { sourceOf } from '../query/source-query'
import type { SourceQuery } from '../query/query-types'
import type { TextFacts } from '../compile/compile-text'
import type { SavedVariables } from '../values/choose-values'
import { DEFAULT_LIMIT } from '../run/hogql-run'
import { queryKindOf } from '../run/query-kind-of'
import { appended, resultFields } from '../run/render-run'
import { invalid } from '../../errors'
import { checkQuery, compileSent } from './check-query'
import { databaseSchema } from './database-schema'
import { type QueryRequest, SUPPORTED_KINDS } from './query-request'

type Context = Pick<EndpointContext, 'deps' | 'actor' | 'project'>

/** @throws 429 first; 400 for an unsupported kind, an invalid query and errors of its run; 503 */
export async function respondToQuery(context: Context, request: QueryRequest): Promise<unknown> {
  const { deps, actor } = context
  // Every call counts as a run, because compiling costs what a small run does.
  await deps.keyQuota.count(deps, actor, 'RUN_RATE')
  const { query } = request
  switch (query.kind) {
    case 'HogQLMetadata':
      return checkQuery(context, query)
    case 'DatabaseSchemaQuery':
      return databaseSchema()
    default:
      return runUnsaved(context, request)
  }
}

/** Returns the variables of a query, which has their defaults as its values. */
const variablesOf = (query: SourceQuery, types: TextFacts['variables']): SavedVariables => {
  const variables = (query.kind === 'HogQLQuery' && query.variables) || {}
  return Object.fromEntries(
    Object.values(variables).map(({ variableId, code_name: name }) => [
      variableId.toLowerCase(),
      { type: types[name]!, defaultValue: null },
    ]),
  )
}

async function runUnsaved(
  { deps, project }: Context,
  { query: sent, client_query_id: clientQueryId }: QueryRequest,
): Promise<Response> {
  const { kind: name } = sent
  if (typeof name !== 'string' || !SUPPORTED_KINDS.includes(name)) {
    const named = typeof name === 'object' ? JSON.stringify(name) : String(name)
    const failure =
      name === undefined ? 'A query needs a kind.' : `Query kind '${named.slice(0, 100)}' is not supported.`
    throw invalid('query', `${failure} Supported: ${SUPPORTED_KINDS.join(', ')}.`)
  }
  const { timezone } = project
  const now = deps.clock.now()
  const engine = engineFor(deps, project)
  const { dialect } = engine
  const { query: stored, compiled, runnable, facts } = await compileSent({ deps, project }, sent, now)
  const query = sourceOf(stored)
  const kind = queryKindOf(query)
  const { page } = runnable
  const isOpen = kind.isHogql && page.pageable && page.ceiling === null
  const request = {
    variables: {},
    filtersOverride: null,
    limit: isOpen ? DEFAULT_LIMIT : null,
    offset: null,
    refresh: 'force' as const,
    debug: false,
    clientQueryId: clientQueryId ?? null,
    version: null,
  }
  const version = {
    id: '',
    query,
    compiled: JSON.stringify(compiled),
    savedVariables: variablesOf(query, facts.variables),
    materialization: null,
  }
  const bound = await kind.bind({ deps, project, version, request, dialect, now, materialized: null })
  const started = performance.now()
  const shaped = bound.shape(await runBound(engine, bound, { deps, project, request, now }))
  const seconds = Math.round(performance.now() - started) / 1000
  const result = {
    body: bodyOf(shaped),
    rowCount: rowsIn(shaped.body.results),
    hasMore: shaped.hasMore,
    computedAt: now,
    expiresAt: now,
    isCached: false,
    materialized: null,
  }
  const limit = isOpen ? { limit: DEFAULT_LIMIT, offset: 0 } : null
  const body = appended(result.body, {
    ...resultFields(result, { text: kind.text, page: limit, timezone, warnings: compiled.warnings ?? [] }),
    hogql: kind.text,
    cache_key: null,
    timings: [{ k: './execute', t: seconds }],
  })
  return textResponse(body, { 'Content-Type': 'application/json' })
}
