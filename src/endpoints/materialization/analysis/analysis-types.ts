// Types of the analysis.
import type { CompareOperator, Expression, Placeholder } from '../../../hogql/parser/ast'

/** Truncations of a range's bounds, by API name. */
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

export interface Comparison {
  codeName: string
  /** With the column on the left. */
  operator: CompareOperator
  /** The compared expression. */
  column: Expression
  /** Dotted name; null for anything but a column. */
  columnKey: string | null
  /** The other side, with the placeholder. */
  value: Expression
  placeholder: Placeholder
  /** Name of the CTE, or null for the top-level query. */
  scope: string | null
}

/** A variable that becomes a column of the rows. */
export interface Lifted {
  codeName: string
  comparisons: readonly Comparison[]
  column: Expression
  columnKey: string | null
  /** Rounding function; null for exact values. */
  bucket: string | null
  scope: string | null
}

/** Aggregation of a result column over several rows. */
export type Merge = 'sum' | 'min' | 'max'
