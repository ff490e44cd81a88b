import type { CompiledQuery, Dialect } from '../../hogql/compiled'
import { decoderOf } from '../../hogql/decode'
import type { Literal } from '../../hogql/ir'

/** A datetime in stored form (`timestamps.ts`), a date as `YYYY-MM-DD`. */
export type BoundValue = Literal | readonly Literal[]

export interface Run {
  projectId: number
  /** Defines `today`. */
  timezone: string
  now: Date
  /**
   * By position of the parameter in `CompiledQuery.parameters`, converted to its type: a variable used as text and as a datetime has two
   * positions.
   */
  variables: ReadonlyMap<number, BoundValue>
  /** Within the query's own LIMIT; includes its own OFFSET. */
  limit: number
  offset: number
  /** Id of the caller, for the engine's log. */
  queryId: string | null
  /** JSON by index of `CompiledQuery.computed.tables`. */
  tables?: readonly string[]
}

export interface Rows {
  /** In order of `CompiledQuery.columns`; values as in the API. */
  rows: unknown[][]
}

export interface QueryEngine {
  readonly dialect: Dialect
  /**
   * Runs a query of this engine's dialect.
   * @throws ApiError 400 `query_timeout`, `query_too_large`, `query_memory_limit` and other errors of the query; 503 when the engine is
   * unavailable
   */
  run(query: CompiledQuery, run: Run): Promise<Rows>
}

/** Converts values in place to those of the API. Columns without a decoder cost nothing. */
export function decodeRows(rows: unknown[][], { columns, dialect }: CompiledQuery, timezone: string): void {
  columns.forEach(({ type }, column) => {
    const decoder = decoderOf(type, timezone, dialect)
    if (!decoder) return
    for (const row of rows) row[column] = decoder(row[column])
  })
}
