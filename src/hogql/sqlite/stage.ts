// A SELECT that lowering puts inside another. Its columns are collected while the expressions that read them are rewritten.
import { isInteger } from '../functions/math'
import type { Expr, From, Item, Select } from '../ir'
import { column, literal, selectOf, unnamed } from '../ir-build'
import { type Change, contains, keyOf, mapParts, partsOf } from '../ir-walk'
import { INTEGER, isTemporal } from '../types'

export class Stage {
  readonly #items: Item[] = []
  readonly #places = new Map<string, number>()

  /** @param items the SELECT's first columns, if it has its own */
  constructor(
    readonly id: number,
    items: readonly Item[] = [],
  ) {
    for (const item of items) this.#add(item)
  }

  /** Returns the column that holds an expression. Equal expressions share one. */
  column(expr: Expr): Expr {
    const place = this.#places.get(keyOf(expr)) ?? this.#add(unnamed(expr))
    return column(this.id, `c${place}`, expr.type)
  }

  has(expr: Expr): boolean {
    return this.#places.has(keyOf(expr))
  }

  #add(item: Item): number {
    const place = this.#items.push(item) - 1
    if (!this.has(item.expr)) this.#places.set(keyOf(item.expr), place)
    return place
  }

  /** Returns the SELECT, and a FROM that reads it. */
  from(select: Partial<Select> & Pick<Select, 'from'>, apart = false): From {
    const items = this.#items.length > 0 ? [...this.#items] : [ONE]
    return { source: { kind: 'query', id: this.id, query: selectOf({ ...select, items }), apart }, joins: [] }
  }
}

const ONE = unnamed(literal(true, INTEGER))

type Replacement = (expr: Expr) => Expr | null

/** Replaces the outermost expressions for which `replacement` returns one; in subqueries, those for which `inner` does. */
export function replacing(replacement: Replacement, inner: Replacement): Change {
  const change = (find: Replacement): Change => ({
    expr: (expr) => find(expr) ?? mapParts(expr, change(find)),
    query: (query) => mapParts(query, change(inner)),
  })
  return change(replacement)
}

/** Returns the expressions that determine the result of a SELECT; `mapResult` replaces them. */
export const resultOf = ({ items, having, orderBy, limitBy }: Select): Expr[] => [
  ...items.map(({ expr }) => expr),
  ...(having ? [having] : []),
  ...orderBy.map(({ expr }) => expr),
  ...(limitBy?.by ?? []),
]

type Result = Pick<Select, 'items' | 'having' | 'orderBy' | 'limitBy'>

export const mapResult = (select: Select, { expr }: Pick<Change, 'expr'>): Result => ({
  items: select.items.map((item) => ({ ...item, expr: expr(item.expr) })),
  having: select.having && expr(select.having),
  orderBy: select.orderBy.map((order) => ({ ...order, expr: expr(order.expr) })),
  limitBy: select.limitBy && { ...select.limitBy, by: select.limitBy.by.map(expr) },
})

/**
 * Returns whether all calls in an expression are under operators that are written around their operands. Any other expression may repeat an
 * operand, or put it into a subselect, where an aggregate or a window function would read other rows.
 */
export function standsInPlace(expr: Expr, isCall: (part: Expr) => boolean): boolean {
  if (isCall(expr) || !contains(expr, isCall)) return true
  return isPlainOperator(expr) && partsOf(expr).every((part) => standsInPlace(part, isCall))
}

function isPlainOperator(expr: Expr): boolean {
  switch (expr.node) {
    case 'and':
    case 'or':
    case 'not':
    case 'isNull':
    case 'negate':
    case 'case':
      return true
    // Floats in arrays are written in a subselect.
    case 'window':
      return expr.type.kind !== 'array' || expr.args.every(({ type }) => type.kind !== 'float')
    case 'array':
    case 'tuple':
      return expr.items.every(({ type }) => type.kind !== 'float')
    case 'compare':
      // A date that is compared with a datetime is converted.
      return (
        expr.left.type.kind === expr.right.type.kind ||
        !isTemporal(expr.left.type) ||
        !isTemporal(expr.right.type)
      )
    case 'arithmetic':
      // Other quotients, and remainders of floats, name their operands in subselects.
      if (expr.op === '/') return expr.right.node === 'literal' && expr.right.value !== 0
      return expr.op !== '%' || [expr.left, expr.right].every(({ type }) => isInteger(type))
    case 'in':
      return expr.choices.kind !== 'array'
    default:
      return false
  }
}
