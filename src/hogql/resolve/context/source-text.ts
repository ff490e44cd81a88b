// The text that a part of the tree was parsed from.
import type { Located, Expression, OrderExpr } from '../../parser/ast'
import type { Resolution } from './resolution'
import type { Expr, Order } from '../../ir'
import { reject } from '../../error'

/** As it is written; empty for what stands nowhere in the text. */
export function textOf(r: Resolution, { start, end }: Located): string {
  return start === null || end === null ? '' : r.context.sql.slice(start, end)
}

/**
 * The same between two parts of it, without quotes and comments: where the parser leaves words out of the tree, they are found here.
 */
export function wordsBetween(r: Resolution, from: number | null, to: number | null): string {
  if (from === null || to === null) return ''
  return r.context.sql
    .slice(from, to)
    .replace(/'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
}

// What results are called: their alias, the last part of a name, or the text of the expression as it is written.
export function nameOf(r: Resolution, node: Expression): string {
  if (node.node === 'Alias') return node.alias
  if (node.node === 'Field') return String(node.chain.at(-1))
  return textOf(r, node).trim() || node.node
}

// ORDER BY: what the parser keeps of it, and positions.
/** One term of an ORDER BY. NULLs come last either way. */
export function resolveOrder(r: Resolution, node: OrderExpr, resolve: (expr: Expression) => Expr): Order {
  if (node.with_fill) reject(node, 'WITH FILL is not supported')
  // The parser takes these words and says nothing of them.
  const words = wordsBetween(r, node.expr.end ?? node.start, node.end)
  if (/\bnulls\s+first\b/i.test(words)) reject(node, 'NULLS FIRST is not supported')
  if (/\bcollate\b/i.test(words)) reject(node, 'COLLATE is not supported')
  return { expr: resolve(node.expr), descending: node.order === 'DESC' }
}
