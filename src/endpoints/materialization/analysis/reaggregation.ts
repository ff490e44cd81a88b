// Aggregates that can be aggregated again (reference/endpoints-api.md §5.5).
import type { Call, Expression, SelectQuery } from '../../../hogql/parser/ast'
import type { Merge } from './analysis-types'
import { reject } from './reasons'
import { aggregatesIn, baseOf, unaliased } from './tree'

export const MERGES: Readonly<Record<string, Merge>> = { count: 'sum', sum: 'sum', min: 'min', max: 'max' }

/** Null for a group, undefined for an aggregate that cannot be aggregated again. */
export function mergeOf(item: Expression): Merge | null | undefined {
  const expr = unaliased(item)
  const calls = aggregatesIn(expr)
  if (calls.length === 0) return null
  return calls[0] === expr ? mergeOfCall(expr as Call) : undefined
}

export const mergeOfCall = ({ name, distinct }: Call): Merge | undefined =>
  distinct || name.endsWith('Distinct') ? undefined : MERGES[baseOf(name)]

/** @throws Rejection for the first aggregate that cannot be aggregated again */
export function requireMergeable(query: SelectQuery): void {
  for (const item of query.select) {
    if (mergeOf(item) !== undefined) continue
    const calls = aggregatesIn(item)
    const name = calls.find((each) => mergeOfCall(each) === undefined)?.name ?? calls[0]!.name
    reject('notReaggregated', { function: name })
  }
}
