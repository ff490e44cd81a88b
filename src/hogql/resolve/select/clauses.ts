// LIMIT, OFFSET, and clauses that are not supported, also where the parser drops them from the tree.
import type { SelectQuery, Expression } from '../../parser/ast'
import type { Resolution } from '../context/resolution'
import { reject } from '../../error'
import { wordsBetween } from '../context/source-text'

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
  'order_by',
  'limit',
  'limit_by',
  'limit_with_ties',
  'offset',
])

export function rejectUnsupported(r: Resolution, node: SelectQuery): void {
  for (const [key, value] of Object.entries(node)) {
    if (value && !KNOWN.has(key)) {
      reject(node, `${key.toUpperCase().replaceAll('_', ' ')} is not supported`)
    }
  }
  if (node.limit_with_ties) reject(node, 'LIMIT … WITH TIES is not supported')
  if (node.group_by_mode && node.group_by_mode !== 'all') {
    reject(node, `GROUP BY ${node.group_by_mode.toUpperCase().replace('_', ' ')} is not supported`)
  }
  const last = node.group_by?.at(-1)
  if (!last) return
  const next =
    node.having ?? node.qualify ?? node.order_by?.[0] ?? node.limit_by?.n ?? node.limit ?? node.offset
  const words = wordsBetween(r, last.end, next?.start ?? node.end)
  const [, word] = /\bwith\s+(totals|rollup|cube)\b/i.exec(words) ?? []
  if (word) reject(last, `GROUP BY … WITH ${word.toUpperCase()} is not supported`)
}

/** Null without the clause. */
export function constantCount(node: Expression | null | undefined, what: string): number | null {
  if (!node) return null
  const value = node.node === 'Constant' ? node.value : null
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : reject(node, `${what} takes a whole number that is a constant`)
}
