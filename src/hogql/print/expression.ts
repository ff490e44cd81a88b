// Writes expressions and conditions. A comparison is never NULL: `=` is true for two NULLs and false for one, `!=` is the opposite, an
// order or a pattern is false for NULL, and its negation true.
import { findFunction } from '../functions/catalogue'
import type { FunctionSpec, Site } from '../functions/spec'
import type { Expr, FrameBound, Node, Order, Window } from '../ir'
import { isNull, isNullLiteral } from '../ir-build'
import type { Context, Dialect, Place } from './dialect'

/** Writes an expression as a value. A condition becomes 1 or 0. */
export function printExpr<C extends Context>(expr: Expr, dialect: Dialect<C>, context: C): string {
  switch (expr.node) {
    case 'compare':
    case 'like':
    case 'in':
    case 'and':
    case 'or':
    case 'not':
      return context.condition(expr, 'value')
    case 'isNull':
      return `(${dialect.presence(expr.operand, context)} IS ${expr.negated ? 'NOT ' : ''}NULL)`
    case 'negate':
      return `(-${context.expr(expr.operand)})`
    case 'exists':
      return `EXISTS (${context.query(expr.query)})`
    default: {
      const write = dialect.writers[expr.node] as (node: typeof expr, context: C) => string
      return write(expr, context)
    }
  }
}

/** Writes an expression as a condition for its place. */
export function printCondition<C extends Context>(
  expr: Expr,
  place: Place,
  dialect: Dialect<C>,
  context: C,
): string {
  switch (expr.node) {
    case 'compare':
      return compare(expr, place, dialect, context)
    case 'like': {
      const isNegated = expr.op.startsWith('not')
      const mayBeNull = expr.left.type.nullable || expr.right.type.nullable
      const sql = orElse(dialect.like(expr, context), '0', mayBeNull && (isNegated || place === 'value'))
      return isNegated ? `(NOT ${sql})` : sql
    }
    case 'in':
      return within(expr, place, dialect, context)
    case 'and':
    case 'or': {
      const operands = expr.operands.map((each) => context.condition(each, place))
      return dialect.asCondition(balanced(operands, expr.node === 'and' ? ' AND ' : ' OR '), expr, place)
    }
    case 'not':
      return dialect.asCondition(`(NOT ${context.condition(expr.operand, 'value')})`, expr, place)
    default:
      return dialect.asCondition(context.expr(expr), expr, place)
  }
}

/** Joins operands as a balanced tree, because the depth of a row of operators is their number. */
export function balanced(operands: readonly string[], word: string): string {
  if (operands.length <= 4) return `(${operands.join(word)})`
  const half = Math.ceil(operands.length / 2)
  return `(${balanced(operands.slice(0, half), word)}${word}${balanced(operands.slice(half), word)})`
}

/** Replaces NULL by a value, if that is needed. */
export const orElse = (sql: string, otherwise: string, isNeeded: boolean): string =>
  isNeeded ? `ifNull(${sql}, ${otherwise})` : sql

function compare<C extends Context>(
  node: Node<'compare'>,
  place: Place,
  dialect: Dialect<C>,
  context: C,
): string {
  const { op, left, right } = node
  if (isNullLiteral(left) || isNullLiteral(right)) {
    if (op !== '=' && op !== '!=') return '0'
    return `(${context.expr(isNullLiteral(left) ? right : left)} IS ${op === '=' ? '' : 'NOT '}NULL)`
  }
  const [a, b] = dialect.operands(node, context, place)
  const [one, other] = [dialect.mayBeNull(left), dialect.mayBeNull(right)]
  const nulls = {
    either: one || other,
    both: one && other,
    areEqual: left.type.nullable && right.type.nullable,
  }
  if (op === '=') return dialect.equal(a, b, nulls, place)
  if (op === '!=') return dialect.unequal(a, b, nulls)
  return orElse(`(${a} ${op} ${b})`, '0', nulls.either && place === 'value')
}

/** The most constants that are written one by one. A longer list is one parameter. */
const MAX_LIST = 8

function within<C extends Context>(
  { negated, left, choices }: Node<'in'>,
  place: Place,
  dialect: Dialect<C>,
  context: C,
): string {
  const known = choices.kind === 'list' ? choices.items.filter((item) => !isNullLiteral(item)) : []
  const items = choices.kind === 'list' && left.type.nullable ? choices.items : known
  if (choices.kind === 'list' && items.length === 0) return negated ? '1' : '0'
  if (choices.kind === 'list' && known.length === 0) return context.expr(isNull(left, negated))
  const needle = dialect.needle(left, choices.kind === 'list' ? { kind: 'list', items } : choices, context)
  const found = () => {
    switch (choices.kind) {
      case 'query':
        return dialect.inQuery(needle, left, choices.query, context)
      case 'array':
        return dialect.inArray(needle, left, choices.array, context)
      case 'list': {
        const values = items.flatMap((item) => (item.node === 'literal' ? [item.value] : []))
        const isLong = values.length === items.length && items.length > MAX_LIST
        const constants = isLong ? dialect.constantList(needle, left, values, context) : null
        return constants ?? dialect.inList(needle, left, items, context)
      }
    }
  }
  const mayBeNull = left.type.nullable || dialect.inGivesNull
  const sql = orElse(found(), '0', mayBeNull && (negated || place === 'value'))
  return negated ? `(NOT ${sql})` : sql
}

export const list = (exprs: readonly Expr[], { expr }: Pick<Context, 'expr'>): string =>
  exprs.map((each) => expr(each)).join(', ')

export const printOrder = <C extends Context>(
  orderBy: readonly Order[],
  dialect: Dialect<C>,
  sql: (expr: Expr) => string,
): string => orderBy.map(({ expr, descending }) => dialect.orderTerm(sql(expr), expr, descending)).join(', ')

export function printWindow<C extends Context>(
  { partitionBy, orderBy, frame }: Window,
  dialect: Dialect<C>,
  context: C,
): string {
  const parts = [
    partitionBy.length > 0 && `PARTITION BY ${list(partitionBy, context)}`,
    orderBy.length > 0 && `ORDER BY ${printOrder(orderBy, dialect, context.expr)}`,
    frame && `${frame.unit.toUpperCase()} BETWEEN ${boundText(frame.start)} AND ${boundText(frame.end)}`,
  ]
  return parts.filter(Boolean).join(' ')
}

function boundText(at: FrameBound): string {
  const words = at.kind.toUpperCase()
  return 'count' in at ? `${Math.trunc(at.count)} ${words}` : words
}

export function specOf(name: string): FunctionSpec {
  const spec = findFunction(name)
  if (!spec) throw new Error(`the catalogue has no function ${name}`)
  return spec
}

/** Returns the parts of a call's site that do not depend on the engine. */
export const commonSite = (
  { args, type }: Pick<Node<'call'>, 'args' | 'type'>,
  { parameters }: Pick<Context, 'parameters'>,
): Omit<Site, 'zone'> => ({
  types: args.map((arg) => arg.type),
  type,
  constants: args.map((arg) => (arg.node === 'literal' ? arg.value : undefined)),
  bind: (value) => parameters.bind(value),
})
