// What a kind of insight consists of.
import type { ResultContext } from './date-range'
import type { TextContext } from './text-parts'

export interface InsightResult {
  results: unknown[] | Record<string, unknown>
  /** Columns are set only for tables. */
  columns?: string[]
  limit?: number
  offset?: number
  hasMore?: boolean
}

export interface InsightKind<Query> {
  /** Returns the SELECT. @throws 400 `query` for what cannot be compiled */
  text(query: Query, context: TextContext): string | Promise<string>
  /** Wall times, instants or stored times for the date variables of the text. @throws 400 `query` for an invalid date range */
  times(query: Query, context: ResultContext): Readonly<Record<string, number | Date | string>>
  /** The rows that are read. Without this function, all are. */
  page?(query: Query): { limit: number; offset: number }
  /** @param rows of the compiled text */
  result(query: Query, rows: readonly unknown[][], context: ResultContext): InsightResult
}

interface Paged {
  limit?: number | null | undefined
  offset?: number | null | undefined
}

/** The page of a table. */
export const pageOf = ({ limit, offset }: Paged) => ({ limit: limit ?? 100, offset: offset ?? 0 })

/** The rows that a table reads: the last one shows whether more follow. */
export function pageWithNext(query: Paged): { limit: number; offset: number } {
  const { limit, offset } = pageOf(query)
  return { limit: limit + 1, offset }
}
