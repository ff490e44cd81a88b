// Parses expressions: operators by precedence, and what may follow an expression in brackets or after a dot.
import type { And, Call, CompareOperator, Expression, Or } from './ast'
import { call, constant, implied, PRECEDENCE } from './nodes'
import { operand } from './operands'
import { notSupported, type Reader } from './reader'
import { castType } from './type-names'

const COMPARISONS: Readonly<Record<string, CompareOperator>> = {
  '=': '==',
  '==': '==',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '=~': '=~',
  '~': '=~',
  '!~': '!~',
  '=~*': '=~*',
  '~*': '=~*',
  '!~*': '!~*',
  IN: 'in',
  REGEXP: '=~',
  LIKE: 'like',
  ILIKE: 'ilike',
}

/**
 * Parses what follows the left side.
 * @returns null when no operator follows whose precedence is at least `minimum`
 */
type Continue = (reader: Reader, left: Expression, start: number, minimum: number) => Expression | null

const FOLLOWING: Readonly<Record<string, Continue>> = {
  AS: alias,
  '?': ternary,
  OR: (reader, left, start, minimum) => joined(reader, 'Or', left, start, minimum, PRECEDENCE.or),
  AND: (reader, left, start, minimum) => joined(reader, 'And', left, start, minimum, PRECEDENCE.and),
  BETWEEN: between,
  '??'(reader, left, start, minimum) {
    const right = rightOf(reader, minimum, PRECEDENCE.nullish)
    return right && call(reader, start, 'ifNull', [left, right])
  },
  IS: is,
  '<=>'(reader, left, start, minimum) {
    const right = rightOf(reader, minimum, PRECEDENCE.isDistinct)
    return right && reader.node('IsDistinctFrom', start, { left, right, negated: true })
  },
  IGNORE(reader) {
    if (!reader.is('IGNORE', 'NULLS')) return null
    throw notSupported('IGNORE NULLS and RESPECT NULLS are not supported', reader.token)
  },
  NOT(reader, left, start, minimum) {
    const { word } = reader.after()
    if (word === 'BETWEEN') return between(reader, left, start, minimum)
    return NEGATED.has(word) ? compare(reader, left, start, minimum) : null
  },
  '||': concatenate,
  '+': arithmetic,
  '-': arithmetic,
  '*': arithmetic,
  '/': arithmetic,
  '%': (reader, left, start, minimum) =>
    // In `LIMIT 10 %`, no expression follows the sign.
    reader.beginsExpression(reader.after()) ? arithmetic(reader, left, start, minimum) : null,
  '(': callOf,
  '[': element,
  '.': member,
  '?.': nullishMember,
  '::': cast,
  ...Object.fromEntries(Object.keys(COMPARISONS).map((sign) => [sign, compare])),
  // The word may also be the alias of a column.
  REGEXP: (reader, left, start, minimum) =>
    reader.beginsExpression(reader.after()) ? compare(reader, left, start, minimum) : null,
}

const NEGATED = new Set(['IN', 'LIKE', 'ILIKE', 'REGEXP'])

/** Parses an expression whose operators have at least the minimum precedence. */
export function expression(reader: Reader, minimum: number): Expression {
  const { start } = reader.token
  let left = operand(reader, minimum)
  let isAliased = false
  for (;;) {
    const { word } = reader.token
    // A name can only be followed by another name.
    if (isAliased && word !== 'AS') return left
    isAliased = word === 'AS'
    const next = Object.hasOwn(FOLLOWING, word) ? FOLLOWING[word]!(reader, left, start, minimum) : null
    if (!next) return left
    left = next
  }
}

/** Reads the operator and its right side. Returns null when the precedence of the operator is below the minimum. */
function rightOf(reader: Reader, minimum: number, precedence: number): Expression | null {
  if (precedence < minimum) return null
  reader.next()
  return reader.expression(precedence + 1)
}

function alias(reader: Reader, expr: Expression, start: number, minimum: number): Expression | null {
  if (minimum > PRECEDENCE.alias) return null
  reader.next()
  const name = reader.token.kind === 'string' ? reader.next().value : reader.name()
  return reader.node('Alias', start, { alias: name, expr })
}

function ternary(reader: Reader, condition: Expression, start: number, minimum: number): Expression | null {
  if (minimum > PRECEDENCE.ternary) return null
  reader.next()
  const then = reader.expression()
  reader.expect(':')
  return call(reader, start, 'if', [condition, then, reader.expression(PRECEDENCE.ternary)])
}

/** Joins operands. ANDs of ANDs become one AND, and ORs of ORs one OR. */
function joined(
  reader: Reader,
  kind: 'And' | 'Or',
  left: Expression,
  start: number,
  minimum: number,
  precedence: number,
): And | Or | null {
  const right = rightOf(reader, minimum, precedence)
  if (!right) return null
  const added = right.node === kind ? right.exprs : [right]
  if (left.node !== kind) return reader.node(kind, start, { exprs: [left, ...added] }) as And | Or
  // The operands are added in place, so that a long row takes linear time.
  left.exprs.push(...added)
  return Object.assign(left, { start, end: reader.end })
}

