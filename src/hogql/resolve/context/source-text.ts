// The text of a part of the tree.
import type { Located, Expression, OrderExpr } from '../../parser/ast'
import type { Resolution } from './resolution'
import type { Expr, Order } from '../../ir'
import { reject } from '../../error'

/** Empty for a generated part. */
export function textOf(r: Resolution, { start, end }: Located): string {
  return start === null || end === null ? '' : r.context.sql.slice(start, end)
}

/** The text between two parts, without quotes and comments: the parser drops some words from the tree. */
export function wordsBetween(r: Resolution, from: number | null, to: number | null): string {
  if (from === null || to === null) return ''
  return r.context.sql
    .slice(from, to)
    .replace(/'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
}

// The name of a result column: its alias, the last name of a path, or its text.
export function resultName(r: Resolution, node: Expression): string {
  if (node.node === 'Alias') return node.alias
  if (node.node === 'Field') return String(node.chain.at(-1))
  return textOf(r, node).trim() || node.node
}

/** NULLs come last in either direction. */
export function resolveOrder(r: Resolution, node: OrderExpr, resolve: (expr: Expression) => Expr): Order {
  if (node.with_fill) reject(node, 'WITH FILL is not supported')
  // The parser drops these words.
  const words = wordsBetween(r, node.expr.end ?? node.start, node.end)
  if (/\bnulls\s+first\b/i.test(words)) reject(node, 'NULLS FIRST is not supported')
  if (/\bcollate\b/i.test(words)) reject(node, 'COLLATE is not supported')
  return { expr: resolve(node.expr), descending: node.order === 'DESC' }
}
