// Computes numbers that are known when a query is compiled, such as `86400 * 3`.
import type { Expression } from '../../parser/ast'

/** Returns the value of a number, or of `+ - * /` of numbers. Returns null for anything else, for a division by zero, and past 2^53. */
export function constantNumber(node: Expression): number | null {
  if (node.node === 'Constant') return typeof node.value === 'number' ? node.value : null
  if (node.node !== 'ArithmeticOperation') return null
  const [left, right] = [constantNumber(node.left), constantNumber(node.right)]
  if (left === null || right === null) return null
  const value = calculated(node.op, left, right)
  return value !== null && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : null
}

function calculated(op: string, left: number, right: number): number | null {
  switch (op) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return right === 0 ? null : left / right
    default:
      return null
  }
}
