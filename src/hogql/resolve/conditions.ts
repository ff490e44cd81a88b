// AND, OR, NOT, and what may stand as a condition.
import type { Expr } from '../ir'
import type { Expression, Located } from '../parser/ast'
import { all, any, not } from './build'
import type { Resolution } from './context'
import { convert } from './convert'
import { describe } from './describe'
import { refuse } from './refuse'
import type { Scope } from './scope'

/** An expression that is true or false: a comparison, a boolean, a number, or the text of a property that says so. */
export function asCondition(r: Resolution, expr: Expr, node: Located): Expr {
  const condition = convert(expr, 'condition', r.context.timezone)
  return (
    condition ?? refuse(node, `A condition is due here, and this is ${describe(expr.type)}`, 'type_mismatch')
  )
}

export const resolveCondition = (r: Resolution, node: Expression, scope: Scope): Expr =>
  asCondition(r, r.expr(node, scope), node)

export const resolveAnd = (r: Resolution, nodes: readonly Expression[], scope: Scope): Expr =>
  all(nodes.map((node) => resolveCondition(r, node, scope)))

export function resolveOr(r: Resolution, nodes: readonly Expression[], scope: Scope, node: Located): Expr {
  const [first, ...rest] = nodes.map((operand) => resolveCondition(r, operand, scope))
  return first === undefined
    ? refuse(node, "Function 'or' takes at least one argument", 'invalid_query')
    : any([first, ...rest])
}

export const resolveNot = (r: Resolution, node: Expression, scope: Scope): Expr =>
  not(resolveCondition(r, node, scope))
