import type { Expr, Join } from '../../ir'
import type { Expression, JoinConstraint } from '../../parser/ast'
import { all, call } from '../../ir-build'
import { compare } from '../expressions/comparisons'
import { resolveCondition } from '../expressions/conditions'
import type { Resolution } from '../context/resolution'
import { containsAggregate, containsWindow } from '../../ir-walk'
import { reject } from '../../error'
import { findIn, findInSources } from '../names/columns'
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
      const left = columnOf(r, { ...scope, sources: [...before] }, name, column)
      const right = columnOf(r, { sources: [joined], merged: new Map() }, name, column)
      const owners =
        scope.merged.get(name)?.sources ?? before.filter((source) => findIn(r, source, name, column))
      scope.merged.set(name, { expr: mergedColumn(kind, left, right), sources: [...owners, joined] })
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
  scope: Pick<Scope, 'sources' | 'merged'>,
  name: string,
  node: Expression,
): Expr {
  const found = findInSources(r, scope, name, node)
  return found?.kind === 'column'
    ? found.expr
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
