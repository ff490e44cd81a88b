// The compiled form of a version's query.
import { type SQL, sql } from 'drizzle-orm'
import { invalid } from '../../errors'
import type {
  DefinitionOwner,
  PropertyOwner,
  PropertyType,
} from '../../analytics/property-definitions/property-type'
import type { CompiledQuery, Dialect, Refusal } from '../../hogql/compiled'
import type { CohortReference } from '../../hogql/resolve/resolve'
import type { VariableType } from '../query/query-types'

/** Increment this when the compiler's output changes. Versions that an older compiler compiled are then compiled again. */
export const COMPILER_VERSION = 29

export interface CompiledVersion {
  compiler: number
  /** The time zone that the SQL was compiled for. */
  timezone: string
  /** The types of properties at compilation. A type is null when it was unknown. */
  properties: [owner: PropertyOwner, name: string, type: PropertyType | null][]
  /** The types of variables at compilation. A type is null when the variable did not exist. */
  variables: [id: string, type: VariableType | null][]
  /** The actions that the query reads, as they were at compilation. */
  actions?: [id: number, revision: number][]
  /** The cohorts that the query reads, by what it calls them. */
  cohorts?: [reference: CohortReference, id: number][]
  /** Warnings that a run shows. */
  warnings?: string[]
  /** The names in warnings, which had no definition at compilation. */
  misspelt?: [owner: DefinitionOwner, name: string][]
  /** For each engine the compiled query, or the reason why the engine cannot run it. */
  queries: Partial<Record<Dialect, CompiledQuery | Refusal>>
}

/**
 * SQL condition for selects from `endpoint_versions`: the version has to be compiled again. That is so when it was never compiled, or by
 * an older compiler, or when the time zone, a type of a property or variable, or the steps of an action have changed, or when a cohort no longer has
 * the name by which the query reads it, or when a name that it warns of now has a definition. It reads a row per property, variable,
 * action, cohort and misspelt name.
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
      WHERE q.type IS NOT v.value ->> '$[1]')
    OR EXISTS (SELECT 1 FROM json_each(endpoint_versions.compiled, '$.actions') a LEFT JOIN actions t
      ON t.project_id = endpoint_versions.project_id AND t.id = a.value ->> '$[0]'
      WHERE t.revision IS NOT a.value ->> '$[1]')
    OR EXISTS (SELECT 1 FROM json_each(endpoint_versions.compiled, '$.cohorts') w LEFT JOIN cohorts c
      ON c.project_id = endpoint_versions.project_id AND c.id = w.value ->> '$[1]' AND c.is_static = 1 AND c.deleted = 0
      WHERE iif(json_type(w.value, '$[0]') = 'text', c.name, c.id) IS NOT w.value ->> '$[0]')
    OR EXISTS (SELECT 1 FROM json_each(endpoint_versions.compiled, '$.misspelt') m CROSS JOIN property_definitions d
      ON d.project_id = endpoint_versions.project_id AND d.owner = m.value ->> '$[0]' AND d.name = m.value ->> '$[1]'))`

/**
 * @param attr `query` for a query of the request body
 * @throws 400 with the reason when the engine cannot run the query
 */
export function requireRunnable(
  queries: CompiledVersion['queries'],
  dialect: Dialect,
  attr: 'query' | null,
): CompiledQuery {
  const query = queries[dialect]
  if (query && 'sql' in query) return query
  const detail = query?.refusal ?? 'This query cannot be run by the database of this deployment.'
  throw invalid(attr, attr ? `Invalid HogQL query: ${detail}` : detail, query?.code)
}
