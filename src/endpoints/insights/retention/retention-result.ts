// Retention: how many of the actors of a period come back later. A result has a row for each start period, a value for each period after it.
import { toApiTimestamp, toStoredTimestamp } from '../../../timestamps'
import { breakdownsOf } from '../breakdown'
import { isByCohort, shownCohort } from '../cohort-breakdown'
import type { RetentionQuery } from '../../query/query-types'
import { fromFirst, inWholePeriods, type ResultContext, type Span, spanOf, timesOf } from '../date-range'
import type { InsightKind } from '../insight-kind'
import { floorWall, moveWall, type Period, periodsOf, placesOf } from '../periods'
import { intervalsOf, retentionPeriod, retentionText } from './retention-text'
import { ResultBudget } from '../result-budget'
import { sumsFromEnd } from '../sums'

/** Returns the span of the start periods: those of the range, or without `date_from` the last `totalIntervals`. */
function retentionSpan(query: RetentionQuery, context: ResultContext): Span {
  const period = retentionPeriod(query)
  const span = inWholePeriods(spanOf(query.dateRange, period, context), period)
  if (query.dateRange?.date_from) return span
  return { ...span, from: moveWall(floorWall(span.to, period), 1 - intervalsOf(query), period) }
}

/** @param rows in the columns of `retentionText` */
function retentionResult(
  query: RetentionQuery,
  rows: readonly unknown[][],
  context: ResultContext,
): Record<string, unknown>[] {
  const hasCohorts = isByCohort(query.breakdownFilter)
  const count = hasCohorts ? 1 : breakdownsOf(query.breakdownFilter).length
  const starts = startsOf(query, rows, context)
  if (count === 0) {
    new ResultBudget().take(1, valuesOf(starts.length, intervalsOf(query)))
    return tableOf(query, rows, starts)
  }
  const groups = Map.groupBy(rows, (row) => JSON.stringify(row.slice(2, 2 + count)))
  const budget = new ResultBudget()
  // The row of each start repeats the values of the breakdown.
  for (const key of groups.keys())
    budget.take(1, valuesOf(starts.length, intervalsOf(query)), starts.length * key.length)
  const size = (each: readonly unknown[][]) =>
    each.reduce((sum, row) => sum + (row[1] === 0 ? Number(row.at(-1)) : 0), 0)
  return [...groups]
    .sort(([a, first], [b, second]) => size(second) - size(first) || (a < b ? -1 : 1))
    .flatMap(([key, each]) => {
      const values = JSON.parse(key) as (string | null)[]
      const [only] = values
      const shownValue = hasCohorts ? shownCohort(only) : values.length === 1 ? only : values
      return tableOf(query, each, starts).map((row) => ({ ...row, breakdown_value: shownValue }))
    })
}

function startsOf(query: RetentionQuery, rows: readonly unknown[][], context: ResultContext): Period[] {
  const interval = retentionPeriod(query)
  const starts = rows.map(([start]) => start)
  const span = fromFirst(retentionSpan(query, context), query.dateRange, { starts, interval })
  return periodsOf(span, interval, context.timezone)
}

/** The number of values in the table. Each start has one per later period, at most `max`. */
const valuesOf = (starts: number, max: number) => {
  const full = Math.max(0, starts - max)
  const rest = Math.min(starts, max)
  return full * max + (rest * (rest + 1)) / 2
}

function tableOf(
  query: RetentionQuery,
  rows: readonly unknown[][],
  starts: readonly Period[],
): Record<string, unknown>[] {
  const period = retentionPeriod(query)
  const max = intervalsOf(query)
  const name = query.retentionFilter.period ?? 'Day'
  const placeOf = placesOf(starts, period)
  const numbers = new Map(rows.map((row) => [`${placeOf(row[0])}|${Number(row[1])}`, Number(row.at(-1))]))
  return starts.map(({ at }, index) => {
    const counts = Array.from(
      { length: Math.min(max, starts.length - index) },
      (_, distance) => numbers.get(`${index}|${distance}`) ?? 0,
    )
    const values = query.retentionFilter.cumulative ? sinceThen(counts) : counts
    return {
      values: values.map((count, distance) => ({ count, label: `${name} ${distance}` })),
      label: `${name} ${index}`,
      date: toApiTimestamp(toStoredTimestamp(new Date(at))),
    }
  })
}

/** Converts counts of last returns to counts of returns at that distance or later. The start keeps its count. */
const sinceThen = ([start = 0, ...returns]: readonly number[]): number[] => [start, ...sumsFromEnd(returns)]

export const retentionKind: InsightKind<RetentionQuery> = {
  text: retentionText,
  times: (query, context) => timesOf({ current: retentionSpan(query, context) }),
  result: (query, rows, context) => ({ results: retentionResult(query, rows, context) }),
}
