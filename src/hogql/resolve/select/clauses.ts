// Clauses of SELECT that nothing is made of: refused by name, also where the parser leaves them out of the tree.
import type { SelectQuery, Expression } from '../../parser/ast'
import type { Resolution } from '../context/resolution'
import { refuse } from '../../error'
import { wordsBetween } from '../context/source-text'

/** The clauses that `resolveSelect` reads, or that are refused below. */
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
  'order_by',
  'limit',
  'limit_by',
  'limit_with_ties',
  'offset',
])

export function refuseUnsupported(r: Resolution, node: SelectQuery): void {
  for (const [key, value] of Object.entries(node)) {
    if (value && !KNOWN.has(key)) {
      refuse(node, `${key.toUpperCase().replaceAll('_', ' ')} is not supported`, 'not_supported')
    }
  }
  if (node.limit_with_ties) refuse(node, 'LIMIT … WITH TIES is not supported', 'not_supported')
  if (node.group_by_mode && node.group_by_mode !== 'all') {
    refuse(
      node,
      `GROUP BY ${node.group_by_mode.toUpperCase().replace('_', ' ')} is not supported`,
      'not_supported',
    )
  }
  const last = node.group_by?.at(-1)
  if (!last) return
  const next =
    node.having ?? node.qualify ?? node.order_by?.[0] ?? node.limit_by?.n ?? node.limit ?? node.offset
  if (/\bwith\s+(totals|rollup|cube)\b/i.test(wordsBetween(r, last.end, next?.start ?? node.end))) {
    refuse(last, 'GROUP BY … WITH TOTALS is not supported', 'not_supported')
  }
}

// LIMIT and OFFSET: constants.
/** A whole number that is written where `what` stands; null when nothing is. */
export function boundOf(node: Expression | null | undefined, what: string): number | null {
  if (!node) return null
  const value = node.node === 'Constant' ? node.value : null
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : refuse(node, `${what} takes a whole number that is a constant`, 'not_supported')
}
