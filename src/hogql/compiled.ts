// A compiled query, as an endpoint version stores it for each engine.
import type { Estimated } from './cost/budget'
import type { Literal } from './ir'
import type { Constant } from './computed/compute'
import type { Type } from './types'

export type Dialect = 'sqlite' | 'clickhouse'

/** The value that is bound to a placeholder of the SQL. */
export type Parameter =
  /** A constant. D1 binds every number as a REAL: an integer needs CAST(?n AS INTEGER), or is part of the text. */
  | { kind: 'literal'; value: Literal }
  | { kind: 'project' }
  /** A variable, whose value is converted to `type`; an array is bound as JSON text. */
  | { kind: 'variable'; name: string; type: Type }
  | { kind: 'clock'; which: 'now' | 'today' }
  /** The run's limit and offset, within `CompiledQuery.page`. */
  | { kind: 'limit' }
  | { kind: 'offset' }
  /** JSON of a table of results (`CompiledQuery.computed`). */
  | { kind: 'lookup'; table: number }

/** Why an engine cannot run a query. */
export interface Refusal {
  refusal: string
  /** The code of the error, unless it is `invalid_input`. */
  code?: 'query_too_expensive'
}

export interface Statement {
  /** The text, in which the n-th parameter is `?n` for SQLite, and `{p<n>:Type}` for ClickHouse. */
  sql: string
  parameters: Parameter[]
}

/** How a run estimates its cost: statements to run first, and formulas over their results. */
export type CostFormulas = Estimated<Statement, Statement>

/** The tables that the Worker computes before a query runs on D1 (`sqlite/lift-computed.ts`). */
export interface ComputedTables {
  /** Statements of one column, whose distinct values are texts. */
  texts: Statement[]
  /**
   * Tables of results. Each has the value of a function for every text that a statement reads; `constants` are the function's other
   * arguments.
   */
  tables: {
    fn: string
    constants: ({ kind: 'constant'; value: Constant } | Extract<Parameter, { kind: 'variable' }>)[]
    texts: number
    isCondition: boolean
  }[]
}

export interface CompiledQuery extends Statement {
  dialect: Dialect
  /** The text, which ends with a LIMIT and an OFFSET that are parameters. */
  sql: string
  columns: { name: string; type: Type }[]
  page: {
    /** The query's own LIMIT, or null without one. */
    ceiling: number | null
    /** The query's own OFFSET. */
    offset: number
    /** Whether the run's limit and offset apply. They do not apply to a set operation: a run with them is a 400. */
    pageable: boolean
  }
  variables: string[]
  /** The formulas of the cost of a query on D1, which cannot interrupt queries. It is absent from the service's own queries, whose cost is known. */
  cost?: CostFormulas
  computed?: ComputedTables
}

/** The name that a query of materialized rows has in place of their table; the run replaces it. */
export const STORED_TABLE = '"materialized"'

/** Returns the parameters of a query and of what is computed for it. */
export const allParameters = ({
  parameters,
  computed,
}: Pick<CompiledQuery, 'parameters' | 'computed'>): Parameter[] => [
  ...parameters,
  ...(computed?.texts.flatMap((statement) => statement.parameters) ?? []),
  ...(computed?.tables.flatMap(({ constants }) =>
    constants.filter((constant) => constant.kind === 'variable'),
  ) ?? []),
]