function concatenate(reader: Reader, left: Expression, start: number, minimum: number): Call | null {
  const right = rightOf(reader, minimum, PRECEDENCE.add)
  if (!right) return null
  const added = isConcat(right) ? right.args : [right]
  if (!isConcat(left)) return call(reader, start, 'concat', [left, ...added])
  left.args.push(...added)
  return Object.assign(left, { start, end: reader.end })
}

const isConcat = (node: Expression): node is Call => node.node === 'Call' && node.name === 'concat'

const MULTIPLYING = new Set(['*', '/', '%'])

function arithmetic(reader: Reader, left: Expression, start: number, minimum: number): Expression | null {
  const { word: op } = reader.token
  const right = rightOf(reader, minimum, MULTIPLYING.has(op) ? PRECEDENCE.multiply : PRECEDENCE.add)
  return right && reader.node('ArithmeticOperation', start, { op: op as '+', left, right })
}

function compare(reader: Reader, left: Expression, start: number, minimum: number): Expression | null {
  if (minimum > PRECEDENCE.compare) return null
  const negated = reader.take('NOT')
  let op: string = COMPARISONS[reader.next().word]!
  // In `a IN cohort`, `cohort` is a field of that name.
  if (
    op === 'in' &&
    reader.is('COHORT') &&
    reader.after().word !== '.' &&
    reader.beginsExpression(reader.after())
  ) {
    reader.next()
    op = 'in cohort'
  }
  const right = reader.expression(PRECEDENCE.compare + 1)
  return reader.node('CompareOperation', start, {
    op: (negated ? (op === '=~' ? '!~' : `not ${op}`) : op) as CompareOperator,
    left,
    right,
  })
}

function between(reader: Reader, expr: Expression, start: number, minimum: number): Expression | null {
  if (minimum > PRECEDENCE.between) return null
  const negated = reader.take('NOT')
  reader.next()
  const low = reader.expression(PRECEDENCE.between + 1)
  reader.expect('AND')
  const high = reader.expression(PRECEDENCE.between + 1)
  return reader.node('BetweenExpr', start, { expr, low, high, negated })
}

function is(reader: Reader, left: Expression, start: number, minimum: number): Expression | null {
  const isNegated = reader.after().word === 'NOT'
  if (reader.after(isNegated ? 2 : 1).word === 'DISTINCT') {
    if (minimum > PRECEDENCE.isDistinct) return null
    reader.expect('IS', ...(isNegated ? ['NOT'] : []), 'DISTINCT', 'FROM')
    const right = reader.expression(PRECEDENCE.isDistinct + 1)
    return reader.node('IsDistinctFrom', start, { left, right, negated: isNegated })
  }
  if (minimum > PRECEDENCE.isNull) return null
  reader.expect('IS', ...(isNegated ? ['NOT'] : []), 'NULL')
  return reader.node('CompareOperation', start, {
    op: isNegated ? ('!=' as const) : ('==' as const),
    left,
    right: implied(null),
    is_null_comparison_style: true,
  })
}

/** Parses a call of an expression, such as `f(1)(2)(3)` and `a.b(1)`; `operand` parses calls of one name. */
function callOf(reader: Reader, expr: Expression, start: number): Expression {
  reader.next()
  const args = reader.beginsQuery() ? [reader.selection()] : reader.is(')') ? [] : reader.list()
  reader.expect(')')
  return reader.node('ExprCall', start, { expr, args })
}

function element(reader: Reader, array: Expression, start: number): Expression {
  reader.next()
  const first = reader.is(':') ? null : reader.expression()
  if (!reader.take(':')) {
    reader.expect(']')
    return reader.node('ArrayAccess', start, { array, property: first! })
  }
  const last = reader.is(']') ? null : reader.expression()
  reader.expect(']')
  return reader.node('ArraySlice', start, {
    array,
    ...(first && { start_expr: first }),
    ...(last && { end_expr: last }),
  })
}

function member(reader: Reader, left: Expression, start: number): Expression {
  reader.next()
  if (reader.token.kind === 'integer') {
    return reader.node('TupleAccess', start, { tuple: left, index: Number(reader.next().value) })
  }
  const name = property(reader)
  return reader.node('ArrayAccess', start, { array: left, property: name })
}

function nullishMember(reader: Reader, left: Expression, start: number): Expression {
  reader.next()
  if (reader.token.kind === 'integer') {
    return reader.node('TupleAccess', start, {
      tuple: left,
      index: Number(reader.next().value),
      nullish: true,
    })
  }
  if (!reader.take('[')) {
    return reader.node('ArrayAccess', start, { array: left, property: property(reader), nullish: true })
  }
  const index = reader.expression()
  reader.expect(']')
  return reader.node('ArrayAccess', start, { array: left, property: index, nullish: true })
}

function property(reader: Reader): Expression {
  const { start } = reader.token
  return constant(reader, start, reader.name())
}

function cast(reader: Reader, expr: Expression, start: number): Expression {
  reader.next()
  return reader.node('TypeCast', start, { expr, type_name: castType(reader) })
}
