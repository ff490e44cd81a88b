// if, multiIf, CASE: one value for all branches.
import type { Expr } from '../ir'
import type { Expression, Located } from '../parser/ast'
import { nullable } from '../types'
import { branch, isNullLiteral, NULL_LITERAL } from './build'
import { compare } from './compare'
import { asCondition } from './conditions'
import type { Resolution } from './context'
import { noCommonType } from './describe'
import { refuse } from './refuse'
import type { Scope } from './scope'
import { unify } from './unify'

/** `if(condition, then, otherwise)`. */
export function resolveIf(r: Resolution, node: Located, args: readonly Expression[], scope: Scope): Expr {
  if (args.length !== 3) refuse(node, "Function 'if' takes 3 arguments", 'invalid_query')
  return resolveMultiIf(r, node, args, scope)
}

/** `multiIf(condition, then, condition, then, …, otherwise)`, which CASE without an operand is too. */
export function resolveMultiIf(
  r: Resolution,
  node: Located,
  args: readonly Expression[],
  scope: Scope,
): Expr {
  if (args.length < 3 || args.length % 2 === 0) {
    refuse(node, "Function 'multiIf' takes an odd number of arguments, at least 3", 'invalid_query')
  }
  const resolved = args.map((arg, index) => {
    const expr = r.expr(arg, scope)
    return index % 2 === 0 && index < args.length - 1 ? asCondition(r, expr, arg) : expr
  })
  return choose(r, node, resolved)
}

/** `CASE operand WHEN value THEN result … ELSE otherwise END`, operand first. */
export function resolveCase(r: Resolution, node: Located, args: readonly Expression[], scope: Scope): Expr {
  const [operand, ...rest] = args.map((arg) => r.expr(arg, scope))
  if (operand === undefined || rest.length % 2 === 0) refuse(node, 'CASE is incomplete', 'invalid_query')
  const resolved = rest.map((expr, index) =>
    index % 2 === 0 && index < rest.length - 1 ? compare(r, '=', r.reuse(operand, node), expr, node) : expr,
  )
  return choose(r, node, resolved)
}

/** Conditions and results in turn, and what is left otherwise. */
function choose(r: Resolution, node: Located, parts: readonly Expr[]): Expr {
  const results = parts.filter((_, index) => index % 2 === 1 || index === parts.length - 1)
  const unified = unify(results, r.context.timezone)
  if (unified === undefined) refuse(node, noCommonType('the branches', results), 'type_mismatch')
  const branches = unified.exprs
    .slice(0, -1)
    .map((value, index) => branch(parts[index * 2] ?? NULL_LITERAL, value))
  const otherwise = unified.exprs.at(-1) ?? NULL_LITERAL
  return isNullLiteral(otherwise)
    ? { node: 'case', branches, otherwise: null, type: nullable(unified.type) }
    : { node: 'case', branches, otherwise, type: unified.type }
}
