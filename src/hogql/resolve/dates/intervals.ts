// Resolves intervals: `INTERVAL 3 DAY`, `toIntervalDay(n)`, `2 * INTERVAL 1 HOUR`. An interval is no value, and can only shift dates.
import type { Expr } from '../../ir'
import type { Expression, Located } from '../../parser/ast'
import { DATETIME, INTEGER, nullable, UNITS, type Type, type Unit } from '../../types'
import { integer, literalOf, NULL_LITERAL } from '../../ir-build'
import type { Resolution } from '../context/resolution'
import { convert, convertOrReject } from '../types/convert'
import { reject } from '../../error'
import { findCte, type Scope } from '../context/scope'

/**
 * One term of an interval. Its amount is resolved where the interval is used, because the same text is searched for intervals repeatedly.
 */
export interface IntervalTerm {
  amount(): Expr
  unit: Unit
  backwards: boolean
}

/** Returns undefined for an expression that is not an interval. */
export function intervalOf(r: Resolution, node: Expression, scope: Scope): IntervalTerm[] | undefined {
  return r.nested(node, () => findInterval(r, node, scope))
}

function findInterval(r: Resolution, node: Expression, scope: Scope): IntervalTerm[] | undefined {
  if (node.node === 'Call') {
    const unit = intervalUnit(node.name)
    if (unit === undefined) return undefined
    const [amount, ...others] = node.args
    if (amount === undefined || others.length > 0) {
      reject(node, `Function '${node.name}' takes 1 argument`, 'invalid_query')
    }
    return [{ amount: () => amountOf(r, amount, scope), unit, backwards: false }]
  }
  if (node.node === 'ArithmeticOperation') return combined(r, node, scope)
  return node.node === 'Field' ? namedInterval(r, node.chain, scope) : undefined
}

/** Returns the unit of `toIntervalDay` and the like. */
export function intervalUnit(name: string): Unit | undefined {
  const written = /^tointerval([a-z]+)$/i.exec(name)?.[1]?.toLowerCase()
  return UNITS.find((unit) => unit === written)
}

/** Resolves the amount of an interval, which is a text in `INTERVAL '3' DAY`. */
function amountOf(r: Resolution, node: Expression, scope: Scope): Expr {
  const expr = r.expr(node, scope)
  const written = literalOf(expr)
  if (typeof written === 'string' && /^-?\d{1,9}$/.test(written)) return integer(Number(written))
  return convertOrReject(r, expr, 'integer', node, 'The amount of an interval is an integer')
}

type Arithmetic = Extract<Expression, { node: 'ArithmeticOperation' }>

function combined(r: Resolution, node: Arithmetic, scope: Scope): IntervalTerm[] | undefined {
  const { op } = node
  if (op !== '+' && op !== '-' && op !== '*') return undefined
  const [left, right] = [intervalOf(r, node.left, scope), intervalOf(r, node.right, scope)]
  if (op === '*') {
    if (left !== undefined && right !== undefined)
      reject(node, 'Two intervals cannot be multiplied', 'type_mismatch')
    if (left !== undefined) return multiplied(left, () => amountOf(r, node.right, scope))
    return right && multiplied(right, () => amountOf(r, node.left, scope))
  }
  if (left === undefined || right === undefined) return undefined
  return [...left, ...right.map((step) => (op === '-' ? { ...step, backwards: !step.backwards } : step))]
}

const multiplied = (steps: readonly IntervalTerm[], factor: () => Expr): IntervalTerm[] =>
  steps.map((step) => ({ ...step, amount: () => product(step.amount(), factor()) }))

function product(one: Expr, other: Expr): Expr {
  const [a, b] = [literalOf(one), literalOf(other)]
  if (typeof a === 'number' && typeof b === 'number') return integer(a * b)
  if (a === 1) return other
  if (b === 1) return one
  const type = one.type.nullable || other.type.nullable ? nullable(INTEGER) : INTEGER
  return { node: 'arithmetic', op: '*', left: one, right: other, type }
}

/** Resolves a name that is defined as in `WITH INTERVAL 1 DAY AS step`. */
function namedInterval(
  r: Resolution,
  chain: readonly (string | number)[],
  scope: Scope,
): IntervalTerm[] | undefined {
  const name = String(chain[0])
  if (chain.length !== 1 || scope.aliases.has(name)) return undefined
  const entry = findCte(scope.environment, name)
  if (entry?.kind !== 'expression' || scope.resolving.has(name)) return undefined
  scope.resolving.add(name)
  // Reuse counts towards the maximum size, which bounds names that refer to names.
  r.reuse(NULL_LITERAL, entry.expression)
  try {
    return intervalOf(r, entry.expression, scope)
  } finally {
    scope.resolving.delete(name)
  }
}

/** The most years that a constant interval may have. A longer one leads past the years that a date has, to NULL. */
export const MAX_INTERVAL_YEARS = 1_000

const UNITS_A_YEAR: Readonly<Record<Unit, number>> = {
  second: 31_536_000,
  minute: 525_600,
  hour: 8_760,
  day: 365,
  week: 52,
  month: 12,
  quarter: 4,
  year: 1,
}

/** Shifts a date or datetime by each term of an interval. */
export function shiftBy(
  r: Resolution,
  node: Located,
  moment: Expr,
  steps: readonly IntervalTerm[],
  backwards: boolean,
): Expr {
  let moved = moment
  for (const step of steps) {
    const { unit } = step
    const amount = step.amount()
    if (Math.abs(Number(literalOf(amount) ?? 0)) > MAX_INTERVAL_YEARS * UNITS_A_YEAR[unit]) {
      reject(node, `An interval has at most ${MAX_INTERVAL_YEARS} years`, 'invalid_query')
    }
    moved = {
      node: 'shift',
      moment: shiftable(r, moved, unit),
      amount: backwards === step.backwards ? amount : negated(amount),
      unit,
      type: movedType(moved.type, amount.type, unit),
    }
  }
  return moved
}

const SHORTER_THAN_DAYS: ReadonlySet<Unit> = new Set(['second', 'minute', 'hour'])

/** Converts a date that is shifted by hours to a datetime. */
const shiftable = (r: Resolution, moment: Expr, unit: Unit): Expr =>
  moment.type.kind === 'date' && SHORTER_THAN_DAYS.has(unit)
    ? (convert(moment, 'datetime', r.context.timezone) ?? moment)
    : moment

function movedType(moment: Type, amount: Type, unit: Unit): Type {
  const type =
    SHORTER_THAN_DAYS.has(unit) && moment.kind === 'date' ? DATETIME : { ...moment, nullable: false }
  return moment.nullable || amount.nullable ? nullable(type) : type
}

function negated(amount: Expr): Expr {
  const value = literalOf(amount)
  return typeof value === 'number' ? integer(-value) : { node: 'negate', operand: amount, type: amount.type }
}

export const rejectInterval = (node: Located): never =>
  reject(node, 'An interval can only be added to a date or subtracted from one', 'type_mismatch')

export const START_OF: Readonly<Record<Unit, string>> = {
  second: 'toStartOfSecond',
  minute: 'toStartOfMinute',
  hour: 'toStartOfHour',
  day: 'toStartOfDay',
  week: 'toMonday',
  month: 'toStartOfMonth',
  quarter: 'toStartOfQuarter',
  year: 'toStartOfYear',
}
