// Expressions in SQLite's words. One case a kind of node; what is true of NULL is in conditions.ts, functions are in calls.ts.
import { shifted } from '../functions/dates/shift'
import { remainder } from '../functions/math'
import { asElement } from '../functions/sqlite-values'
import type { Expr } from '../ir'
import { printAggregate, printCall, printWindow } from './calls'
import { keyOf } from '../resolve/ir-walk'
import { columnName, type Context, sourceName } from './context'
import { once } from './once'
import { isBinaryDocument, propertyIsNull, propertyText } from './property'

type Node<N extends Expr['node']> = Extract<Expr, { node: N }>

/** An expression as a value: where it is a condition, it gives 1 or 0. */
export function printExpr(expr: Expr, context: Context): string {
  const known = context.known?.get(keyOf(expr))
  if (known !== undefined) return known
  const { writers, parameters } = context
  const print = (each: Expr) => writers.expr(each, context)
  switch (expr.node) {
    case 'literal':
      return literal(expr, context)
    case 'variable':
      return bound(parameters.add({ kind: 'variable', name: expr.name, type: expr.type }), expr)
    case 'clock':
      return parameters.add({ kind: 'clock', which: expr.which })
    case 'column': {
      const column = `${sourceName({ id: expr.source })}.${columnName(expr.column)}`
      return isBinaryDocument(expr) ? `json(${column})` : column
    }
    case 'property':
      return propertyText(expr, context)
    case 'call':
      return printCall(expr, context)
    case 'aggregate':
      return printAggregate(expr, context)
    case 'window':
      return printWindow(expr, context)
    case 'compare':
    case 'like':
    case 'in':
    case 'and':
    case 'or':
    case 'not':
      return writers.condition(expr, 'value', context)
    case 'isNull':
      return isNull(expr, context)
    case 'arithmetic':
      return arithmetic(expr, context)
    case 'negate':
      return `(-${print(expr.operand)})`
    case 'shift':
      return shift(expr, context)
    case 'case':
      return choice(expr, context)
    case 'array':
      return `json_array(${elements(expr.items, context)})`
    case 'tuple':
      return `json_array(${elements(expr.items, context)})`
    case 'lambda':
      return print(expr.body)
    case 'element':
      return `e${expr.parameter}.value`
    case 'subquery':
      return `(${writers.query(expr.query, context)})`
    case 'exists':
      return `EXISTS (${writers.query(expr.query, context)})`
  }
}

/** D1 binds every number as a float. Where an integer is due it has to be said, or 7 becomes the text 7.0. */
const bound = (placeholder: string, { type }: Expr): string =>
  type.kind === 'integer' || type.kind === 'boolean' ? `CAST(${placeholder} AS INTEGER)` : placeholder

function literal(expr: Node<'literal'>, { parameters }: Context): string {
  const { value } = expr
  if (value === null) return 'NULL'
  return typeof value === 'boolean' ? String(Number(value)) : bound(parameters.bind(value), expr)
}

function isNull({ negated, operand }: Node<'isNull'>, context: Context): string {
  const isKnown = context.known?.has(keyOf(operand)) === true
  const found =
    operand.node === 'property' && !isKnown
      ? propertyIsNull(operand, context)
      : `${context.writers.expr(operand, context)} IS NULL`
  return negated ? `(${found.replace(/NULL$/, 'NOT NULL')})` : `(${found})`
}

function arithmetic({ op, left, right }: Node<'arithmetic'>, context: Context): string {
  const [a, b] = [left, right].map((each) => context.writers.expr(each, context)) as [string, string]
  switch (op) {
    case '+':
    case '-':
    case '*':
      return `(${a} ${op} ${b})`
    case '/':
      return isNeverZero(right) ? `(${a} * 1.0 / ${b})` : quotient(a, b)
    case '%':
      return remainder(a, b, [left.type, right.type])
  }
}

/** By zero it is infinite, or no number; SQLite says NULL to both. */
const quotient = (a: string, b: string): string =>
  once(a, (x) => once(b, (y) => `CASE WHEN ${y} = 0 THEN ${x} * 9e999 ELSE ${x} * 1.0 / ${y} END`))

function isNeverZero(expr: Expr): boolean {
  if (expr.node === 'literal') return expr.value !== 0
  if (expr.node !== 'call' || expr.fn !== 'nullIf') return false
  const [, other] = expr.args
  return other?.node === 'literal' && other.value === 0
}

function shift({ moment, amount, unit }: Node<'shift'>, context: Context): string {
  const { zone, parameters, writers } = context
  const from = { sql: writers.expr(moment, context), type: moment.type }
  const known = amount.node === 'literal' && typeof amount.value === 'number' ? amount.value : undefined
  return shifted(from, { sql: writers.expr(amount, context), known }, unit, {
    zone,
    bind: (value) => parameters.bind(value),
    once,
  })
}

function choice({ branches, otherwise }: Node<'case'>, context: Context): string {
  const { writers } = context
  const whens = branches.map(
    ({ when, then }) =>
      `WHEN ${writers.condition(when, 'filter', context)} THEN ${writers.expr(then, context)}`,
  )
  const rest = otherwise ? ` ELSE ${writers.expr(otherwise, context)}` : ''
  return `CASE ${whens.join(' ')}${rest} END`
}

const elements = (items: readonly Expr[], context: Context): string =>
  items.map((item) => asElement(context.writers.expr(item, context), item.type)).join(', ')
