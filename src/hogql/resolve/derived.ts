// The columns that a query gives to what reads from it.
import type { Item, Query } from '../ir'
import type { Located } from '../parser/ast'
import type { Resolution } from './context'
import { sameExpr } from './ir-walk'
import { isPropertyText } from './properties'
import { refuse } from './refuse'
import type { DerivedColumn } from './scope'

/** Its items as columns; `names` are those of `AS t(a, b)`. */
export function derivedColumns(
  r: Resolution,
  query: Query,
  names: readonly string[] | null,
  node: Located,
): DerivedColumn[] {
  if (names !== null && names.length !== query.items.length) {
    refuse(node, `${names.length} names for ${query.items.length} columns`, 'invalid_query')
  }
  const items = query.items.map((item, index) => ({
    name: names?.[index] ?? item.name,
    type: item.type,
    expr: exprOf(query, index),
  }))
  return items.map(({ name, type, expr }, index) => ({
    name,
    key: `c${index}`,
    type,
    owner: expr && r.owners.get(expr),
    isPropertyText: expr !== undefined && isPropertyText(expr),
    ambiguous: items.some(
      (other, place) =>
        place !== index && other.name === name && !(expr && other.expr && sameExpr(expr, other.expr)),
    ),
  }))
}

const exprOf = (query: Query, index: number): Item['expr'] | undefined =>
  query.kind === 'select' ? query.items[index]?.expr : exprOf(query.initial, index)
