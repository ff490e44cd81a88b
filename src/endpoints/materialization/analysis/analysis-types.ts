// What is found out about a query before it is materialized.
import type { CompareOperator, Expression, Placeholder } from '../../../hogql/parser/ast'

/** Truncations that a bound of a range may be rounded down to, by what a caller calls them (reference/endpoints-api.md §5.3). */
export const BUCKETS = {
  minute: 'toStartOfMinute',
  fifteen_minutes: 'toStartOfFifteenMinutes',
  hour: 'toStartOfHour',
  day: 'toStartOfDay',
  week: 'toStartOfWeek',
  month: 'toStartOfMonth',
} as const

export type Bucket = keyof typeof BUCKETS
export type BucketOverrides = Readonly<Record<string, string>> | null

/** A comparison of a column with a variable, as it stands in a WHERE. */
export interface Comparison {
  codeName: string
  /** As if the column stood on the left. */
  operator: CompareOperator
  /** What is compared with the variable. */
  column: Expression
  /** The column by name, dotted; null for anything but a column. */
  columnKey: string | null
  /** The side of the variable, the placeholder inside it. */
  value: Expression
  placeholder: Placeholder
  /** Where it stands: the name of a CTE, null for the query at the top. */
  scope: string | null
}

/** A variable that becomes a column of the materialized rows. */
export interface Lifted {
  codeName: string
  comparisons: readonly Comparison[]
  column: Expression
  columnKey: string | null
  /** The function that rounds it, or null when its rows are kept apart by exact value. */
  bucket: string | null
  scope: string | null
}

/** How a result column is put together when several materialized rows answer a run. */
export type Merge = 'sum' | 'min' | 'max'

/** Why a query cannot be materialized, in words for its author. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

export const refuse = (reason: string): never => {
  throw new Refusal(reason)
}
