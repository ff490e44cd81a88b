import type { CompiledQuery, Dialect } from '../../hogql/compiled'
import { decoderOf } from '../../hogql/decode'
import type { Literal } from '../../hogql/ir'

/** A value of a parameter. A datetime is in stored form (`timestamps.ts`), a date is `YYYY-MM-DD`. */
export type BoundValue = Literal | readonly Literal[]

export interface Run {
  projectId: number
  /** The time zone in which `today` is the current date. */
  timezone: string
  now: Date
  /**
   * Values by position of the parameter in `CompiledQuery.parameters`, converted to its type: a variable that is used as text and as a
   * datetime has two positions.
   */
  variables: ReadonlyMap<number, BoundValue>
  /** Rows to read, within the query's own LIMIT. `offset` includes the query's own OFFSET. */
  limit: number
  offset: number
  /** The id that the caller gave the query, for the engine's log. */
  queryId: string | null
  /** JSON of the computed tables, by index in `CompiledQuery.computed.tables`. */
  tables?: readonly string[]
}

export interface Rows {
  /** Rows in order of `CompiledQuery.columns`, with values as in the API. */
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

/** Converts values in place to those of the API. Columns without a decoder are not visited. */
export function decodeRows(rows: unknown[][], { columns, dialect }: CompiledQuery, timezone: string): void {
  columns.forEach(({ type }, column) => {
    const decoder = decoderOf(type, timezone, dialect)
    if (!decoder) return
    for (const row of rows) row[column] = decoder(row[column])
  })
}
