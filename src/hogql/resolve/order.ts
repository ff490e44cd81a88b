// ORDER BY: what the parser keeps of it, and positions.
import type { Expr, Order } from '../ir'
import type { Expression, OrderExpr } from '../parser/ast'
import type { Resolution } from './context'
import { refuse } from './refuse'
import { wordsBetween } from './source-text'

/** One term of an ORDER BY. NULLs come last either way. */
export function resolveOrder(r: Resolution, node: OrderExpr, resolve: (expr: Expression) => Expr): Order {
  if (node.with_fill) refuse(node, 'WITH FILL is not supported', 'not_supported')
  // The parser takes these words and says nothing of them.
  const words = wordsBetween(r, node.expr.end ?? node.start, node.end)
  if (/\bnulls\s+first\b/i.test(words)) refuse(node, 'NULLS FIRST is not supported', 'not_supported')
  if (/\bcollate\b/i.test(words)) refuse(node, 'COLLATE is not supported', 'not_supported')
  return { expr: resolve(node.expr), descending: node.order === 'DESC' }
}
