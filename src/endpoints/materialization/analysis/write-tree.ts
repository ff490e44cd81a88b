// The query that computes the rows. It has no comparisons with variables, and a column for each variable.
import type { Expression, Selection, SelectQuery } from '../../../hogql/parser/ast'
import { expressionText } from '../../../hogql/parser/write-query'
import { mirrored, scopesOf } from './comparisons'
import {
  propagate,
  requireFewColumns,
  requireLettingThrough,
  requireNamedGroups,
  requireWhole,
} from './propagate'
import type { Lifted } from './analysis-types'
import { reject } from './reasons'
import { aggregates, aliased, allOf, call, conjunctsOf, isSame, unaliased } from './tree'

/**
 * Returns a copy.
 * @param together whether the run aggregates stored rows again
 * @throws Rejection where a variable's column would change the meaning of the query
 */
export function writeTree(tree: Selection, variables: readonly Lifted[], together: boolean): Selection {
  if (variables.length === 0) return tree
  const written = structuredClone(tree) as SelectQuery
  const selects = new Map(scopesOf(written))
  const dropped = new Set(
    variables.flatMap(({ comparisons }) =>
      comparisons.map((each) => textOfComparison(each.column, each.operator, each.value)),
    ),
  )
  const isDropped = (condition: Expression) =>
    condition.node === 'CompareOperation' &&
    (dropped.has(textOfComparison(condition.left, condition.op, condition.right)) ||
      dropped.has(textOfComparison(condition.right, mirrored(condition.op), condition.left)))
  requireFewColumns(written, variables)
  for (const [scope, own] of Map.groupBy(variables, (variable) => variable.scope)) {
    const select = selects.get(scope)!
    requireLettingThrough(select, own[0]!.codeName)
    select.where = allOf(conjunctsOf(select.where).filter((condition) => !isDropped(condition)))
    const groups = new Set(select.group_by?.map(expressionText))
    for (const variable of own) {
      addColumn(select, variable, groups)
      if (scope === null) continue
      requireWhole(select, variable.codeName)
      propagate(written, variable)
    }
  }
  // The limit applies in the reading query, because a run reads only some of the rows.
  written.limit = null
  written.offset = null
  written.limit_by = null
  // HAVING applies in the reading query, after aggregating again.
  if (together) written.having = null
  return written
}

const textOfComparison = (column: Expression, operator: string, value: Expression) =>
  `${expressionText(column)} ${operator} ${expressionText(value)}`

/** @param groups texts of the groups of the SELECT */
function addColumn(select: SelectQuery, { codeName, column, bucket }: Lifted, groups: Set<string>): void {
  const expr = structuredClone(bucket === null ? column : call(bucket, column))
  const isAggregated = aggregates(select)
  const named = select.select.find((item) => item.node === 'Alias' && item.alias === codeName)
  if (!named) select.select.push(aliased(expr, codeName))
  else if (!isSame(unaliased(named), expr)) {
    reject('takenName', { variable: codeName })
  }
  if (!isAggregated) return
  requireNamedGroups(select)
  const text = expressionText(expr)
  if (groups.has(text)) return
  groups.add(text)
  select.group_by = [...(select.group_by ?? []), structuredClone(expr)]
}
