// Queries of endpoints (decision 28), as stored and shown.

export const VARIABLE_TYPES = ['String', 'Number', 'Boolean', 'List', 'Date'] as const
export type VariableType = (typeof VARIABLE_TYPES)[number]

/** Stored in a query, by id of the project's variable. */
export interface QueryVariable {
  variableId: string
  code_name: string
  value?: unknown
  isNull?: boolean | null
}

export interface HogqlQuery {
  kind: 'HogQLQuery'
  query: string
  variables: Record<string, QueryVariable> | null
  filters: Record<string, unknown> | null
  [key: string]: unknown
}

export const INSIGHT_KINDS = ['TrendsQuery', 'LifecycleQuery', 'RetentionQuery', 'FunnelsQuery'] as const
export type InsightKind = (typeof INSIGHT_KINDS)[number]

export interface InsightQuery {
  kind: InsightKind
  [key: string]: unknown
}

export type EndpointQuery = HogqlQuery | InsightQuery
