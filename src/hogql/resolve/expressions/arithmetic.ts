// Resolves arithmetic of numbers, dates and intervals.
import type { ArithmeticOp, Expr } from '../../ir'
import type { ArithmeticOperation, Expression, Located } from '../../parser/ast'
import { FLOAT, INTEGER, isNumber, isTemporal, nullable, type Type } from '../../types'
import { call, integer, text } from '../../ir-build'
import type { Resolution } from '../context/resolution'
import { convert, convertOrReject } from '../types/convert'
import { intervalOf, shiftBy } from '../dates/intervals'
import { typeName } from '../types/type-names'
import { reject } from '../../error'
import type { Scope } from '../context/scope'

export function resolveArithmetic(r: Resolution, node: ArithmeticOperation, scope: Scope): Expr {
  const { op } = node
  if (op === '+' || op === '-') {
    const right = intervalOf(r, node.right, scope)
    if (right !== undefined) return shiftBy(r, node, temporalOf(r, node.left, scope, node), right, op === '-')
    const left = op === '+' ? intervalOf(r, node.left, scope) : undefined
    if (left !== undefined) return shiftBy(r, node, temporalOf(r, node.right, scope, node), left, false)
  }
  const [left, right] = [r.expr(node.left, scope), r.expr(node.right, scope)]
  if (isZero(node.left) && op === '-') return negate(r, right, node)
  return calculate(r, op, left, right, node)
}

/** Returns whether an operand is the zero of a negation: the parser turns `-x` into `0 - x`, whose zero has no position. */
const isZero = (node: Expression): boolean =>
  node.node === 'Constant' && node.value === 0 && node.start === null

export function negate(r: Resolution, operand: Expr, node: Located): Expr {
  const value = numberIn(r, operand, '-', node)
  return {
    node: 'negate',
    operand: value,
    type: value.type.kind === 'boolean' ? like(INTEGER, value) : value.type,
  }
}

const like = (type: Type, ...operands: Expr[]): Type =>
  operands.some((operand) => operand.type.nullable) ? nullable(type) : type

const temporalOf = (r: Resolution, node: Expression, scope: Scope, whole: Located): Expr =>
  convertOrReject(r, r.expr(node, scope), 'temporal', whole, 'An interval is added to a date or datetime')

export function calculate(r: Resolution, op: ArithmeticOp, left: Expr, right: Expr, node: Located): Expr {
  const withMoments = op === '+' || op === '-' ? calculateTemporals(r, op, left, right, node) : undefined
  if (withMoments !== undefined) return withMoments
  const [one, other] = [numberIn(r, left, op, node), numberIn(r, right, op, node)]
  return { node: 'arithmetic', op, left: one, right: other, type: resultOf(op, one, other) }
}

const numberIn = (r: Resolution, expr: Expr, op: string, node: Located): Expr =>
  convertOrReject(r, expr, 'number', node, `'${op}' takes numbers`)

/** Returns the type of a result. `/` always gives a float, and `x % 0` is NULL. */
function resultOf(op: ArithmeticOp, left: Expr, right: Expr): Type {
  const float = op === '/' || left.type.kind === 'float' || right.type.kind === 'float'
  const type = like(float ? FLOAT : INTEGER, left, right)
  return op === '%' && !isNonZero(right) ? nullable(type) : type
}

const isNonZero = (expr: Expr): boolean => expr.node === 'literal' && expr.value !== 0

/**
 * Resolves arithmetic of dates. A number shifts a datetime by seconds and a date by days; a difference is in seconds, or for two dates in
 * days.
 */
function calculateTemporals(
  r: Resolution,
  op: '+' | '-',
  left: Expr,
  right: Expr,
  node: Located,
): Expr | undefined {
  const [one, other] = [isTemporal(left.type), isTemporal(right.type)]
  if (one && other) {
    if (op === '+') reject(node, 'Two dates cannot be added', 'type_mismatch')
    return left.type.kind === 'date' && right.type.kind === 'date'
      ? call('dateDiff', text('day'), right, left)
      : secondsBetween(microsecondsOf(r, left), microsecondsOf(r, right))
  }
  if (!one && !(other && op === '+')) return undefined
  const [moment, amount] = one ? [left, right] : [right, left]
  if (!isNumber(amount.type) && amount.node !== 'variable') return undefined
  const unit = moment.type.kind === 'date' ? 'day' : 'second'
  const count = convert(amount, 'integer', r.context.timezone)
  if (count === undefined) {
    reject(node, `'${op}' shifts ${typeName(moment.type)} by whole numbers of ${unit}s`, 'type_mismatch')
  }
  return shiftBy(r, node, moment, [{ amount: () => count, unit, backwards: false }], op === '-')
}

const microsecondsOf = (r: Resolution, expr: Expr): Expr =>
  call('toUnixTimestamp64Micro', convert(expr, 'datetime', r.context.timezone) ?? expr)

/** Returns the difference of two datetimes in seconds, with its fraction. */
function secondsBetween(end: Expr, start: Expr): Expr {
  const difference: Expr = {
    node: 'arithmetic',
    op: '-',
    left: end,
    right: start,
    type: like(INTEGER, end, start),
  }
  return {
    node: 'arithmetic',
    op: '/',
    left: difference,
    right: integer(1_000_000),
    type: like(FLOAT, difference),
  }
}
