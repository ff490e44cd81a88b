// Kept rows of an insight, of whose breakdowns a run leaves some out: they are added up over those (reference/endpoints-api.md §3.7).
import type { InsightQuery } from '../query/shape'
import type { Choice } from './breakdown'
import type { BreakdownFilter } from './shape'

interface Rows {
  query: InsightQuery
  rows: readonly unknown[][]
}

/** Columns in front of the breakdowns; behind them is the number. */
const COLUMNS_BEFORE: Partial<Record<InsightQuery['kind'], number>> = { TrendsQuery: 3, RetentionQuery: 2 }

/**
 * The insight without the breakdowns of which nothing was chosen, and its rows added up. People who are in several values are counted in
 * each: what was kept does not tell them apart.
 */
export function withoutOmitted({ query, rows }: Rows, choices: readonly Choice[]): Rows {
  const before = COLUMNS_BEFORE[query.kind]
  if (before === undefined || choices.every(({ mode }) => mode !== 'any')) return { query, rows }
  const kept = choices.flatMap(({ mode }, index) => (mode === 'any' ? [] : [index]))
  const sums = new Map<string, unknown[]>()
  for (const row of rows) {
    const group = [...row.slice(0, before), ...kept.map((index) => row[before + index])]
    const key = JSON.stringify(group)
    const sum = Number(sums.get(key)?.at(-1) ?? 0) + Number(row.at(-1) ?? 0)
    sums.set(key, [...group, sum])
  }
  return { query: { ...query, breakdownFilter: onlyOf(query, kept) }, rows: [...sums.values()] }
}

function onlyOf(query: InsightQuery, kept: readonly number[]): BreakdownFilter | null {
  const filter = (query.breakdownFilter ?? {}) as BreakdownFilter
  const { breakdown, breakdowns } = filter
  const only = <T>(all: readonly T[]) => kept.map((index) => all[index]!)
  if (kept.length === 0) return null
  if (breakdowns?.length) return { ...filter, breakdowns: only(breakdowns) }
  return { ...filter, breakdown: Array.isArray(breakdown) ? only(breakdown as string[]) : breakdown }
}
