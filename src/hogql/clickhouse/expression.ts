// Expressions in ClickHouse's words. One case a kind of node; what is true of NULL is in conditions.ts.
import { HogqlError } from '../error'
import { frameText } from '../frame-text'
import type { Expr, Order, Query, Window } from '../ir'
import type { Unit } from '../types'
import { printAggregate, printCall, printWindowCall } from './calls'
import { columnName, type Context, sourceName } from './context'
import { bareMoment, convert, inZone } from './convert'
import { boundTypeOf } from './parameters'

type Node<N extends Expr['node']> = Extract<Expr, { node: N }>

/** An expression as a value: where it is a condition, it gives 1 or 0. */
export function printExpr(expr: Expr, context: Context): string {
  const print = (each: Expr) => context.expr(each)
  const list = (items: readonly Expr[]) => items.map(print).join(', ')
  switch (expr.node) {
    case 'literal':
      return literal(expr, context)
    case 'variable':
      return placeholder(expr, { kind: 'variable', name: expr.name, type: expr.type }, context)
    case 'clock':
      return placeholder(expr, { kind: 'clock', which: expr.which }, context)
    case 'column': {
      const sql = column(expr, context)
      return isStoredMoment(expr, context) ? inZone(sql, context) : sql
    }
    case 'property':
      return property(expr, context)
    case 'call':
      return printCall(expr, context)
    case 'aggregate':
      return printAggregate(expr, context)
    case 'window':
      return printWindowCall(expr, overClause(expr.over, context), context)
    case 'compare':
    case 'like':
    case 'in':
    case 'and':
    case 'or':
    case 'not':
      return context.condition(expr, 'value')
    case 'isNull':
      return `${expr.negated ? 'isNotNull' : 'isNull'}(${print(expr.operand)})`
    case 'arithmetic':
      return `(${print(expr.left)} ${expr.op} ${print(expr.right)})`
    case 'negate':
      return `negate(${print(expr.operand)})`
    case 'shift':
      return shift(expr, context)
    case 'case':
      return choice(expr, context)
    case 'array':
      return array(expr, context)
    case 'tuple':
      return `tuple(${list(expr.items)})`
    case 'lambda':
      return `(${expr.parameters.map(elementName).join(', ')}) -> ${print(expr.body)}`
    case 'element':
      return elementName(expr.parameter)
    case 'subquery':
      return subquery(expr.query, context)
    case 'exists':
      return `exists(${context.query(expr.query)})`
  }
}

function column({ source, column: key }: Node<'column'>, { bare }: Context): string {
  const from = sourceName({ id: source })
  return bare.has(source) ? `${from}_${key}` : `${from}.${columnName(key)}`
}

/** Steps that a path may have. ClickHouse takes minutes to read a thousand, whatever its deadlines. */
const DEEPEST_PATH = 32

function property({ document, path }: Node<'property'>, context: Context): string {
  if (path.length > DEEPEST_PATH) {
    throw new HogqlError(`A property may be nested at most ${DEEPEST_PATH} deep, and this is ${path.length}.`)
  }
  const keys = path.map((key) => context.parameters.literal(key))
  return `JSONExtract(${context.expr(document)}, ${keys.join(', ')}, 'Nullable(String)')`
}

const isStoredMoment = ({ source, type }: Node<'column'>, { tables }: Context): boolean =>
  type.kind === 'datetime' && tables.has(source)

/** An expression where only the instant counts: a moment of a table as it is stored, which indexes are made for. */
export const printInstant = (expr: Expr, context: Context): string =>
  expr.node === 'column' && isStoredMoment(expr, context) ? column(expr, context) : context.expr(expr)

const elementName = (parameter: number) => `e${parameter}`

function literal({ value, type }: Node<'literal'>, context: Context): string {
  if (typeof value !== 'string') {
    const isFloat = type.kind === 'float' && typeof value === 'number'
    return isFloat
      ? context.parameters.add({ kind: 'literal', value }, 'Float64')
      : context.parameters.literal(value)
  }
  switch (type.kind) {
    case 'datetime':
      return inZone(
        context.parameters.add({ kind: 'literal', value: bareMoment(value) }, boundTypeOf(type)),
        context,
      )
    case 'date':
      return context.parameters.add({ kind: 'literal', value }, boundTypeOf(type))
    default:
      return context.parameters.literal(value)
  }
}

function placeholder(
  { type }: Expr,
  parameter: Parameters<Context['parameters']['add']>[0],
  context: Context,
): string {
  const value = context.parameters.add(parameter, boundTypeOf(type))
  return type.kind === 'datetime' ? inZone(value, context) : value
}

/** Of several rows the first counts; ClickHouse alone would refuse them. What adds up all of its rows has just one. */
function subquery(query: Query, context: Context): string {
  const isOne = query.kind === 'select' && query.aggregated && query.groupBy.length === 0
  return `(${context.query(isOne ? query : { ...query, limit: Math.min(query.limit ?? 1, 1) })})`
}

const ADD = {
  second: 'addSeconds',
  minute: 'addMinutes',
  hour: 'addHours',
  day: 'addDays',
  week: 'addWeeks',
  month: 'addMonths',
  quarter: 'addQuarters',
  year: 'addYears',
} satisfies Record<Unit, string>

function shift({ moment, amount, unit, type }: Node<'shift'>, context: Context): string {
  const from = convert(context.expr(moment), moment.type, type, context)
  const by = context.expr(amount)
  return `${ADD[unit]}(${from}, ${amount.type.kind === 'integer' ? by : `toInt64(${by})`})`
}

function choice({ branches, otherwise, type }: Node<'case'>, context: Context): string {
  const value = (expr: Expr) => convert(context.expr(expr), expr.type, type, context)
  const whens = branches.map(({ when, then }) => `${context.condition(when, 'filter')}, ${value(then)}`)
  return `multiIf(${whens.join(', ')}, ${otherwise ? value(otherwise) : 'NULL'})`
}

function array({ items, type }: Node<'array'>, context: Context): string {
  const of = type.kind === 'array' ? type.of : type
  const printed = items.map((item) => convert(context.expr(item), item.type, of, context))
  // An empty list is one of nothing, which fits any other.
  return `[${printed.join(', ')}]`
}

/** `ORDER BY`'s items. NULLs come last either way, as they do everywhere in ClickHouse. */
export const printOrder = (orderBy: readonly Order[], context: Context): string =>
  orderBy.map(({ expr, descending }) => context.expr(expr) + (descending ? ' DESC' : '')).join(', ')

function overClause({ partitionBy, orderBy, frame }: Window, context: Context): string {
  const parts = [
    partitionBy.length > 0 && `PARTITION BY ${partitionBy.map((each) => context.expr(each)).join(', ')}`,
    orderBy.length > 0 && `ORDER BY ${printOrder(orderBy, context)}`,
    frame && frameText(frame),
  ]
  return `(${parts.filter(Boolean).join(' ')})`
}
