// Returns the text of a part of the tree, and parses texts of this code's own.
import { emptyScope, NO_CTES } from './scope'
import type { Resolution } from './resolution'
import { parseExpression } from '../../parser/parse'
import { withoutPlaces } from '../../parser/walk'
import type { Expression, Located, OrderExpr } from '../../parser/ast'
import type { Expr, Order } from '../../ir'

/** Returns the text of a part of the query. It is empty for a generated part. */
export function textOf(r: Resolution, { start, end }: Located): string {
  return start === null || end === null ? '' : r.context.sql.slice(start, end)
}

// Returns the name of a result column: its alias, the last name of a path, or its text.
export function resultName(r: Resolution, node: Expression): string {
  if (node.node === 'Alias') return node.alias
  if (node.node === 'Field') return String(node.chain.at(-1))
  return textOf(r, node).trim() || node.node
}

/** Resolves a term of ORDER BY. NULLs come last in either direction. */
export function resolveOrder(node: OrderExpr, resolve: (expr: Expression) => Expr): Order {
  return { expr: resolve(node.expr), descending: node.order === 'DESC' }
}

/** Parsed expressions by their text. There are few texts. */
const parsed = new Map<string, Expression>()

/** @param parameters what the names in the text refer to */
export function resolveText(
  r: Resolution,
  text: string,
  parameters: Iterable<readonly [string, Expr]>,
): Expr {
  const tree = parsed.get(text) ?? withoutPlaces(parseExpression(text))
  parsed.set(text, tree)
  return r.expr(tree, { ...emptyScope(NO_CTES, null), parameters: new Map(parameters) })
}
