// Kept rows of an insight, of whose breakdowns a run leaves some out: they are put together over those (reference/endpoints-api.md §3.7).
import { breakdownPropertiesOf } from '../query/written-breakdowns'
import type { InsightQuery } from '../query/query-types'
import type { Choice } from './breakdown'
import type { BreakdownFilter, Insight } from './insight-types'

interface Rows {
  query: InsightQuery
  rows: readonly unknown[][]
}

/** From the numbers of two values of a breakdown to that of both. */
type Combine = (a: number, b: number) => number

const add: Combine = (a, b) => a + b

/** Of each `math` whose numbers can be put together. Of averages, percentiles and people who are in several values they cannot. */
const COMBINED: Readonly<Record<string, Combine>> = {
  total: add,
  sum: add,
  sum_count_per_actor: add,
  min: Math.min,
  max: Math.max,
}

/** How the numbers of one `math` are put together. */
const combineOf = (math: string, query: InsightQuery): Combine | null =>
  math === 'first_time_for_user' && hasOneBreakdown(query) ? add : (COMBINED[math] ?? null)

/** Then everybody who does something once is in one value. With several, who is in a chosen one depends on what else they did. */
const hasOneBreakdown = (query: InsightQuery) => breakdownPropertiesOf(query).length === 1

/** How the numbers of each series are put together; null for an insight where one of them cannot be. */
function combinesOf(query: InsightQuery): Combine[] | null {
  switch (query.kind) {
    case 'TrendsQuery': {
      const series = (query as Insight).series ?? []
      const combines = series.map(({ math }) => combineOf(math ?? 'total', query))
      return combines.includes(null) ? null : (combines as Combine[])
    }
    case 'RetentionQuery':
      return beginsOnce(query) && hasOneBreakdown(query) ? [add] : null
    case 'LifecycleQuery':
    case 'FunnelsQuery':
      return null
  }
}

/** Whether everybody begins once, and so with one value of each breakdown. */
const beginsOnce = ({ retentionFilter }: Record<string, unknown>) =>
  String((retentionFilter as Record<string, unknown> | null)?.retentionType).startsWith('retention_first_')

/** Whether rows of an insight can be put together over breakdowns that a run leaves out. */
export const canOmit = (query: InsightQuery): boolean => combinesOf(query) !== null

/** Columns in front of the breakdowns; behind them is the number. */
const COLUMNS_BEFORE: Partial<Record<InsightQuery['kind'], number>> = { TrendsQuery: 3, RetentionQuery: 2 }

/** The insight without the breakdowns of which nothing was chosen, and its rows put together. Only of one that `canOmit`. */
export function withoutOmitted({ query, rows }: Rows, choices: readonly Choice[]): Rows {
  const before = COLUMNS_BEFORE[query.kind]
  const combines = combinesOf(query)
  if (before === undefined || combines === null || choices.every(({ mode }) => mode !== 'any')) {
    return { query, rows }
  }
  const kept = choices.flatMap(({ mode }, index) => (mode === 'any' ? [] : [index]))
  const together = new Map<string, unknown[]>()
  for (const row of rows) {
    const group = [...row.slice(0, before), ...kept.map((index) => row[before + index])]
    const key = JSON.stringify(group)
    const combine = query.kind === 'TrendsQuery' ? combines[Number(row[0])]! : combines[0]!
    together.set(key, [...group, both(together.get(key)?.at(-1), row.at(-1), combine)])
  }
  return { query: { ...query, breakdownFilter: onlyOf(query, kept) }, rows: [...together.values()] }
}

/** Of a value that has no number there is nothing to put together. */
function both(a: unknown, b: unknown, combine: Combine): unknown {
  if ((a ?? null) === null) return b
  return (b ?? null) === null ? a : combine(Number(a), Number(b))
}

function onlyOf(query: InsightQuery, kept: readonly number[]): BreakdownFilter | null {
  const filter = (query.breakdownFilter ?? {}) as BreakdownFilter
  const { breakdown, breakdowns } = filter
  const only = <T>(all: readonly T[]) => kept.map((index) => all[index]!)
  if (kept.length === 0) return null
  if (breakdowns?.length) return { ...filter, breakdowns: only(breakdowns) }
  return { ...filter, breakdown: Array.isArray(breakdown) ? only(breakdown as string[]) : breakdown }
}
