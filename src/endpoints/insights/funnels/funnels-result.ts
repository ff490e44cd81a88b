// Result of a funnel.
import type { FunnelsQuery } from '../../query/query-types'
import { shownCohort } from '../cohort-breakdown'
import { nameOf, ownNameOf, targetOf } from '../series'
import { stepsOf } from './attempts'
import { span } from './funnel-steps'

/**
 * Returns the steps; with breakdowns, a list of steps per combination of values, largest first.
 * @param rows in the columns of `funnelText`
 */
export function funnelResult(query: FunnelsQuery, rows: readonly unknown[][]): unknown[] {
  const breakdowns = stepsOf(query).breakdowns.length
  if (breakdowns === 0) return resultOf(query, rows[0] ?? [], null)
  const valuesOf = (row: readonly unknown[]) => JSON.stringify(row.slice(0, breakdowns))
  return [...rows]
    .sort((a, b) => Number(b[breakdowns]) - Number(a[breakdowns]) || (valuesOf(a) < valuesOf(b) ? -1 : 1))
    .map((row) => resultOf(query, row.slice(breakdowns), shownBreakdown(query, row.slice(0, breakdowns))))
}

/** The breakdown as results show it: a list of values, or a cohort. */
export const shownBreakdown = (query: FunnelsQuery, values: readonly unknown[]): unknown =>
  query.breakdownFilter?.breakdown_type === 'cohort' ? shownCohort(values[0]) : values

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
      name: ownNameOf(node),
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
