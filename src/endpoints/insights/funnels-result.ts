// Result of a funnel.
import { breakdownsOf } from './breakdown'
import { span } from './funnel-steps'
import type { FunnelsQuery } from '../query/query-types'
import { nameOf } from './series'

/** Steps; with breakdowns a list of steps per combination of values, largest first. @param rows in the columns of `funnelText` */
export function funnelResult(query: FunnelsQuery, rows: readonly unknown[][]): unknown[] {
  const breakdowns = breakdownsOf(query.breakdownFilter).length
  if (breakdowns === 0) return stepsOf(query, rows[0] ?? [], null)
  return [...rows]
    .sort((a, b) => Number(b[breakdowns]) - Number(a[breakdowns]) || (String(a[0]) < String(b[0]) ? -1 : 1))
    .map((row) => {
      const values = row.slice(0, breakdowns)
      return stepsOf(query, row.slice(breakdowns), values)
    })
}

function stepsOf(
  { series }: FunnelsQuery,
  row: readonly unknown[],
  breakdown: unknown[] | null,
): Record<string, unknown>[] {
  const count = series.length
  return span(0, count).map((step) => {
    const node = series[step]!
    return {
      action_id: node.event ?? null,
      name: node.name ?? node.event ?? 'All events',
      custom_name: node.custom_name ?? null,
      order: step,
      people: [],
      count: Number(row[step] ?? 0),
      type: 'events',
      average_conversion_time: step === 0 ? null : (row[count + step - 1] ?? null),
      median_conversion_time: step === 0 ? null : (row[2 * count + step - 2] ?? null),
      ...(breakdown === null ? {} : { breakdown, breakdown_value: breakdown, label: nameOf(node) }),
    }
  })
}
