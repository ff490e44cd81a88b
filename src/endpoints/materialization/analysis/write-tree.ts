// The query that computes the rows. It has no comparisons with variables, and a column for each variable.
import type { Expression, Selection, SelectQuery } from '../../../hogql/parser/ast'
import { expressionText } from '../../../hogql/parser/write-query'
import { scopesOf } from './comparisons'
import { propagate, requireLettingThrough, requireNamedGroups, requireWhole } from './propagate'
import type { Lifted } from './lift-variables'
import { reject } from './reasons'
import { aggregates, aliased, allOf, call, conjunctsOf, isSame, unaliased } from './tree'

/**
 * Returns a copy.
 * @param together whether the run aggregates stored rows again
 * @throws Rejection where a variable's column would change the meaning of the query
 */
export function writeTree(tree: Selection, variables: readonly Lifted[], together: boolean): Selection {
  if (variables.length === 0) return tree
  const compared = variables.flatMap(({ comparisons }) => comparisons.map(({ condition }) => condition))
  // One call keeps the conditions the same nodes as in the tree.
  const { written, dropped } = structuredClone({
    written: tree as SelectQuery,
    dropped: new Set<Expression>(compared),
  })
  const selects = new Map(scopesOf(written))
  for (const [scope, own] of Map.groupBy(variables, (variable) => variable.scope)) {
    const select = selects.get(scope)!
    const { codeName } = own[0]!
    requireLettingThrough(select, codeName)
    if (scope !== null) requireWhole(select, codeName)
    select.where = allOf(conjunctsOf(select.where).filter((condition) => !dropped.has(condition)))
    addColumns(select, own)
  }
  propagate(written, variables)
  // The limit applies in the reading query, because a run reads only some of the rows.
  written.limit = null
  written.offset = null
  written.limit_by = null
  // HAVING applies in the reading query, after aggregating again.
  if (together) written.having = null
  return written
}

function addColumns(select: SelectQuery, variables: readonly Lifted[]): void {
  const groups = new Set(select.group_by?.map(expressionText))
  const isAggregated = aggregates(select)
  if (isAggregated) requireNamedGroups(select)
  for (const { codeName, column, bucket } of variables) {
    const expr = structuredClone(bucket === null ? column : call(bucket, column))
    const named = select.select.find((item) => item.node === 'Alias' && item.alias === codeName)
    if (!named) select.select.push(aliased(expr, codeName))
    else if (!isSame(unaliased(named), expr)) reject('takenName', { variable: codeName })
    const text = expressionText(expr)
    if (!isAggregated || groups.has(text)) continue
    groups.add(text)
    select.group_by = [...(select.group_by ?? []), structuredClone(expr)]
  }
}
