// The cost of a query on D1: an upper bound of the time that it takes and of what it holds, in terms of statistics that are read when it runs.
import type { Query } from '../ir'
import { type Amount, createSteps, evaluate, type Known, PAGE, type Steps } from './amount'
import { Ledger } from './ledger'
import type { Scope } from './scope'
import { estimateQuery } from './select'
import type { TableReads } from './table-reads'

/** What statistics and measures are asked for, and how a cost comes of them. */
export interface Estimated<Statistic, MeasureQuery> {
  statistics: Statistic[]
  measures: { query: MeasureQuery; cost: number }[]
  steps: Steps
  /** Nanoseconds by what they are spent on. */
  parts: [label: string, place: number][]
  /** Bytes held at once. */
  held: number
}

/** @param query with its LIMIT and OFFSET taken out: rows are asked for when it runs. */
export function estimateCost(query: Query): Estimated<TableReads, Query> {
  const ledger = new Ledger()
  estimateQuery(query, scopeOf(ledger, true), PAGE)
  const { reads, measures } = ledger.shared
  const { place, steps } = createSteps()
  const parts = [...ledger.parts].map(([label, amount]): [string, number] => [label, place(amount)])
  const held = place(ledger.held)
  return {
    statistics: reads,
    measures: measures.map((measure) => ({ query: measure, cost: place(costOf(measure, ledger)) })),
    steps,
    parts,
    held,
  }
}

/** What taking a measure costs: nothing in it is measured but the joins before. */
function costOf(measure: Query, { shared }: Ledger): Amount {
  const ledger = new Ledger(shared)
  estimateQuery(measure, scopeOf(ledger, false))
  return ledger.total
}

const scopeOf = (ledger: Ledger, canMeasure: boolean): Scope => ({
  ledger,
  ctes: [],
  outer: null,
  canMeasure,
  estimate: (query, scope) => estimateQuery(query, scope),
})

/** Numbers put to an estimate. */
export interface Cost {
  nanoseconds: number
  held: number
  /** What most of the time is spent on. */
  mostly: string
}

/** The value of one step. */
export const valueOfStep = (
  { steps }: Pick<Estimated<unknown, unknown>, 'steps'>,
  known: Known,
  place: number,
): number => evaluate(steps, known)[place] ?? 0

export function costOfParts(
  { steps, parts, held }: Pick<Estimated<unknown, unknown>, 'steps' | 'parts' | 'held'>,
  known: Known,
): Cost {
  const values = evaluate(steps, known)
  const spent = parts.map(([label, place]) => ({ label, nanoseconds: values[place] ?? 0 }))
  const [most] = spent.toSorted((a, b) => b.nanoseconds - a.nanoseconds)
  return {
    nanoseconds: spent.reduce((total, { nanoseconds }) => total + nanoseconds, 0),
    held: values[held] ?? 0,
    mostly: most?.label ?? '',
  }
}
