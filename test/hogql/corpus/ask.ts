// Runs a query of a project in D1 without the API: compiled, bound and run as a run does it.
import { env } from 'cloudflare:workers'
import { d1Failure } from '../../../src/analytics/engine/d1-errors'
import { shardEngine } from '../../support/database/d1-engine'
import { DEFAULT_LIMIT } from '../../../src/endpoints/run/hogql-run'
import { bindVariables } from '../../../src/endpoints/values/bind-variables'
import { type Compiled, compileHogql } from '../../../src/hogql/compile'
import type { CompiledQuery } from '../../../src/hogql/compiled'
import { HogqlError } from '../../../src/hogql/error'
import type { CorpusQuery } from './corpus-query'
import { NOW, propertyType } from './dataset'

export type Question = Pick<CorpusQuery, 'sql' | 'timezone' | 'variables' | 'filters'>

/** Compiles for every engine, with the definitions of the data set. @throws HogqlError */
export const compileQuestion = ({
  sql,
  timezone = 'UTC',
  variables = {},
  filters,
}: Question): Promise<Compiled> =>
  compileHogql(sql, {
    timezone,
    variables: Object.fromEntries(Object.entries(variables).map(([name, { type }]) => [name, type])),
    propertyTypes: propertyType,
    filters,
  })

/** What D1 is to run. @throws HogqlError, also when D1 cannot run it */
export function forD1({ queries: { sqlite } }: Compiled): CompiledQuery {
  if ('refusal' in sqlite) throw new HogqlError(sqlite.refusal)
  return sqlite
}

/** The rows of a compiled query, no more than a run gives that asks for no number. @throws ApiError */
export async function rowsOnD1(
  query: CompiledQuery,
  { timezone = 'UTC', variables = {} }: Question,
  projectId: number,
): Promise<unknown[][]> {
  const engine = shardEngine()
  const values = new Map(Object.entries(variables).map(([name, { value }]) => [name, value]))
  const { rows } = await engine.run(query, {
    projectId,
    timezone,
    now: NOW,
    variables: bindVariables(query, values, timezone),
    limit: query.page.ceiling ?? DEFAULT_LIMIT,
    offset: query.page.offset,
    queryId: null,
  })
  return rows
}

interface PlanStep {
  detail: string
  parent: number
}

/**
 * D1's plans of the statements of a compiled query: of the query, and of what is computed and estimated for it. D1 prepares them and runs
 * none. @throws ApiError for a query that is too complex
 */
export async function plansOnD1(query: CompiledQuery): Promise<PlanStep[][]> {
  const { computed, cost } = query
  const estimates = cost ? [...cost.statistics, ...cost.measures.map((measure) => measure.query)] : []
  const plans = [query, ...(computed?.texts ?? []), ...estimates].map(({ sql, parameters }) =>
    env.EVENTS.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(
      ...parameters.map((parameter) => (parameter.kind === 'literal' ? parameter.value : 1)),
    ),
  )
  const results = await env.EVENTS.batch<PlanStep>(plans).catch((error: unknown) => {
    throw d1Failure(error)
  })
  return results.map((plan) => plan.results)
}
