// Resolves LIMIT and OFFSET, and rejects clauses that are not supported, also those that the parser drops from the tree.
import type { SelectQuery, Expression } from '../../parser/ast'
import { constantNumber } from '../expressions/constant-number'
import { reject } from '../../error'

/** The clauses that `resolveSelect` supports, and those rejected below. */
const KNOWN = new Set([
  'node',
  'start',
  'end',
  'ctes',
  'select',
  'distinct',
  'select_from',
  'array_join_op',
  'array_join_list',
  'window_exprs',
  'where',
  'prewhere',
  'having',
  'qualify',
  'group_by',
  'group_by_mode',
  'with_totals',
  'order_by',
  'limit',
  'limit_by',
  'limit_with_ties',
  'offset',
])

export function rejectUnsupported(node: SelectQuery): void {
  for (const [key, value] of Object.entries(node)) {
    if (value && !KNOWN.has(key)) {
      reject(node, `${key.toUpperCase().replaceAll('_', ' ')} is not supported`)
    }
  }
  if (node.limit_with_ties)
    reject(node, 'LIMIT … WITH TIES is not supported: use QUALIFY rank() OVER (ORDER BY …) <= n')
}

/** Returns the constant of a clause, or null without the clause. */
export function constantCount(node: Expression | null | undefined, what: string): number | null {
  if (!node) return null
  const value = constantNumber(node)
  return value !== null && Number.isSafeInteger(value) && value >= 0
    ? value
    : reject(node, `${what} takes a whole number that is a constant`)
}
