// Checks constant regular expressions, so that an invalid one is rejected when the query is compiled, not when it runs.
import { checkConstants, type Constant } from '../../computed/compute'
import { HogqlError, reject } from '../../error'
import { findFunction } from '../../functions/catalogue'
import type { Expr } from '../../ir'
import { call as callOf, integer, literalOf } from '../../ir-build'
import type { Located } from '../../parser/ast'
import type { Resolution } from '../context/resolution'

/** @throws HogqlError for a call whose constant pattern or replacement is not valid */
export function withValidPattern(r: Resolution, call: Expr, node: Located): Expr {
  if (call.node !== 'call') return call
  const spec = findFunction(call.fn)
  if (spec?.kind !== 'scalar' || !spec.computed) return call
  const { operand } = spec.computed
  const constants = call.args.filter((_, index) => index !== operand).map(constantOf)
  if (!constants.every((constant) => constant !== undefined)) return call
  try {
    checkConstants(call.fn, constants, r.patterns)
  } catch (error) {
    if (error instanceof HogqlError) reject(node, error.message, error.code)
    throw error
  }
  return call
}

/** Returns whether a text matches a pattern. NULL does not match, and so a negation of this is true for it. */
export const isMatch = (r: Resolution, value: Expr, pattern: Expr, node: Located): Expr =>
  callOf('ifNull', withValidPattern(r, callOf('match', value, pattern), node), integer(0))

/** Returns the value of a constant, or of an array of constants. */
function constantOf(expr: Expr): Constant | undefined {
  if (expr.node !== 'array') return literalOf(expr)
  const items = expr.items.map(literalOf)
  return items.every((item) => item !== undefined) ? items : undefined
}
