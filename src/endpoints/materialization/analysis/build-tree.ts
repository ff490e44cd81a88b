// Small pieces of trees, as the queries that are made of another one need them.
import type { Call, CompareOperation, Expression, Field } from '../../../hogql/parser/ast'

const NOWHERE = { start: null, end: null }

export const field = (...chain: string[]): Field => ({ ...NOWHERE, node: 'Field', chain })

export const call = (name: string, ...args: Expression[]): Call => ({
  ...NOWHERE,
  node: 'Call',
  name,
  args,
})

export const aliased = (expr: Expression, alias: string): Expression => ({
  ...NOWHERE,
  node: 'Alias',
  alias,
  expr,
})

export const equals = (left: Expression, right: Expression): CompareOperation => ({
  ...NOWHERE,
  node: 'CompareOperation',
  op: '==',
  left,
  right,
})

/** Conditions that all hold; null without any. */
export function allOf(conditions: readonly Expression[]): Expression | null {
  if (conditions.length === 0) return null
  return conditions.length === 1 ? conditions[0]! : { ...NOWHERE, node: 'And', exprs: [...conditions] }
}
