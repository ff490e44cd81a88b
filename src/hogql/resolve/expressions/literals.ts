import type { Expr } from '../../ir'
import type { Constant, Expression, Located } from '../../parser/ast'
import { BOOLEAN, FLOAT, INTEGER, STRING, arrayOf, tupleOf } from '../../types'
import { literal, NULL_LITERAL } from '../../ir-build'
import type { Resolution } from '../context/resolution'
import { reject } from '../../error'
import { textOf } from '../context/source-text'
import { noCommonType } from '../types/type-names'
import type { Scope } from '../context/scope'
import { unify } from '../types/unify'

/** Resolves a constant: `1.0` is a float, `1` an integer. */
export function resolveConstant(r: Resolution, node: Constant): Expr {
  const { value } = node
  if (value === null) return NULL_LITERAL
  if (typeof value === 'boolean') return literal(value, BOOLEAN)
  if (node.value_type === 'number') return unusualNumber(node)
  if (typeof value === 'string') return literal(value, STRING)
  const written = textOf(r, node)
  if (!Number.isInteger(value) || isWrittenAsFloat(written)) return literal(value, FLOAT)
  if (!Number.isSafeInteger(value)) reject(node, `The number ${written} is too large.`)
  return literal(value, INTEGER)
}

const isWrittenAsFloat = (written: string): boolean => !/^[+-]?\s*0x/i.test(written) && /[.e]/i.test(written)

/** Rejects numbers that JSON cannot represent, which are texts in the tree. */
function unusualNumber(node: Constant): never {
  return reject(node, `The number ${String(node.value)} is not supported.`)
}

/** Resolves `[a, b]`, whose items have one type. */
export function resolveArray(r: Resolution, node: Located, items: readonly Expression[], scope: Scope): Expr {
  const exprs = items.map((item) => r.expr(item, scope))
  const unified = unify(exprs, r.context.timezone)
  if (unified === undefined) reject(node, noCommonType('the items of an array', exprs), 'type_mismatch')
  return { node: 'array', items: unified.exprs, type: arrayOf(unified.type) }
}

/** Resolves `(a, b)`, whose items have any types. */
export function resolveTuple(r: Resolution, node: Located, items: readonly Expression[], scope: Scope): Expr {
  if (items.length === 0) reject(node, 'A tuple has at least one element', 'invalid_query')
  const exprs = items.map((item) => r.expr(item, scope))
  return { node: 'tuple', items: exprs, type: tupleOf(...exprs.map(({ type }) => type)) }
}
