// The bounds of the stored date range. A comparison with a bound that is not set is true.
import type { Expression, Located, Placeholder } from '../../parser/ast'
import type { Resolution } from './resolution'
import type { ParsedFilters } from './filters'
import { reject } from '../../error'

/** Returns the names inside a placeholder, or null for any other expression. */
export const namesInPlaceholder = ({ expr }: Placeholder): string[] | null =>
  expr.node === 'Field' ? expr.chain.map(String) : null

export function filtersOf(r: Resolution, node: Located): ParsedFilters {
  return r.parsedFilters() ?? reject(node, 'The filters of the query are malformed', 'invalid_query')
}

/** Returns whether an operand is a bound of the date range that is not set. */
export function isUnbounded(r: Resolution, node: Expression): boolean {
  if (node.node !== 'Placeholder') return false
  const path = namesInPlaceholder(node)?.join('.')
  if (path === 'filters.dateRange.from') return filtersOf(r, node).from === null
  return path === 'filters.dateRange.to' && filtersOf(r, node).to === null
}
