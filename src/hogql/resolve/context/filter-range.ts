// The ends of the stored date range, where a comparison with one that is not set counts as true.
import type { Expression, Located, Placeholder } from '../../parser/ast'
import type { Resolution } from './resolution'
import { readFilters, type ReadFilters } from './filters'
import { reject } from '../../error'

/** The names inside a placeholder; null when it holds something else than names. */
export const chainOf = ({ expr }: Placeholder): string[] | null =>
  expr.node === 'Field' ? expr.chain.map(String) : null

export function filtersOf(r: Resolution, node: Located): ReadFilters {
  return (
    readFilters(r.context.filters) ?? reject(node, 'The filters of the query are malformed', 'invalid_query')
  )
}

/** Whether a side of a comparison is an end of the date range that has none: the comparison is then true. */
export function isUnbounded(r: Resolution, node: Expression): boolean {
  if (node.node !== 'Placeholder') return false
  const path = chainOf(node)?.join('.')
  if (path === 'filters.dateRange.from') return filtersOf(r, node).from === null
  return path === 'filters.dateRange.to' && filtersOf(r, node).to === null
}
