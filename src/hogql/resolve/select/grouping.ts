// Checks what a SELECT with GROUP BY may contain.
import type { Expr } from '../../ir'
import type { Located } from '../../parser/ast'
import { exprIndex } from '../../expr-index'
import { containsAggregate, containsWindow, partsOf } from '../../ir-walk'
import { reject } from '../../error'
import type { Scope } from '../context/scope'
import { lateArraysOf } from './late-arrays'

/**
 * Rejects aggregates and window functions in clauses that are computed before them: WHERE and GROUP BY come before aggregation, and window
 * functions after it.
 */
export function rejectAggregates(expr: Expr, clause: 'WHERE' | 'GROUP BY', node: Located): void {
  if (containsAggregate(expr)) {
    const instead = clause === 'WHERE' ? ': use HAVING, or math_hogql of an insight' : ''
    reject(node, `Aggregate functions cannot stand in ${clause}${instead}`, 'invalid_query')
  }
  rejectWindows(expr, clause, node)
}

export function rejectWindows(expr: Expr, clause: 'WHERE' | 'GROUP BY' | 'HAVING', node: Located): void {
  if (containsWindow(expr)) {
    const instead = clause === 'GROUP BY' ? '' : ': use QUALIFY'
    reject(node, `Window functions cannot stand in ${clause}${instead}`, 'invalid_query')
  }
}

/** Rejects a column of this SELECT that is neither aggregated nor a key of GROUP BY. */
export function checkGrouped(
  selected: readonly { expr: Expr; node: Located }[],
  keys: readonly Expr[],
  scope: Scope,
): void {
  const own = new Set(scope.sources.map(({ id }) => id))
  const late = lateArraysOf(scope)
  const early = (scope.arrayJoins?.values ?? []).filter((source) => !late.includes(source))
  const joined = new Set(early.map(({ id }) => id))
  const known = exprIndex(keys)

  const check = (part: Expr, node: Located): void => {
    if (known.find(part) || part.node === 'aggregate') return
    const [column, path] = part.node === 'property' ? [part.document, part.path] : [part, []]
    if (column.node === 'column' && (own.has(column.source) || joined.has(column.source))) {
      const name = [columnName(scope, column), ...path].join('.')
      reject(node, `Column '${name}' is not under an aggregate function and not in GROUP BY`, 'invalid_query')
    }
    for (const inner of partsOf(part)) check(inner, node)
  }
  for (const { expr, node } of selected) check(expr, node)
}

/** Returns the column as the query names it. */
function columnName(scope: Scope, { source, column }: Extract<Expr, { node: 'column' }>): string {
  const shape = scope.sources.find(({ id }) => id === source)?.shape
  if (shape === undefined) return 'arrayJoin'
  if (shape.kind === 'table') return column.replace('__', '.')
  return shape.columns.find(({ key }) => key === column)?.name ?? column
}
