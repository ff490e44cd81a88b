// Finds expressions by how they are written, among many, without a comparison with each of them.
import type { Expr } from './ir'
import { keyOf, measure } from './ir-walk'

/** Values of expressions, in the order in which they were added. */
export class ExprIndex<Value> {
  readonly values: Value[] = []
  /** Values by size and key. An expression of a size that no other has needs no key. */
  readonly #bySize = new Map<number, Map<string, Value>>()

  /** Adds an expression. Of expressions that are written alike, the first one is found. */
  add(expr: Expr, value: Value): void {
    this.values.push(value)
    const { size } = measure(expr)
    const known = this.#bySize.get(size) ?? new Map<string, Value>()
    this.#bySize.set(size, known)
    const key = keyOf(expr)
    if (!known.has(key)) known.set(key, value)
  }

  /** The value of an expression that is written alike. */
  find(expr: Expr): Value | undefined {
    return this.#bySize.get(measure(expr).size)?.get(keyOf(expr))
  }
}

export function exprIndex(exprs: readonly Expr[]): ExprIndex<Expr> {
  const index = new ExprIndex<Expr>()
  for (const expr of exprs) index.add(expr, expr)
  return index
}
