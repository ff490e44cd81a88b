// Expressions that this code writes in HogQL.
import type { Expr } from '../ir'
import type { Expression } from '../parser/ast'
import { parseExpression } from '../parser/parse'
import type { Resolution } from './context/resolution'
import { emptyScope, NO_CTES } from './context/scope'

/** By their text, of which there are few. */
const parsed = new Map<string, Expression>()

/** @param parameters what the names in the text stand for */
export function resolveText(
  r: Resolution,
  text: string,
  parameters: Iterable<readonly [string, Expr]>,
): Expr {
  const tree = parsed.get(text) ?? parseExpression(text)
  parsed.set(text, tree)
  return r.expr(tree, { ...emptyScope(NO_CTES, null), parameters: new Map(parameters) })
}
