// The query that computes the rows. It has no comparisons with variables, and a column for each variable.
import type { Expression, Selection, SelectQuery } from '../../../hogql/parser/ast'
import { expressionText } from '../../../hogql/parser/write-query'
import { mirrored, scopesOf } from './comparisons'
import { propagate, requireLettingThrough, requireNamedGroups, requireWhole } from './propagate'
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
  for (const variable of variables) {
    const select = selects.get(variable.scope)!
    requireLettingThrough(select, variable.codeName)
    select.where = allOf(conjunctsOf(select.where).filter((condition) => !isDropped(condition)))
    addColumn(select, variable)
    if (variable.scope !== null) {
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

function addColumn(select: SelectQuery, { codeName, column, bucket }: Lifted): void {
  const expr = structuredClone(bucket === null ? column : call(bucket, column))
  const isAggregated = aggregates(select)
  const named = select.select.find((item) => item.node === 'Alias' && item.alias === codeName)
  if (!named) select.select.push(aliased(expr, codeName))
  else if (!isSame(unaliased(named), expr)) {
    reject('takenName', { variable: codeName })
  }
  if (!isAggregated) return
  requireNamedGroups(select)
  const groups = select.group_by ?? []
  if (!groups.some((group) => isSame(group, expr))) select.group_by = [...groups, structuredClone(expr)]
}
