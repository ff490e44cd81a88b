// Types of the analysis.
import type { CompareOperator, Expression, Placeholder } from '../../../hogql/parser/ast'

/** Functions that truncate the bounds of a range, by their names in the API. */
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
  /** The operator as it reads with the column on the left. */
  operator: CompareOperator
  /** The compared expression. */
  column: Expression
  /** The dotted name of the column. It is null for any other expression. */
  columnKey: string | null
  /** The other side of the comparison, which contains the placeholder. */
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
  /** The function that rounds the values. It is null for exact values. */
  bucket: string | null
  scope: string | null
}

/** How the values of a result column aggregate over several rows. */
export type Merge = 'sum' | 'min' | 'max'
