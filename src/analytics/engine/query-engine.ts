// Where queries run: one interface, whichever database is behind it.
import type { CompiledQuery, Dialect } from '../../hogql/compiled'
import type { Literal } from '../../hogql/ir'

/** A datetime is in stored form (`timestamps.ts`), a date `YYYY-MM-DD`. */
export type BoundValue = Literal | readonly Literal[]

export interface Run {
  projectId: number
  /** The project's time zone; says what `today` is. */
  timezone: string
  now: Date
  /**
   * What the query's variables are bound to, each in the place of its parameter in `CompiledQuery.parameters`: one that is used as text
   * here and as a moment there has two places. Each has been made to fit its parameter's type.
   */
  variables: ReadonlyMap<number, BoundValue>
  /** Rows to give at most, and to skip; within the query's own LIMIT, and its own OFFSET is in it. */
  limit: number
  offset: number
  /** What the caller calls this run, for the engine's own log. */
  queryId: string | null
}

export interface Rows {
  /** One array a row, in the order of `CompiledQuery.columns`; values as the API shows them. */
  rows: unknown[][]
}

export interface QueryEngine {
  readonly dialect: Dialect
  /**
   * Runs a compiled query of this engine's dialect.
   * @throws ApiError 400 `query_timeout` past the deadline, `query_too_large` for an answer that does not fit, `query_memory_limit`, and
   * whatever else the caller could mend; 503 when the engine cannot be reached.
   */
  run(query: CompiledQuery, run: Run): Promise<Rows>
}
