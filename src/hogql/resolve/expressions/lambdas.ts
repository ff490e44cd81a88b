// The body of a lambda.
import { reject } from '../../error'
import type { Expr } from '../../ir'
import { contains, containsWindow } from '../../ir-walk'
import type { Expression } from '../../parser/ast'
import type { Resolution } from '../context/resolution'
import type { Scope } from '../context/scope'

export type Lambda = Extract<Expression, { node: 'Lambda' }>

/** @param scope has its parameters, as parts of the elements `ids` */
export function lambdaOf(r: Resolution, node: Lambda, ids: number[], scope: Scope): Expr {
  const body = r.expr(node.expr, scope)
  if (containsWindow(body)) reject(node, 'A window function cannot stand in a lambda')
  const ofElement = (part: Expr) => part.node === 'element'
  if (contains(body, (part) => part.node === 'aggregate' && contains(part, ofElement))) {
    reject(node, 'An aggregate inside a lambda cannot read an element')
  }
  return { node: 'lambda', parameters: ids, body, type: body.type }
}
