// Aggregates that can be aggregated again: the results for parts of the rows give the result for all rows.
import type { Call, Expression, SelectQuery } from '../../../hogql/parser/ast'
import { reject } from './reasons'
import { aggregatesIn, baseOf, unaliased } from './tree'

/** How the values of a result column aggregate over several rows. */
type Merge = 'sum' | 'min' | 'max'

export const MERGES: Readonly<Record<string, Merge>> = { count: 'sum', sum: 'sum', min: 'min', max: 'max' }

/** Returns null for a group, and undefined for an aggregate that cannot be aggregated again. */
export function mergeOf(item: Expression): Merge | null | undefined {
  const expr = unaliased(item)
  const calls = aggregatesIn(expr)
  if (calls.length === 0) return null
  return calls[0] === expr ? mergeOfCall(expr as Call) : undefined
}

export const mergeOfCall = ({ name, distinct }: Call): Merge | undefined =>
  distinct || name.endsWith('Distinct') ? undefined : MERGES[baseOf(name)]

/**
 * @param nullable whether each column of the result may be NULL
 * @throws Rejection for the first aggregate that cannot be aggregated again
 */
export function requireMergeable(query: SelectQuery, nullable: readonly boolean[] = []): void {
  for (const [index, item] of query.select.entries()) {
    const merge = mergeOf(item)
    const calls = aggregatesIn(item)
    if (merge === undefined) {
      const name = calls.find((each) => mergeOfCall(each) === undefined)?.name ?? calls[0]!.name
      reject('notReaggregated', { function: name })
    }
    // Where no row of a group matches, the column stores the type's default, which may be the least or the greatest value.
    if ((merge === 'min' || merge === 'max') && nullable[index] !== true && isSelective(calls[0]!)) {
      const { name } = calls[0]!
      reject('defaultWhenEmpty', { function: name, other: `${name.replace('OrDefault', '')}OrNull` })
    }
  }
}

const isSelective = ({ name, filter_expr: filter }: Call): boolean => name !== baseOf(name) || !!filter
