// Aggregates materialized rows over breakdowns that a run leaves out.
import type { InsightQuery, RetentionQuery, TrendsQuery } from '../query/query-types'
import type { BreakdownFilter, SeriesNode } from '../query/schema-parts'
import type { Choice } from './breakdown'
import { isOfSessions } from './series'

interface Rows {
  query: InsightQuery
  rows: readonly unknown[][]
}

type Combine = (a: number, b: number) => number

const add: Combine = (a, b) => a + b

/** How values combine, by `math`. Averages, percentiles and unique counts cannot be aggregated again. */
const COMBINED: Readonly<Record<string, Combine>> = {
  total: add,
  sum: add,
  sum_count_per_actor: add,
  min: Math.min,
  max: Math.max,
}

function combineOf(node: SeriesNode): Combine | null {
  const math = node.math ?? 'total'
  // A first event has one value of each breakdown.
  if (math === 'first_time_for_user') return add
  // A session counts once for each value that its events have.
  return math === 'sum' && isOfSessions(node) ? null : (COMBINED[math] ?? null)
}

/** How the values of each series combine, or null where those of one series cannot be aggregated again. */
function combinesOf(query: InsightQuery): Combine[] | null {
  switch (query.kind) {
    case 'TrendsQuery': {
      const combines = query.series.map(combineOf)
      return combines.includes(null) ? null : (combines as Combine[])
    }
    case 'RetentionQuery':
      return beginsOnce(query) ? [add] : null
    default:
      return null
  }
}

/** Whether each actor starts once, and so with one value of each breakdown; by `retention_first_time`, once with each value. */
export const beginsOnce = ({ retentionFilter }: RetentionQuery) =>
  retentionFilter.retentionType === 'retention_first_ever_occurrence'

export const canOmit = (query: InsightQuery): boolean => combinesOf(query) !== null

/** Aggregates over the breakdowns for which the run makes no choice. The caller checks `canOmit` first. */
export function withoutOmitted({ query, rows }: Rows, choices: readonly Choice[]): Rows {
  if (query.kind !== 'TrendsQuery' && query.kind !== 'RetentionQuery') return { query, rows }
  const combines = combinesOf(query)
  if (combines === null || choices.every(({ mode }) => mode !== 'any')) return { query, rows }
  // The number of columns before the breakdowns. The value follows the breakdowns.
  const before = query.kind === 'TrendsQuery' ? 3 : 2
  const remaining = choices.flatMap(({ mode }, index) => (mode === 'any' ? [] : [index]))
  const together = new Map<string, unknown[]>()
  for (const row of rows) {
    const group = [...row.slice(0, before), ...remaining.map((index) => row[before + index])]
    const key = JSON.stringify(group)
    const combine = query.kind === 'TrendsQuery' ? combines[Number(row[0])]! : combines[0]!
    together.set(key, [...group, both(together.get(key)?.at(-1), row.at(-1), combine)])
  }
  return { query: { ...query, breakdownFilter: onlyOf(query, remaining) }, rows: [...together.values()] }
}

function both(a: unknown, b: unknown, combine: Combine): unknown {
  if ((a ?? null) === null) return b
  return (b ?? null) === null ? a : combine(Number(a), Number(b))
}

function onlyOf(
  { breakdownFilter }: TrendsQuery | RetentionQuery,
  remaining: readonly number[],
): BreakdownFilter | null {
  const filter = breakdownFilter ?? {}
  const { breakdown, breakdowns } = filter
  const only = <T>(all: readonly T[]) => remaining.map((index) => all[index]!)
  if (remaining.length === 0) return null
  if (breakdowns?.length) return { ...filter, breakdowns: only(breakdowns) }
  return { ...filter, breakdown: Array.isArray(breakdown) ? only(breakdown as string[]) : breakdown }
}
