// How many rows a run gives, and whether there are more (reference/endpoints-api.md §3.6).
import { ROW_CAP } from '../../analytics/engine/limits'
import type { CompiledQuery } from '../../hogql/compiled'

/** Rows of a query that says nothing of LIMIT, for a run that says nothing either. */
export const DEFAULT_LIMIT = 100

export interface Asked {
  limit: number | null
  offset: number | null
}

export interface Window {
  /** What the engine is asked for: one row more than is given, wherever it matters whether there is one. */
  limit: number
  offset: number
  /** Rows to give at most. */
  keep: number
  /** Whether a further row means that there are more: not where the query's own LIMIT ends. */
  tellsMore: boolean
}

/** What to ask the engine for. */
export function windowOf({ ceiling, offset: own }: CompiledQuery['page'], { limit, offset }: Asked): Window {
  const skipped = offset ?? 0
  const left = ceiling === null ? Infinity : Math.max(0, ceiling - skipped)
  const wanted = limit ?? ceiling ?? DEFAULT_LIMIT
  const keep = Math.min(wanted, left, ROW_CAP)
  // Without a limit the query gives all that it has, and there is more only of what the cap cut off.
  const tellsMore = limit === null ? wanted > ROW_CAP && left > ROW_CAP : keep < left
  return { limit: tellsMore ? keep + 1 : keep, offset: own + skipped, keep, tellsMore }
}

/** Cuts off the row that was asked for in excess, in place. Returns whether there are more. */
export function cut(rows: unknown[][], { keep, tellsMore }: Window): boolean {
  const hasMore = tellsMore && rows.length > keep
  if (rows.length > keep) rows.length = keep
  return hasMore
}
