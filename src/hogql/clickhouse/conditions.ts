// What is true of values that may be NULL. SQL's third truth value never comes out of a comparison: `=` holds of two NULLs and of no single one,
// `!=` the other way round, an order or a pattern never holds of NULL, and what is negated by its own word does.
import type { CompareOp, Expr, InChoices, LikeOp } from '../ir'
import type { Context, Place } from './context'
import { convert } from './convert'
import { printInstant } from './expression'

type Node<N extends Expr['node']> = Extract<Expr, { node: N }>

/** An expression as a condition, in the place where it stands. */
export function printCondition(expr: Expr, place: Place, context: Context): string {
  switch (expr.node) {
    case 'compare':
      return compare(expr, context, place)
    case 'like':
      return like(expr, context, place)
    case 'in':
      return within(expr, context, place)
    case 'and':
    case 'or': {
      const word = expr.node === 'and' ? ' AND ' : ' OR '
      const joined = `(${expr.operands.map((each) => context.condition(each, place)).join(word)})`
      return truth(joined, expr, expr.operands, place)
    }
    case 'not':
      return truth(`NOT (${context.expr(expr.operand)})`, expr, [expr.operand], place)
    default:
      return bare(expr, context, place)
  }
}

/** What decides for rows or branches has to be true or false in ClickHouse; any other number is true when it is not 0. */
function bare(expr: Expr, context: Context, place: Place): string {
  const sql = context.expr(expr)
  const isTruth = expr.type.kind === 'boolean' || expr.node === 'isNull' || expr.node === 'exists'
  return place === 'value' || isTruth ? sql : `(${sql} != 0)`
}

/** ClickHouse makes a Bool of what is combined from Bools; where an integer is due, it has to be one. */
const truth = (sql: string, { type }: Expr, operands: readonly Expr[], place: Place): string =>
  place === 'value' && type.kind === 'integer' && operands.some((each) => each.type.kind === 'boolean')
    ? `toInt64(${sql})`
    : sql

const isNullLiteral = (expr: Expr) => expr.node === 'literal' && expr.value === null

const orElse = (sql: string, otherwise: string, isNeeded: boolean) =>
  isNeeded ? `ifNull(${sql}, ${otherwise})` : sql

function compare({ op, left, right }: Node<'compare'>, context: Context, place: Place): string {
  if (isNullLiteral(left) || isNullLiteral(right)) {
    return withNull(op, isNullLiteral(left) ? right : left, context)
  }
  const [a, b] = alike(left, right, context)
  const sql = `(${a} ${op} ${b})`
  const [either, both] = [
    left.type.nullable || right.type.nullable,
    left.type.nullable && right.type.nullable,
  ]
  switch (op) {
    case '=':
      if (both && place !== 'on') return orElse(sql, `isNull(${a}) AND isNull(${b})`, true)
      return orElse(sql, '0', either && place === 'value')
    case '!=':
      return orElse(sql, both ? `isNull(${a}) != isNull(${b})` : '1', either)
    case '<':
    case '<=':
    case '>':
    case '>=':
      return orElse(sql, '0', either && place === 'value')
  }
}

function withNull(op: CompareOp, operand: Expr, context: Context): string {
  const sql = context.expr(operand)
  switch (op) {
    case '=':
      return `isNull(${sql})`
    case '!=':
      return `isNotNull(${sql})`
    case '<':
    case '<=':
    case '>':
    case '>=':
      return '0'
  }
}

/** Both sides, a date made a datetime where the other is one. */
function alike(left: Expr, right: Expr, context: Context): [string, string] {
  const moment = [left, right].find(({ type }) => type.kind === 'datetime')
  const print = (expr: Expr) => {
    const sql = printInstant(expr, context)
    return moment ? convert(sql, expr.type, moment.type, context) : sql
  }
  return [print(left), print(right)]
}

function like({ op, left, right }: Node<'like'>, context: Context, place: Place): string {
  const fn = LIKE[op]
  const sql = `${fn}(${context.expr(left)}, ${context.expr(right)})`
  const isNegated = op.startsWith('not')
  return orElse(
    sql,
    isNegated ? '1' : '0',
    (left.type.nullable || right.type.nullable) && (isNegated || place === 'value'),
  )
}

const LIKE = {
  like: 'like',
  ilike: 'ilike',
  'not like': 'notLike',
  'not ilike': 'notILike',
} satisfies Record<LikeOp, string>

function within({ negated, left, choices }: Node<'in'>, context: Context, place: Place): string {
  const sql = isWithin(left, choices, context)
  const exact = orElse(sql, '0', left.type.nullable && (negated || place === 'value'))
  return negated ? `NOT (${exact})` : exact
}

/** Lists longer than this travel as one parameter. */
const LONGEST_LIST = 8

function isWithin(left: Expr, choices: InChoices, context: Context): string {
  const needle = printInstant(left, context)
  switch (choices.kind) {
    case 'query':
      return `(${needle} IN (${context.query(choices.query)}))`
    case 'array': {
      const array = context.expr(choices.array)
      // A set is built once and can use an index; that takes a constant.
      return choices.array.node === 'variable' ? `(${needle} IN ${array})` : `has(${array}, ${needle})`
    }
    case 'list':
      return isListed(needle, left, choices.items, context)
  }
}

function isListed(needle: string, left: Expr, listed: readonly Expr[], context: Context): string {
  const items = listed.filter((item) => !isNullLiteral(item))
  if (items.length === 0) return '0'
  const long = items.length > LONGEST_LIST ? longList(left, items, context) : null
  if (long !== null) return `(${needle} IN ${long})`
  if (!items.every(isConstant)) {
    const equal = items.map((item) => `ifNull(${needle} = ${context.expr(item)}, 0)`)
    return `(${equal.join(' OR ')})`
  }
  const printed = items.map((item) => convert(context.expr(item), item.type, left.type, context))
  return `(${needle} IN (${printed.join(', ')}${printed.length === 1 ? ',' : ''}))`
}

/** A list of texts or of numbers as one parameter; null for any other. */
function longList(left: Expr, items: readonly Expr[], context: Context): string | null {
  const values = items.map((item) => (item.node === 'literal' ? item.value : null))
  const are = (type: string) => values.every((value) => typeof value === type)
  const of =
    left.type.kind === 'string' && are('string')
      ? 'String'
      : (left.type.kind === 'integer' || left.type.kind === 'float') && are('number')
        ? values.every(Number.isSafeInteger)
          ? 'Int64'
          : 'Float64'
        : null
  return of && `JSONExtract(${context.parameters.literal(JSON.stringify(values))}, 'Array(${of})')`
}

function isConstant(expr: Expr): boolean {
  if (expr.node === 'tuple') return expr.items.every(isConstant)
  return expr.node === 'literal' || expr.node === 'variable' || expr.node === 'clock'
}
