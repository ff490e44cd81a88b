// Aggregates of all rows at once: one row, whatever is selected.
import type { Expr, Select } from '../ir'
import { branch } from '../resolve/build'
import { containsAggregate } from '../resolve/ir-walk'
import { INTEGER } from '../types'

const ROWS: Expr = {
  node: 'aggregate',
  fn: 'count',
  args: [],
  params: [],
  distinct: false,
  filter: null,
  type: INTEGER,
}
const ZERO: Expr = { node: 'literal', value: 0, type: INTEGER }
const ALWAYS: Expr = { node: 'compare', op: '>=', left: ROWS, right: ZERO, type: INTEGER }

/**
 * Such a SELECT as SQLite takes it: without an order, which one row has no use for and where it takes no aggregates, and with an aggregate
 * among its items, as nothing else tells it that there is only one row.
 */
export function oneRow(select: Select): Select {
  if (!select.aggregated || select.groupBy.length > 0) return select
  const [first, ...rest] = select.items
  if (!first || select.items.some(({ expr }) => containsAggregate(expr))) return { ...select, orderBy: [] }
  const expr: Expr = {
    node: 'case',
    branches: [branch(ALWAYS, first.expr)],
    otherwise: null,
    type: first.type,
  }
  return { ...select, items: [{ ...first, expr }, ...rest], orderBy: [] }
}
