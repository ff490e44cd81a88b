// Resolves arrayJoin() and ARRAY JOIN, which return a row for each element of an array.
import type { Expr, Source } from '../../ir'
import type { Call, Expression, Located, SelectQuery } from '../../parser/ast'
import { arrayOf, type Type } from '../../types'
import { branch, call, column, comparison, integer, literal } from '../../ir-build'
import { defaultOf } from './aggregates'
import type { Resolution } from '../context/resolution'
import { tupleElement } from '../names/access'
import { findInSources } from '../names/columns'
import { typeName } from '../types/type-names'
import { containsAggregate, containsWindow } from '../../ir-walk'
import { reject } from '../../error'
import { addAlias, type Scope } from '../context/scope'

type Elements = Extract<Source, { kind: 'elements' }>

/** Resolves arrayJoin(): the element is a column of a source that is joined to FROM. */
export function resolveArrayJoin(
  r: Resolution,
  node: Call,
  [arg, ...others]: readonly Expression[],
  scope: Scope,
): Expr {
  if (arg === undefined || others.length > 0)
    reject(node, "Function 'arrayJoin' takes 1 argument", 'invalid_query')
  if (scope.arrayJoins === null || scope.parameters.size > 0) {
    reject(node, 'arrayJoin() is not supported here')
  }
  const array = arrayIn(r.expr(arg, scope), node)
  const known = scope.arrayJoins.find(array.expr)
  const source = known ?? elementsOf(r, array.expr, array.of)
  if (known === undefined) scope.arrayJoins.add(array.expr, source)
  return elementOf(source)
}

const elementsOf = (r: Resolution, array: Expr, type: Type): Elements => ({
  kind: 'elements',
  id: r.nextId(),
  array,
  type,
})

const elementOf = ({ id, type }: Elements): Expr => column(id, 'value', type)

function arrayIn(expr: Expr, node: Located): { expr: Expr; of: Type } {
  if (expr.type.kind !== 'array') {
    return reject(node, `arrayJoin takes an array, and got ${typeName(expr.type)}`, 'type_mismatch')
  }
  if (containsWindow(expr)) {
    reject(node, 'arrayJoin of a window function is not supported: compute it in a subquery')
  }
  return { expr, of: expr.type.of }
}

/** Resolves ARRAY JOIN. The alias of an array names its element. Several arrays are read in parallel. */
export function resolveArrayJoinClause(r: Resolution, node: SelectQuery, scope: Scope): void {
  const list = node.array_join_list ?? []
  if (list.length === 0) return
  const items = list.map((item) =>
    item.node === 'Alias' ? item : reject(item, 'ARRAY JOIN arrays must have an alias', 'invalid_query'),
  )
  const arrays = items.map((item) => {
    const array = arrayIn(r.expr(aliasedArray(r, node, item.expr, scope) ?? item.expr, scope), item)
    if (containsAggregate(array.expr))
      reject(item, 'ARRAY JOIN comes before aggregates: use arrayJoin(…), or aggregate in a subquery')
    return array
  })
  const [only, ...others] = arrays
  const given =
    others.length === 0 && only ? only : arrayIn(call('arrayZip', ...arrays.map(({ expr }) => expr)), node)
  const keepsAll = node.array_join_op === 'LEFT ARRAY JOIN'
  const array = keepsAll ? neverEmpty(given.expr, given.of, node) : given.expr
  const source = elementsOf(r, array, given.of)
  scope.arrayJoins?.add(array, source)
  items.forEach((item, index) => {
    const element = elementOf(source)
    addAlias(scope, item, others.length === 0 ? element : tupleElement(element, index + 1, item))
  })
}

/** Returns the array of SELECT that a name refers to which no source has, as in `SELECT [1, 2] AS list, x ARRAY JOIN list AS x`. */
function aliasedArray(
  r: Resolution,
  { select }: SelectQuery,
  node: Expression,
  scope: Scope,
): Expression | null {
  if (node.node !== 'Field' || node.chain.length !== 1) return null
  const name = String(node.chain[0])
  const item = select.find((each) => each.node === 'Alias' && each.alias === name)
  return item?.node === 'Alias' && findInSources(r, scope, name, node) === undefined ? item.expr : null
}

/** Adds the type's default to an empty array, because LEFT ARRAY JOIN keeps a row without elements. */
function neverEmpty(array: Expr, of: Type, node: Located): Expr {
  const nothing = of.nullable ? literal(null, of) : defaultOf(of)
  if (nothing === undefined) reject(node, 'LEFT ARRAY JOIN of such an array is not supported')
  const empty = comparison('=', call('length', array), integer(0))
  const one: Expr = { node: 'array', items: [nothing], type: arrayOf(of) }
  return { node: 'case', branches: [branch(empty, one)], otherwise: array, type: array.type }
}
