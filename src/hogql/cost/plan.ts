// The cost of a query on D1: an upper bound of the time that it takes and of what it holds, in terms of statistics that are read when it runs.
import type { Query } from '../ir'
import { type Amount, createSteps, PAGE } from './amount'
import { Ledger } from './ledger'
import type { Scope } from './scope'
import { estimateQuery } from './select'
import type { TableReads } from './table-reads'
import type { Estimated } from './value'

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
