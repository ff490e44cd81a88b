// Writes queries as HogQL text, with which the API shows a query that the service rewrote.
import type { CTE, JoinExpr, SelectQuery, Selection } from './ast'
import { expressionWriter, nameText } from './write-expression'

const { write, list, orders, window } = expressionWriter(queryText)

/** Returns the text of a query, on one line. */
export function queryText(tree: Selection): string {
  if (tree.node === 'SelectQuery') return selectText(tree)
  const legs = tree.subsequent_select_queries.map(
    ({ set_operator: operator, select_query: query }) => `${operator} ${legText(query)}`,
  )
  return join(
    legText(tree.initial_select_query),
    ...legs,
    tree.limit && `LIMIT ${write(tree.limit)}`,
    tree.offset && `OFFSET ${write(tree.offset)}`,
  )
}

/** Returns the text of an expression. */
export const expressionText = write

/** Writes a leg of a set operation. Parentheses separate its order and limit from those of the whole. */
const legText = (tree: Selection) =>
  tree.node === 'SelectSetQuery' || tree.order_by || tree.limit || tree.limit_by || tree.ctes
    ? `(${queryText(tree)})`
    : queryText(tree)

const join = (...parts: readonly (string | null | undefined | false)[]) => parts.filter(Boolean).join(' ')

function selectText(query: SelectQuery): string {
  const { select_from: from, array_join_list: arrays, limit_by: limitBy } = query
  return join(
    !!query.ctes?.length &&
      `WITH ${query.ctes.some((cte) => cte.cte_type === 'subquery' && cte.recursive) ? 'RECURSIVE ' : ''}${query.ctes.map(cteText).join(', ')}`,
    `SELECT ${query.distinct ? 'DISTINCT ' : ''}${list(query.select)}`,
    from && `FROM ${joinText(from)}`,
    !!arrays?.length && `${query.array_join_op ?? 'ARRAY JOIN'} ${list(arrays)}`,
    query.prewhere && `PREWHERE ${write(query.prewhere)}`,
    query.where && `WHERE ${write(query.where)}`,
    groupText(query),
    query.having && `HAVING ${write(query.having)}`,
    query.window_exprs &&
      Object.keys(query.window_exprs).length > 0 &&
      `WINDOW ${Object.entries(query.window_exprs)
        .map(([name, expr]) => `${nameText(name)} AS (${window(expr)})`)
        .join(', ')}`,
    query.qualify && `QUALIFY ${write(query.qualify)}`,
    !!query.order_by?.length && `ORDER BY ${orders(query.order_by)}`,
    limitBy &&
      `LIMIT ${write(limitBy.n)}${limitBy.offset_value ? ` OFFSET ${write(limitBy.offset_value)}` : ''} BY ${list(limitBy.exprs)}`,
    query.limit && `LIMIT ${write(query.limit)}${query.limit_with_ties ? ' WITH TIES' : ''}`,
    query.offset && `OFFSET ${write(query.offset)}`,
  )
}

const groupText = ({ group_by: by, group_by_mode: mode }: SelectQuery) =>
  mode === 'all' ? 'GROUP BY ALL' : by?.length ? `GROUP BY ${list(by)}` : null

const cteText = (cte: CTE) =>
  cte.cte_type === 'column'
    ? `${write(cte.expr)} AS ${nameText(cte.name)}`
    : `${nameText(cte.name)}${cte.columns?.length ? `(${cte.columns.map(nameText).join(', ')})` : ''} AS (${queryText(cte.expr)})`

function joinText(first: JoinExpr): string {
  const parts: string[] = []
  for (let at: JoinExpr | null | undefined = first; at; at = at.next_join) {
    const { table, table_args: args, alias, constraint } = at
    const source = table ? `${write(table)}${args ? `(${list(args)})` : ''}` : ''
    parts.push(
      join(
        at !== first && (at.join_type ?? 'JOIN'),
        source,
        alias && `AS ${nameText(alias)}`,
        constraint &&
          (constraint.constraint_type === 'USING'
            ? `USING (${write(constraint.expr)})`
            : `ON ${write(constraint.expr)}`),
      ),
    )
  }
  return parts.join(' ')
}
