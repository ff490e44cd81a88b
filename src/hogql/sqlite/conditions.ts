// What is true of values that may be NULL. SQL's third truth value never comes out of a comparison: `=` holds of two NULLs and of no single one,
// `!=` the other way round, an order or a pattern never holds of NULL, and what is negated by its own word does. IS and IS NOT are just that.
import { momentOf } from '../functions/sqlite-values'
import type { CompareOp, Expr, InChoices } from '../ir'
import { keyOf } from '../resolve/ir-walk'
import type { Context, Place } from './context'
import { printLike } from './like'
import { isPlain, propertyBare } from './property'

type Node<N extends Expr['node']> = Extract<Expr, { node: N }>

/** An expression as a condition, in the place where it stands. */
export function printCondition(expr: Expr, place: Place, context: Context): string {
  const known = context.known?.get(keyOf(expr))
  if (known !== undefined) return known
  switch (expr.node) {
    case 'compare':
      return compare(expr, context, place)
    case 'like': {
      const isNegated = expr.op.startsWith('not')
      const sql = printLike(expr, context)
      const mayBeNull = expr.left.type.nullable || expr.right.type.nullable
      return isNegated
        ? `(NOT ${orElse(sql, '0', mayBeNull)})`
        : orElse(sql, '0', mayBeNull && place === 'value')
    }
    case 'in':
      return within(expr, context, place)
    case 'and':
    case 'or': {
      const word = expr.node === 'and' ? ' AND ' : ' OR '
      return balanced(
        expr.operands.map((each) => context.writers.condition(each, place, context)),
        word,
      )
    }
    case 'not':
      return `(NOT ${context.writers.condition(expr.operand, 'value', context)})`
    default:
      return context.writers.expr(expr, context)
  }
}

/** Operands side by side, without a tree as deep as they are many. */
function balanced(operands: readonly string[], word: string): string {
  if (operands.length <= 4) return `(${operands.join(word)})`
  const half = Math.ceil(operands.length / 2)
  return `(${balanced(operands.slice(0, half), word)}${word}${balanced(operands.slice(half), word)})`
}

const isNullLiteral = (expr: Expr) => expr.node === 'literal' && expr.value === null

const orElse = (sql: string, otherwise: string, isNeeded: boolean) =>
  isNeeded ? `ifnull(${sql}, ${otherwise})` : sql

function compare({ op, left, right }: Node<'compare'>, context: Context, place: Place): string {
  if (isNullLiteral(left) || isNullLiteral(right))
    return withNull(op, isNullLiteral(left) ? right : left, context)
  const [a, b] = alike(op, left, right, context)
  const either = left.type.nullable || right.type.nullable
  const both = left.type.nullable && right.type.nullable
  switch (op) {
    case '=':
      // In a join's ON, and wherever one side is never NULL, the plain operator does, which every index knows.
      if (!either || (place !== 'value' && (!both || place === 'on'))) return `(${a} = ${b})`
      return `(${a} IS ${b})`
    case '!=':
      return either ? `(${a} IS NOT ${b})` : `(${a} <> ${b})`
    case '<':
    case '<=':
    case '>':
    case '>=':
      return orElse(`(${a} ${op} ${b})`, '0', either && place === 'value')
  }
}

function withNull(op: CompareOp, operand: Expr, context: Context): string {
  const sql = context.writers.expr(operand, context)
  switch (op) {
    case '=':
      return `(${sql} IS NULL)`
    case '!=':
      return `(${sql} IS NOT NULL)`
    case '<':
    case '<=':
    case '>':
    case '>=':
      return '0'
  }
}

/** Both sides, a date made a datetime where the other is one. */
function alike(op: CompareOp, left: Expr, right: Expr, context: Context): [string, string] {
  const { writers, zone } = context
  if (op === '=' || op === '!=') {
    if (isPlainText(right)) return [bare(left, context), writers.expr(right, context)]
    if (isPlainText(left)) return [writers.expr(left, context), bare(right, context)]
  }
  if (left.node === 'tuple' && right.node === 'tuple' && left.items.length === right.items.length) {
    return [row(left, context), row(right, context)]
  }
  const isMoment = left.type.kind === 'datetime' || right.type.kind === 'datetime'
  const print = (expr: Expr) => {
    const sql = writers.expr(expr, context)
    return isMoment ? momentOf(sql, expr.type, { zone }) : sql
  }
  return [print(left), print(right)]
}

/** A property without a look at its type, which makes no difference beside a plain text. */
const bare = (expr: Expr, context: Context): string =>
  expr.node === 'property' && context.known === null
    ? propertyBare(expr, context)
    : context.writers.expr(expr, context)

const isPlainText = (expr: Expr): boolean =>
  expr.node === 'literal' && typeof expr.value === 'string' && isPlain(expr.value)

/** A tuple as SQL's own row, whose parts are compared one by one. */
const row = ({ items }: Node<'tuple'>, context: Context): string =>
  items.length === 1
    ? items.map((item) => context.writers.expr(item, context)).join('')
    : `(${items.map((item) => context.writers.expr(item, context)).join(', ')})`

function within({ negated, left, choices }: Node<'in'>, context: Context, place: Place): string {
  const sql = isWithin(left, choices, context)
  if (sql === null) return negated ? '1' : '0'
  // Nothing is ever found in a list for NULL, and nothing is found to be NULL in it.
  const exact = orElse(sql, '0', negated || place === 'value')
  return negated ? `(NOT ${exact})` : exact
}

/** Lists longer than this travel as one parameter. */
const LONGEST_LIST = 8

/** Null for a list of nothing. */
function isWithin(left: Expr, choices: InChoices, context: Context): string | null {
  const { writers } = context
  switch (choices.kind) {
    case 'query': {
      const needle =
        left.node === 'tuple' && choices.query.items.length > 1
          ? row(left, context)
          : writers.expr(left, context)
      return `(${needle} IN (${writers.query(choices.query, context)}))`
    }
    case 'array':
      return `(${writers.expr(left, context)} IN (SELECT a.value FROM json_each(${writers.expr(choices.array, context)}) AS a))`
    case 'list': {
      const items = choices.items.filter((item) => !isNullLiteral(item))
      return items.length === 0 ? null : isListed(left, items, context)
    }
  }
}

function isListed(left: Expr, items: readonly Expr[], context: Context): string {
  const { writers, parameters } = context
  if (left.node === 'tuple') {
    const rows = items.map((item) =>
      item.node === 'tuple' ? row(item, context) : writers.expr(item, context),
    )
    return balanced(
      rows.map((each) => `(${row(left, context)} = ${each})`),
      ' OR ',
    )
  }
  const needle = items.every(isPlainText) ? bare(left, context) : writers.expr(left, context)
  const constants = items.flatMap((item) => (item.node === 'literal' ? [item.value] : []))
  if (constants.length === items.length && items.length > LONGEST_LIST) {
    const list = parameters.bind(JSON.stringify(constants))
    return `(${needle} IN (SELECT a.value FROM json_each(${list}) AS a))`
  }
  return `(${needle} IN (${items.map((item) => writers.expr(item, context)).join(', ')}))`
}
