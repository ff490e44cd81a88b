// A text of HogQL, compiled by our compiler and run by the real engine over HTTP.
import { createClickhouseEngine, type Limits } from '../../../src/analytics/engine/clickhouse-engine'
import type { ClickhouseServer } from '../../../src/analytics/clickhouse/server'
import { bindVariables } from '../../../src/endpoints/values/bind-variables'
import { printClickhouse } from '../../../src/hogql/clickhouse/print'
import type { CompiledQuery } from '../../../src/hogql/compiled'
import { parseQuery } from '../../../src/hogql/parser/parse'
import { resolve, type StoredFilters, type VariableType } from '../../../src/hogql/resolve/resolve'
import { NOW, propertyType } from '../../hogql/corpus/dataset'
import { COHORT } from './load-corpus'

export interface Question {
  sql: string
  timezone?: string
  variables?: Readonly<Record<string, { type: VariableType; value: unknown }>>
  filters?: StoredFilters
}

/** More rows than any question here gives. */
const ALL = 50_000

/** @throws HogqlError for what our compiler rejects. */
export async function compileFor({
  sql,
  timezone = 'UTC',
  variables = {},
  filters,
}: Question): Promise<CompiledQuery> {
  const resolved = resolve(parseQuery(sql), {
    sql,
    timezone,
    variables: Object.fromEntries(Object.entries(variables).map(([name, { type }]) => [name, type])),
    propertyTypes: propertyType,
    filters,
    findCohort: () => COHORT,
  })
  return printClickhouse(resolved, { timezone })
}

/** @throws ApiError for what the engine makes of the query. */
export async function run(
  server: ClickhouseServer,
  projectId: number,
  query: CompiledQuery,
  { timezone = 'UTC', variables = {} }: Question,
  limits?: Limits,
): Promise<unknown[][]> {
  const values = new Map(Object.entries(variables).map(([name, { value }]) => [name, value]))
  const { rows } = await createClickhouseEngine(server, limits).run(query, {
    projectId,
    timezone,
    now: NOW,
    variables: bindVariables(query, values, timezone),
    limit: query.page.ceiling ?? ALL,
    offset: query.page.offset,
    queryId: null,
  })
  return rows
}
