// Result of a funnel.
import type { FunnelsQuery } from '../../query/query-types'
import type { SeriesNode } from '../../query/schema-parts'
import { isByCohort, shownCohort } from '../cohort-breakdown'
import { ResultBudget } from '../result-budget'
import { nameOf, targetOf } from '../series'
import { stepsOf } from './attempts'
import { span } from './funnel-steps'

/**
 * Returns the steps; with breakdowns, a list of steps per combination of values, in the order of `byLastStep`.
 * @param rows in the columns of `funnelText`
 * @throws 400 `query_too_large`, because each step of each combination repeats the names of the step and the values
 */
export function funnelResult(query: FunnelsQuery, rows: readonly unknown[][]): unknown[] {
  const breakdowns = stepsOf(query).breakdowns.length
  if (breakdowns === 0) return resultOf(query, rows[0] ?? [], null)
  const steps = query.series.length
  const names = JSON.stringify(query.series.map(namesOf)).length / steps
  const budget = new ResultBudget()
  const groups = rows.map((row) => {
    const values = JSON.stringify(row.slice(0, breakdowns))
    budget.take(steps, 0, names + 2 * values.length)
    return { row, values, counts: span(0, steps).map((step) => Number(row[breakdowns + step])) }
  })
  return groups
    .sort((a, b) => byLastStep(a.counts, b.counts) || (a.values < b.values ? -1 : 1))
    .map(({ row }) => resultOf(query, row.slice(breakdowns), shownBreakdown(query, row.slice(0, breakdowns))))
}

/** Sorts by the last step, largest first, as upstream. Those with as many are sorted by the step before it. */
function byLastStep(a: readonly number[], b: readonly number[]): number {
  const step = a.findLastIndex((count, index) => count !== b[index])
  return step < 0 ? 0 : b[step]! - a[step]!
}

/** The texts of a step that each combination of values repeats. */
const namesOf = (node: SeriesNode) => [targetOf(node).id, node.custom_name ?? null, nameOf(node)]

/** The breakdown as results show it: a list of values, or a cohort. */
export const shownBreakdown = (query: FunnelsQuery, values: readonly unknown[]): unknown =>
  isByCohort(query.breakdownFilter) ? shownCohort(values[0]) : values

function resultOf(
  { series }: FunnelsQuery,
  row: readonly unknown[],
  breakdown: unknown,
): Record<string, unknown>[] {
  const count = series.length
  return span(0, count).map((step) => {
    const node = series[step]!
    return {
      action_id: targetOf(node).id,
      name: nameOf(node),
      custom_name: node.custom_name ?? null,
      order: step,
      people: [],
      count: Number(row[step] ?? 0),
      type: targetOf(node).type,
      average_conversion_time: step === 0 ? null : (row[count + step - 1] ?? null),
      median_conversion_time: step === 0 ? null : (row[2 * count + step - 2] ?? null),
      ...(breakdown === null ? {} : { breakdown, breakdown_value: breakdown, label: nameOf(node) }),
    }
  })
}
