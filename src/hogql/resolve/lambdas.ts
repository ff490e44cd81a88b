// Lambdas: what their parameters are, and their bodies.
import type { Expr } from '../ir'
import type { Lambda } from '../parser/ast'
import type { Resolution } from './context'
import { containsAggregate, containsWindow } from './ir-walk'
import { refuse } from './refuse'
import type { Scope } from './scope'

/** A lambda over the elements of arrays, one parameter for each array. */
export function bindLambda(r: Resolution, node: Lambda, arrays: readonly Expr[], scope: Scope): Expr {
  const elements = arrays.flatMap(({ type }) => (type.kind === 'array' ? [type.of] : []))
  if (node.args.length > elements.length) {
    refuse(
      node,
      `The lambda has ${node.args.length} parameters for ${elements.length} arrays`,
      'invalid_query',
    )
  }
  const ids: number[] = []
  const parameters = new Map(scope.parameters)
  for (const [index, name] of node.args.entries()) {
    const id = r.nextId()
    const type = elements[index]
    if (type === undefined) continue
    ids.push(id)
    parameters.set(name, { node: 'element', parameter: id, type })
  }
  const body = r.expr(node.expr, { ...scope, parameters })
  if (containsAggregate(body) || containsWindow(body)) {
    refuse(node, 'A lambda cannot aggregate', 'not_supported')
  }
  return { node: 'lambda', parameters: ids, body, type: body.type }
}
