// Functions of maps, which are arrays of pairs.
import { reject } from '../../../error'
import type { Expr } from '../../../ir'
import { call } from '../../../ir-build'
import type { Call, Expression } from '../../../parser/ast'
import type { Resolution } from '../../context/resolution'
import type { Scope } from '../../context/scope'
import { isMapExpr, type MapExpr, mapOf, partOf, partsOfMap } from '../../names/maps'
import { typeName } from '../../types/type-names'
import { reconcileElements } from '../../types/reconcile'
import { lambdaOf } from '../arguments'
import { resolveArray } from '../literals'
import { macro, type Macro } from './form'

function requireMap(node: Call, given: Expr): MapExpr {
  return isMapExpr(given)
    ? given
    : reject(node, `'${node.name}' takes a map, and got ${typeName(given.type)}`, 'type_mismatch')
}

/** Resolves `map(key, value, key, value, …)`. */
function written(r: Resolution, node: Call, args: readonly Expression[], scope: Scope): Expr {
  if (args.length % 2 > 0) {
    reject(node, `'map' takes keys and values in turn, and got ${args.length} arguments`, 'invalid_query')
  }
  const [keys, values] = [0, 1].map((part) =>
    resolveArray(
      r,
      node,
      args.filter((_, index) => index % 2 === part),
      scope,
    ),
  )
  return mapOf(node, call('arrayZip', keys!, values!))
}

/** Makes a map of two arrays. Constant arrays must have the same length. */
function fromArrays(node: Call, keys: Expr, values: Expr): Expr {
  for (const { type } of [keys, values]) {
    if (type.kind !== 'array')
      reject(node, `'mapFromArrays' takes two arrays, and got ${typeName(type)}`, 'type_mismatch')
  }
  if (keys.node === 'array' && values.node === 'array' && keys.items.length !== values.items.length) {
    reject(
      node,
      `'mapFromArrays' takes as many values as keys: ${keys.items.length} and ${values.items.length}`,
      'invalid_query',
    )
  }
  return mapOf(node, call('arrayZip', keys, values))
}

const contains =
  (part: 'key' | 'value') =>
  (r: Resolution, node: Call, given?: Expr, wanted?: Expr): Expr => {
    const parts = partsOfMap(r, requireMap(node, given!), part)
    const sides = reconcileElements(wanted!, parts, r.context.timezone)
    if (sides === undefined) {
      reject(node, `'${node.name}' looks for ${typeName(wanted!.type)} among others`, 'type_mismatch')
    }
    return call('has', sides[1], sides[0])
  }

/** Defines a function of a map and a lambda of a key and a value. */
function withLambda(name: 'mapFilter' | 'mapApply'): Macro {
  return {
    names: [name],
    takes: 'lambda, map',
    form: (r, node, args, scope) => {
      const [lambda, given, ...others] = args
      if (lambda?.node !== 'Lambda' || lambda.args.length !== 2 || given === undefined || others.length > 0) {
        return reject(
          node,
          `'${node.name}' takes a lambda and a map: ${name}((k, v) -> …, map)`,
          'invalid_query',
        )
      }
      const map = requireMap(node, r.expr(given, scope))
      const id = r.nextId()
      const pair: Expr = { node: 'element', parameter: id, type: map.type.of }
      const [key = '', value = ''] = lambda.args
      const parameters = new Map(scope.parameters)
        .set(key, partOf(pair, map.type, 'key'))
        .set(value, partOf(pair, map.type, 'value'))
      const bound = lambdaOf(r, lambda, [id], { ...scope, parameters })
      return mapOf(node, call(name === 'mapFilter' ? 'arrayFilter' : 'arrayMap', bound, map))
    },
  }
}

export const MAP_MACROS: readonly Macro[] = [
  { names: ['map'], takes: 'key, value, …', form: written },
  macro('mapFromArrays', 'keys, values', (_r, node, keys, values) => fromArrays(node, keys!, values!)),
  macro('mapKeys', 'map', (r, node, given) => partsOfMap(r, requireMap(node, given!), 'key')),
  macro('mapValues', 'map', (r, node, given) => partsOfMap(r, requireMap(node, given!), 'value')),
  macro('mapContains mapContainsKey', 'map, key', contains('key')),
  macro('mapContainsValue', 'map, value', contains('value')),
  withLambda('mapFilter'),
  withLambda('mapApply'),
]
