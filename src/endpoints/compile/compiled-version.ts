// What a version keeps of its query so that a run need not compile it.
import { type SQL, sql } from 'drizzle-orm'
import { invalid } from '../../errors'
import type { PropertyOwner, PropertyType } from '../../analytics/property-type'
import type { CompiledQuery, Dialect } from '../../hogql/compiled'
import type { VariableType } from '../query/query-types'

/** Goes up whenever the compiler gives something else for the same text: versions compiled by an older one are compiled again. */
export const COMPILER_VERSION = 4

export interface CompiledVersion {
  compiler: number
  /** The project's time zone, which the SQL was written for. */
  timezone: string
  /** What the types of the properties in it were; null where nothing was known. */
  properties: [owner: PropertyOwner, name: string, type: PropertyType | null][]
  /** What the types of its variables were; null for one that the project had no more. */
  variables: [id: string, type: VariableType | null][]
  /** One for each engine that can run it; an engine that cannot has the reason instead. */
  queries: Partial<Record<Dialect, CompiledQuery | { refusal: string }>>
}

/**
 * SQL for whether a version has to be compiled again before it runs: it was never compiled, or by an older compiler, or for another time
 * zone, or the type of a property or variable has become another since. Stands in a select that has `endpoint_versions`; reads a row for each
 * property and variable of the query.
 */
export const isStaleSql = (timezone: string): SQL<number> =>
  sql<number>`(endpoint_versions.compiled IS NULL
    OR endpoint_versions.compiled ->> '$.compiler' IS NOT ${COMPILER_VERSION}
    OR endpoint_versions.compiled ->> '$.timezone' IS NOT ${timezone}
    OR EXISTS (SELECT 1 FROM json_each(endpoint_versions.compiled, '$.properties') p LEFT JOIN property_definitions d
      ON d.project_id = endpoint_versions.project_id AND d.owner = p.value ->> '$[0]' AND d.name = p.value ->> '$[1]'
      WHERE d.type IS NOT p.value ->> '$[2]')
    OR EXISTS (SELECT 1 FROM json_each(endpoint_versions.compiled, '$.variables') v LEFT JOIN query_variables q
      ON q.project_id = endpoint_versions.project_id AND q.id = v.value ->> '$[0]'
      WHERE q.type IS NOT v.value ->> '$[1]'))`

/**
 * What an engine runs of a query.
 * @throws 400 with the reason when it cannot run it.
 */
export function runnable(queries: CompiledVersion['queries'], dialect: Dialect): CompiledQuery {
  const query = queries[dialect]
  if (query && 'sql' in query) return query
  throw invalid(null, query?.refusal ?? 'This query cannot be run by the database of this deployment.')
}

/** The same of a query that was sent, before it is stored. @throws 400, attr `query`. */
export function requireRunnable(queries: CompiledVersion['queries'], dialect: Dialect): void {
  const query = queries[dialect]
  if (query && 'refusal' in query) throw invalid('query', `Invalid HogQL query: ${query.refusal}`)
}
