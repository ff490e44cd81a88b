// Formulas over series: arithmetic with the letters A, B, C … for the series in order.
import { invalid } from '../../../errors'

type Node =
  | { kind: 'number'; value: number }
  | { kind: 'series'; index: number }
  | { kind: 'operation'; operator: string; left: Node; right: Node }

export interface Formula {
  text: string
  /** Computes the value of one period. Division by zero is zero, as upstream, and so is what is no finite number. @param values of each series */
  evaluate(values: readonly number[]): number
}

/** Numbers are written as in Python, in which upstream evaluates formulas. */
const TOKEN = /\s*((?:\d+(?:\.\d*)?|\.\d+)(?:[Ee][-+]?\d+)?|[A-Za-z]|\*\*|[-+*/%^()])\s*/y

/** Maximum characters of a formula. */
const MAX_FORMULA_LENGTH = 1_000

/** @throws 400 `query` for a long text, invalid syntax, or a letter without a series */
export function parseFormula(text: string, count: number): Formula {
  const fail = (): never => {
    throw invalid(
      'query',
      `'${text}' is not a formula: use letters for series, numbers, + - * / % ** and parentheses.`,
    )
  }
  if (text.length > MAX_FORMULA_LENGTH)
    throw invalid('query', `A formula has at most ${MAX_FORMULA_LENGTH} characters.`)
  const tokens = tokensOf(text)
  let at = 0
  let depth = 0

  function sum(): Node {
    let left = product()
    while (tokens[at] === '+' || tokens[at] === '-')
      left = { kind: 'operation', operator: tokens[at++]!, left, right: product() }
    return left
  }
  function product(): Node {
    let left = factor()
    while (tokens[at] === '*' || tokens[at] === '/' || tokens[at] === '%')
      left = { kind: 'operation', operator: tokens[at++]!, left, right: factor() }
    return left
  }
  function factor(): Node {
    const sign = tokens[at]
    if (sign !== '-' && sign !== '+') return power()
    at += 1
    if (++depth > 200) return fail()
    if (sign === '+') return factor()
    return { kind: 'operation', operator: '-', left: { kind: 'number', value: 0 }, right: factor() }
  }
  /**
   * Parses a power. It binds more tightly than a sign before it, and from the right: `-A**2**B` is `-(A**(2**B))`. `^` is the same
   * operator.
   */
  function power(): Node {
    const left = operand()
    if (tokens[at] !== '^' && tokens[at] !== '**') return left
    at += 1
    return { kind: 'operation', operator: '^', left, right: factor() }
  }
  function operand(): Node {
    const token = tokens[at++]
    if (token === undefined || ++depth > 200) return fail()
    if (token === '(') {
      const inner = sum()
      return tokens[at++] === ')' ? inner : fail()
    }
    if (/^[\d.]/.test(token)) return { kind: 'number', value: Number(token) }
    if (!/^[A-Za-z]$/.test(token)) return fail()
    const index = token.toUpperCase().charCodeAt(0) - 65
    if (index >= count)
      throw invalid('query', `Formula '${text}' names series ${token.toUpperCase()}, and there are ${count}.`)
    return { kind: 'series', index }
  }

  const root = sum()
  if (at < tokens.length) fail()
  return { text, evaluate: (values) => finite(evaluate(root, values)) }

  function tokensOf(source: string): string[] {
    const found: string[] = []
    TOKEN.lastIndex = 0
    while (TOKEN.lastIndex < source.length) {
      const match = TOKEN.exec(source)
      if (!match || found.length > 500) return fail()
      found.push(match[1]!)
    }
    return found
  }
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0)

function evaluate(node: Node, values: readonly number[]): number {
  switch (node.kind) {
    case 'number':
      return node.value
    case 'series':
      return values[node.index] ?? 0
    case 'operation': {
      const left = evaluate(node.left, values)
      const right = evaluate(node.right, values)
      if (node.operator === '+') return left + right
      if (node.operator === '-') return left - right
      if (node.operator === '*') return left * right
      if (node.operator === '%') return right === 0 ? 0 : left - right * Math.floor(left / right)
      if (node.operator === '^') return left === 0 && right < 0 ? 0 : left ** right
      return right === 0 ? 0 : left / right
    }
  }
}
