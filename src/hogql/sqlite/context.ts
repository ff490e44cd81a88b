// What the parts of the SQLite printer share while they write one statement.
import type { SqliteZone } from '../functions/spec'
import type { Expr, Query, Source } from '../ir'
import type { Parameters } from './parameters'

/**
 * Where a condition stands. As a value it has to be 1 or 0. In a filter NULL is as good as 0, so that most of them need no more than the
 * comparison, and indexes are used. In the ON of a join, NULLs match nothing.
 */
export type Place = 'value' | 'filter' | 'on'

/** The parts call each other through these, so that they need not import each other. */
export interface Writers {
  expr(expr: Expr, context: Context): string
  condition(expr: Expr, place: Place, context: Context): string
  /** A query inside another, with the LIMIT that it has itself; no parentheses around it. */
  query(query: Query, context: Context): string
}

/** How the aggregates of one SELECT are written. */
export interface Aggregates {
  /** Writes what an aggregate counts, in terms of the rows that it counts. */
  rows: Context
  /** What stands for an aggregate call. */
  call(sql: string): string
  /** Columns that say where a row stands among those of its group; null where rows are not put in order. */
  rank(request: RankRequest): { place: string; count: string } | null
}

export interface RankRequest {
  /** SQL over `rows`: whether a row counts. */
  counts: string
  by: string
  descending: boolean
}

export interface Context {
  writers: Writers
  parameters: Parameters
  zone: SqliteZone
  /** Expressions that are columns already, by `keyOf`. */
  known: ReadonlyMap<string, string> | null
  aggregates: Aggregates | null
  /** What stands for a window function of the SELECT. */
  window(sql: string): string
}

export const sourceName = ({ id }: Pick<Source, 'id'>): string => `s${id}`

/** A key of a table, `c0` or `k0`, as an identifier. Keys are the catalogue's; nothing that a user wrote comes here. */
export const columnName = (key: string): string =>
  /^[ck]\d+$/.test(key) ? key : `"${key.replaceAll('"', '')}"`
