// Resolves a name: a lambda parameter, table, alias, column or CTE, in that order, first in the inner scope.
import type { Expr } from '../../ir'
import type { Field } from '../../parser/ast'
import type { ObjectSchema } from '../../tables/schema'
import { reach } from './access'
import type { Resolution } from '../context/resolution'
import { reject } from '../../error'
import { findIn, findInSources, readColumn, type Found } from './columns'
import { cteNamed, type NamedSource, type Scope } from '../context/scope'

export function resolveField(r: Resolution, node: Field, scope: Scope): Expr {
  const chain = node.chain.map(String)
  if (chain.includes('*')) {
    reject(
      node,
      `${chain.join('.')} can only be an item of SELECT, or the argument of count()`,
      'invalid_query',
    )
  }
  for (let here: Scope | null = scope; here !== null; here = here.outer) {
    const found = resolveIn(r, node, chain, here)
    if (found !== undefined) return found
  }
  return reject(node, `Unable to resolve field: ${chain.join('.')}`, 'unknown_field')
}

function resolveIn(r: Resolution, node: Field, chain: readonly string[], scope: Scope): Expr | undefined {
  const [name = '', ...path] = chain
  const parameter = scope.parameters.get(name)
  if (parameter !== undefined) return reach(r, parameter, path, node)

  const [column, ...rest] = path
  const source = column === undefined ? undefined : sourceNamed(scope, name)
  if (source !== undefined && column !== undefined) {
    const found = findIn(r, source, column, node)
    if (found === undefined) reject(node, `Unable to resolve field: ${chain.join('.')}`, 'unknown_field')
    return follow(r, node, found, rest)
  }

  const alias = scope.aliases.get(name)
  if (alias !== undefined) return reach(r, r.reuse(alias, node), path, node)

  const found = findInSources(r, scope, name, node)
  if (found !== undefined) return follow(r, node, found, path)

  return resolveCte(r, node, chain, scope)
}

export const sourceNamed = (scope: Scope, name: string): NamedSource | undefined =>
  scope.sources.find((source) => source.name === name)

/** The rest of a path after a column or an object such as `person`. */
function follow(r: Resolution, node: Field, found: Found, path: readonly string[]): Expr {
  if (found.kind === 'column') return reach(r, found.expr, path, node)
  return followObject(r, node, found.source, found.object, path)
}

function followObject(
  r: Resolution,
  node: Field,
  source: NamedSource,
  object: ObjectSchema,
  [name, ...path]: readonly string[],
): Expr {
  const whole = node.chain.join('.')
  if (name === undefined) {
    const names = [...object.fields.keys()].join(', ')
    reject(node, `${whole} is not a column: name one of its fields (${names})`, 'unknown_field')
  }
  const column = object.fields.get(name)
  if (column === undefined) reject(node, `Unable to resolve field: ${whole}`, 'unknown_field')
  return reach(r, readColumn(r, source, column), path, node)
}

/** `WITH expression AS name`: the expression replaces the name. */
function resolveCte(r: Resolution, node: Field, chain: readonly string[], scope: Scope): Expr | undefined {
  const [name = '', ...path] = chain
  const entry = cteNamed(scope.environment, name)
  if (entry?.kind !== 'expression' || scope.resolving.has(name)) return undefined
  scope.resolving.add(name)
  try {
    return reach(r, r.reuse(r.expr(entry.expression, scope), node), path, node)
  } finally {
    scope.resolving.delete(name)
  }
}
