// Resolves AND, OR, NOT, if, multiIf and CASE, and converts expressions to conditions.
import type { Expr } from '../../ir'
import type { Expression, Located } from '../../parser/ast'
import { all, any, not, branch, isNullLiteral, NULL_LITERAL } from '../../ir-build'
import type { Resolution } from '../context/resolution'
import { convertOrReject } from '../types/convert'
import { isDefinedText } from '../types/properties'
import { noCommonType } from '../types/type-names'
import { reject } from '../../error'
import type { Scope } from '../context/scope'
import { nullable } from '../../types'
import { compare } from './comparisons'
import { unify } from '../types/unify'

/**
 * Converts an expression to a condition. Comparisons, booleans and numbers can be conditions, and so can properties, except those that are
 * texts by their definition.
 */
export const asCondition = (r: Resolution, expr: Expr, node: Located): Expr =>
  convertOrReject(
    r,
    expr,
    'condition',
    node,
    isDefinedText(expr)
      ? 'A condition is expected here, such as a comparison of the property with a text'
      : 'A condition is expected here',
  )

export const resolveCondition = (r: Resolution, node: Expression, scope: Scope): Expr =>
  asCondition(r, r.expr(node, scope), node)

/** Joins those of two conditions that are not null with AND. */
export const allOf = (one: Expr | null, other: Expr | null): Expr | null =>
  one && other ? all([one, other]) : (one ?? other)

export const resolveAnd = (r: Resolution, nodes: readonly Expression[], scope: Scope): Expr =>
  all(nodes.map((node) => resolveCondition(r, node, scope)))

export function resolveOr(r: Resolution, nodes: readonly Expression[], scope: Scope, node: Located): Expr {
  const [first, ...rest] = nodes.map((operand) => resolveCondition(r, operand, scope))
  return first === undefined
    ? reject(node, "Function 'or' takes at least one argument", 'invalid_query')
    : any([first, ...rest])
}

export const resolveNot = (r: Resolution, node: Expression, scope: Scope): Expr =>
  not(resolveCondition(r, node, scope))

/** Resolves `if(condition, then, otherwise)`. */
export function resolveIf(r: Resolution, node: Located, args: readonly Expression[], scope: Scope): Expr {
  if (args.length !== 3) reject(node, "Function 'if' takes 3 arguments", 'invalid_query')
  return resolveMultiIf(r, node, args, scope)
}

/** Resolves `multiIf(condition, then, condition, then, …, otherwise)`, and CASE without an operand. */
export function resolveMultiIf(
  r: Resolution,
  node: Located,
  args: readonly Expression[],
  scope: Scope,
): Expr {
  if (args.length < 3 || args.length % 2 === 0) {
    reject(node, "Function 'multiIf' takes an odd number of arguments, at least 3", 'invalid_query')
  }
  const resolved = args.map((arg, index) => {
    const expr = r.expr(arg, scope)
    return index % 2 === 0 && index < args.length - 1 ? asCondition(r, expr, arg) : expr
  })
  return choose(r, node, resolved)
}

/** Resolves `CASE operand WHEN value THEN result … ELSE otherwise END`, with the operand as the first argument. */
export function resolveCase(r: Resolution, node: Located, args: readonly Expression[], scope: Scope): Expr {
  const [operand, ...rest] = args.map((arg) => r.expr(arg, scope))
  if (operand === undefined || rest.length % 2 === 0) reject(node, 'CASE is incomplete', 'invalid_query')
  const resolved = rest.map((expr, index) =>
    index % 2 === 0 && index < rest.length - 1 ? compare(r, '=', r.reuse(operand, node), expr, node) : expr,
  )
  return choose(r, node, resolved)
}

/** Makes a choice from conditions and results in turn, and the default at the end. */
function choose(r: Resolution, node: Located, parts: readonly Expr[]): Expr {
  const results = parts.filter((_, index) => index % 2 === 1 || index === parts.length - 1)
  const unified = unify(results, r.context.timezone)
  if (unified === undefined) reject(node, noCommonType('the branches', results), 'type_mismatch')
  const branches = unified.exprs
    .slice(0, -1)
    .map((value, index) => branch(parts[index * 2] ?? NULL_LITERAL, value))
  const otherwise = unified.exprs.at(-1) ?? NULL_LITERAL
  return isNullLiteral(otherwise)
    ? { node: 'case', branches, otherwise: null, type: nullable(unified.type) }
    : { node: 'case', branches, otherwise, type: unified.type }
}
