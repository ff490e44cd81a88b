// Arrays and tuples, as literals and as functions.
import type { Expr } from '../ir'
import type { Expression, Located } from '../parser/ast'
import { arrayOf } from '../types'
import type { Resolution } from './context'
import { noCommonType } from './describe'
import { refuse } from './refuse'
import type { Scope } from './scope'
import { unify } from './unify'

/** `[a, b]`: items of one type. */
export function resolveArray(r: Resolution, node: Located, items: readonly Expression[], scope: Scope): Expr {
  const exprs = items.map((item) => r.expr(item, scope))
  const unified = unify(exprs, r.context.timezone)
  if (unified === undefined) refuse(node, noCommonType('the items of an array', exprs), 'type_mismatch')
  return { node: 'array', items: unified.exprs, type: arrayOf(unified.type) }
}

/** `(a, b)`: items of any types. */
export function resolveTuple(r: Resolution, node: Located, items: readonly Expression[], scope: Scope): Expr {
  if (items.length === 0) refuse(node, 'A tuple has at least one element', 'invalid_query')
  const exprs = items.map((item) => r.expr(item, scope))
  return {
    node: 'tuple',
    items: exprs,
    type: { kind: 'tuple', of: exprs.map(({ type }) => type), nullable: false },
  }
}
