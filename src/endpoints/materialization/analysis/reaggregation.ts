// Putting materialized rows together again: what an aggregate's kept values are merged by (reference/endpoints-api.md §5.5).
import type { Call, Expression, SelectQuery } from '../../../hogql/parser/ast'
import { type Merge, refuse } from './analysis-types'
import { aggregatesIn, baseOf, unaliased } from './tree'

const MERGES: Readonly<Record<string, Merge>> = { count: 'sum', sum: 'sum', min: 'min', max: 'max' }

/** What merges the values of a result column: null for a group, undefined for an aggregate that cannot be merged. */
export function mergeOf(item: Expression): Merge | null | undefined {
  const expr = unaliased(item)
  const calls = aggregatesIn(expr)
  if (calls.length === 0) return null
  return calls[0] === expr ? mergeOfCall(expr as Call) : undefined
}

export const mergeOfCall = ({ name, distinct }: Call): Merge | undefined =>
  distinct || name.endsWith('Distinct') ? undefined : MERGES[baseOf(name)]

/** @throws Refusal that names the first aggregate whose values cannot be merged. */
export function requireMergeable(query: SelectQuery): void {
  for (const item of query.select) {
    if (mergeOf(item) !== undefined) continue
    const calls = aggregatesIn(item)
    const name = calls.find((each) => mergeOfCall(each) === undefined)?.name ?? calls[0]!.name
    refuse(`Aggregate function '${name}' cannot be re-aggregated for range variable materialization`)
  }
}
