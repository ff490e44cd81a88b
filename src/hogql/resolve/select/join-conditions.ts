import type { Expr, Join } from '../../ir'
import type { Expression, JoinConstraint } from '../../parser/ast'
import { all, call } from '../../ir-build'
import { compare } from '../expressions/comparisons'
import { resolveCondition } from '../expressions/conditions'
import type { Resolution } from '../context/resolution'
import { containsAggregate, containsWindow } from '../../ir-walk'
import { reject } from '../../error'
import { findIn } from '../names/columns'
import type { NamedSource, Scope } from '../context/scope'

export function resolveOn(r: Resolution, node: JoinConstraint, scope: Scope): Expr {
  const on = resolveCondition(r, node.expr, { ...scope, arrayJoins: null })
  if (containsAggregate(on)) reject(node, 'Aggregate functions cannot stand in ON', 'invalid_query')
  if (containsWindow(on)) reject(node, 'Window functions cannot stand in ON', 'invalid_query')
  return on
}

/** Resolves `USING (a, b)`, which merges the columns of both sides into one. */
export function resolveUsing(
  r: Resolution,
  node: JoinConstraint,
  kind: Join['kind'],
  before: readonly NamedSource[],
  joined: NamedSource,
  scope: Scope,
): Expr {
  const columns = node.expr.node === 'Tuple' ? node.expr.exprs : [node.expr]
  return all(
    columns.map((column) => {
      const name = nameOf(column)
      const left = columnOf(r, before, name, column, scope)
      const right = columnOf(r, [joined], name, column, scope)
      scope.merged.set(name, mergedColumn(kind, left, right))
      joined.merged.add(name)
      return compare(r, '=', left, right, column)
    }),
  )
}

function nameOf(node: Expression): string {
  const [name, ...others] = node.node === 'Field' ? node.chain : []
  return name !== undefined && others.length === 0
    ? String(name)
    : reject(node, 'USING takes names of columns', 'invalid_query')
}

function columnOf(
  r: Resolution,
  sources: readonly NamedSource[],
  name: string,
  node: Expression,
  scope: Scope,
): Expr {
  const known = sources.length > 1 ? scope.merged.get(name) : undefined
  if (known !== undefined) return known
  const found = sources.flatMap((source) => findIn(r, source, name, node) ?? [])
  const [column, ...others] = found
  if (others.length > 0) {
    reject(node, `Ambiguous query. Found multiple sources for field: ${name}`, 'unknown_field')
  }
  return column?.kind === 'column'
    ? column.expr
    : reject(node, `Unable to resolve field: ${name}`, 'unknown_field')
}

/** Returns the value of the side that has a row. */
function mergedColumn(kind: Join['kind'], left: Expr, right: Expr): Expr {
  switch (kind) {
    case 'inner':
    case 'left':
    case 'cross':
      return left
    case 'right':
      return right
    case 'full':
      return call('coalesce', optional(left), optional(right))
  }
}

/** Makes a column nullable, because the row of its side may be missing from an outer join. */
export const optional = (expr: Expr): Expr => ({ ...expr, type: { ...expr.type, nullable: true } })
