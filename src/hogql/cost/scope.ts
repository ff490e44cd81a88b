// What an estimate knows of the queries around it.
import type { Cte, Expr, Query } from '../ir'
import { withCtes } from '../joins'
import type { Amount } from './amount'
import type { Ledger } from './ledger'
import type { Sized } from './sized'

/** What is measured of the values of an expression. */
export interface Wanted {
  number: Expr
  fn: 'sum' | 'max'
  /** Sizes of values come before counts of what is made of them: a count is taken only when its own cost is known. */
  of: 'values' | 'counts'
}

/** Where expressions are evaluated, and how often. */
export interface Frame {
  ledger: Ledger
  /** How many times. */
  rows: Amount
  column(source: number, column: string): Sized
  element(parameter: number): Sized
  /** Sizes of expressions that are columns already: what is grouped by. */
  known?: ReadonlyMap<string, Sized>
  /** The rows that aggregates read; without it there are none. */
  aggregated?: Frame
  /** A number over the rows; null where it cannot be measured. */
  measure: ((wanted: Wanted, bound: Amount) => Amount) | null
  /** Estimates a query inside an expression. */
  query(query: Query, frame: Frame): { rows: Amount; columns: readonly Sized[] }
}

export interface Estimate {
  rows: Amount
  columns: readonly Sized[]
}

export interface Scope {
  ledger: Ledger
  /** The CTEs in sight, in the order in which they may read each other. */
  ctes: readonly Cte[]
  /** The row around a subquery that reads it. */
  outer: Frame | null
  /** Whether its rows can be measured: neither those of a measure itself nor those of a subquery that depends on a row. */
  canMeasure: boolean
  estimate(query: Query, scope: Scope): Estimate
}

/** Rows of FROM, and the sizes of their columns by source. */
export interface Rows {
  rows: Amount
  columns: ReadonlyMap<number, (key: string) => Sized>
}

/** The scope inside a query that has CTEs. */
export const entered = (scope: Scope, ctes: readonly Cte[]): Scope =>
  ctes.length === 0 ? scope : { ...scope, ctes: [...scope.ctes, ...ctes] }

/** CTEs by id. */
export const ctesOf = ({ ctes }: Scope): ReadonlyMap<number, Query> => withCtes(new Map(), ctes)
