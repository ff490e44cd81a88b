// A query that is ready to be run: what a version of an endpoint stores, one for each engine.
import type { Estimated } from './cost/value'
import type { Literal } from './ir'
import type { Type } from './types'

export type Dialect = 'sqlite' | 'clickhouse'

/** What a placeholder of the SQL text is bound to when the query runs. */
export type Parameter =
  /** D1 binds every number as a REAL: where an integer is due, the text says CAST(?n AS INTEGER), or carries the digits itself. */
  | { kind: 'literal'; value: Literal }
  | { kind: 'project' }
  /** `type`: what the value has to be made before it is bound; arrays travel as JSON text. */
  | { kind: 'variable'; name: string; type: Type }
  | { kind: 'clock'; which: 'now' | 'today' }
  /** How many rows to give at most, and how many to skip: what the run asked for, within `CompiledQuery.page`. */
  | { kind: 'limit' }
  | { kind: 'offset' }

/** SQL and what its parameters are. */
export interface Statement {
  /** For SQLite the n-th parameter is `?n`, for ClickHouse `{p<n>:Type}`. */
  sql: string
  parameters: Parameter[]
}

/** How the cost of a query is estimated when it runs: statements that are asked first, and what comes of their answers. */
export type CostPlan = Estimated<Statement, Statement>

export interface CompiledQuery extends Statement {
  dialect: Dialect
  /** Ends with a LIMIT and an OFFSET that are parameters. */
  sql: string
  columns: { name: string; type: Type }[]
  page: {
    /** What the query's own LIMIT allows; null when it has none. */
    ceiling: number | null
    /** The query's own OFFSET. */
    offset: number
    /** False for a set operation at the top, which takes no limit and offset of the run (reference/endpoints-api.md §3.2, 15). */
    pageable: boolean
  }
  /** The variables that it reads. */
  variables: string[]
  /** For D1, which cannot stop a query: without it the query is one of the service's own, whose cost is known. */
  cost?: CostPlan
}

/** The name that stands in a query of materialized rows for their table; the run replaces it. */
export const STORED_TABLE = '"materialized"'
