// Resolves an expression by its kind.
import type { Expr } from '../../ir'
import { integer } from '../../ir-build'
import type { Expression, SelectQuery, SelectSetQuery } from '../../parser/ast'
import { nullable } from '../../types'
import { arraySlice, elementsAt, subscript } from '../names/access'
import { resolveArithmetic } from './arithmetic'
import { resolveCall } from './calls'
import { cast } from '../types/casts'
import { resolveBetween, resolveComparison, resolveDistinctFrom } from './comparisons'
import { resolveAnd, resolveNot, resolveOr } from './conditions'
import { resolveConstant, resolveArray, resolveTuple } from './literals'
import type { Resolution } from '../context/resolution'
import { resolveField } from '../names/field'
import { resolvePlaceholder } from './placeholders'
import { reject } from '../../error'
import { addAlias, type Scope } from '../context/scope'
import { textOf } from '../context/source-text'
import { resolveWindowFunction } from './windows'

export function resolveExpr(r: Resolution, node: Expression, scope: Scope): Expr {
  switch (node.node) {
    case 'Constant':
      return resolveConstant(r, node)
    case 'Field':
      return resolveField(r, node, scope)
    case 'Call':
      return resolveCall(r, node, scope)
    case 'And':
      return resolveAnd(r, node.exprs, scope)
    case 'Or':
      return resolveOr(r, node.exprs, scope, node)
    case 'Not':
      return resolveNot(r, node.expr, scope)
    case 'CompareOperation':
      return resolveComparison(r, node, scope)
    case 'BetweenExpr':
      return resolveBetween(r, node, scope)
    case 'IsDistinctFrom':
      return resolveDistinctFrom(r, node, scope)
    case 'ArithmeticOperation':
      return resolveArithmetic(r, node, scope)
    case 'Array':
      return resolveArray(r, node, node.exprs, scope)
    case 'Tuple':
      return resolveTuple(r, node, node.exprs, scope)
    case 'ArrayAccess':
      return subscript(r, r.expr(node.array, scope), r.expr(node.property, scope), node)
    case 'TupleAccess':
      return elementsAt(r, r.expr(node.tuple, scope), node.index, node)
    case 'TypeCast':
    case 'TryCast':
      return cast(r, r.expr(node.expr, scope), node.type_name, node)
    case 'ExprCall':
      return resolveTypedCast(r, node, scope)
    case 'WindowFunction':
      return resolveWindowFunction(r, node, scope)
    case 'SelectQuery':
    case 'SelectSetQuery':
      return resolveScalarQuery(r, node, scope)
    case 'Placeholder':
      return resolvePlaceholder(r, node, scope)
    case 'Alias':
      return resolveAlias(r, node, scope)
    case 'Lambda':
      return reject(node, 'A lambda can only be an argument of a function such as arrayMap', 'invalid_query')
    case 'ColumnsExpr':
      return reject(node, 'COLUMNS and EXCLUDE can only be items of SELECT')
    case 'Dict':
      return reject(node, 'Dictionaries are not supported')
    case 'ArraySlice':
      return arraySlice(
        r.expr(node.array, scope),
        node.start_expr ? r.expr(node.start_expr, scope) : integer(1),
        node.end_expr ? r.expr(node.end_expr, scope) : null,
        node,
      )
    default:
      return rejectKind(node)
  }
}

/** Resolves `x AS name` inside an expression. Later expressions may use the name. */
function resolveAlias(r: Resolution, node: Extract<Expression, { node: 'Alias' }>, scope: Scope): Expr {
  const expr = r.expr(node.expr, scope)
  addAlias(scope, node, expr)
  return expr
}

/** Resolves casts with arguments: the parser turns `x::Nullable(String)` and `x::DateTime('UTC')` into a call of a cast. */
function resolveTypedCast(
  r: Resolution,
  node: Extract<Expression, { node: 'ExprCall' }>,
  scope: Scope,
): Expr {
  const { expr: inner } = node
  if (inner.node !== 'TypeCast' && inner.node !== 'TryCast') {
    return reject(node, 'Calling an expression is not supported')
  }
  const written = textOf(r, node).slice(textOf(r, inner).length - inner.type_name.length)
  return cast(r, r.expr(inner.expr, scope), written || inner.type_name, node)
}

/** Resolves a query as a value. It has one column, and is NULL without a row. */
function resolveScalarQuery(r: Resolution, node: SelectQuery | SelectSetQuery, scope: Scope): Expr {
  const query = r.query(node, scope.environment, scope)
  const [item, ...others] = query.items
  if (item === undefined || others.length > 0) {
    reject(node, `A subquery that is a value has 1 column, and got ${query.items.length}`, 'invalid_query')
  }
  return { node: 'subquery', query, type: nullable(item.type) }
}

function rejectKind(node: { node: string; start: number | null; end: number | null }): never {
  return reject(node, `${node.node} is not supported`)
}
