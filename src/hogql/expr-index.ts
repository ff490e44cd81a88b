// Finds expressions that are written alike among many, without a comparison with each of them.
import type { Expr } from './ir'
import { keyOf, measure } from './ir-walk'

/** Values of expressions, in the order in which they were added. */
export class ExprIndex<Value> {
  readonly values: Value[] = []
  /** Values by size and key. The key of an expression is computed only when another one has the same size. */
  readonly #bySize = new Map<number, Map<string, Value>>()

  /** Adds an expression. Of expressions that are written alike, `find` returns the value of the first. */
  add(expr: Expr, value: Value): void {
    this.values.push(value)
    const { size } = measure(expr)
    const known = this.#bySize.get(size) ?? new Map<string, Value>()
    this.#bySize.set(size, known)
    const key = keyOf(expr)
    if (!known.has(key)) known.set(key, value)
  }

  /** Returns the value of an expression that is written alike. */
  find(expr: Expr): Value | undefined {
    return this.#bySize.get(measure(expr).size)?.get(keyOf(expr))
  }
}

export function exprIndex(exprs: readonly Expr[]): ExprIndex<Expr> {
  const index = new ExprIndex<Expr>()
  for (const expr of exprs) index.add(expr, expr)
  return index
}
