// Writes comparisons and IN for ClickHouse.
import type { Expr, Literal, Node, Query } from '../ir'
import type { Dialect } from '../print/dialect'
import { list, orElse } from '../print/expression'
import { sourceName } from '../print/query'
import { commonType, isNumber, nullable, type Type } from '../types'
import { type ClickhouseContext, columnName, convert, withTypes } from './convert'

type Comparing = Pick<
  Dialect<ClickhouseContext>,
  | 'operands'
  | 'mayBeNull'
  | 'equal'
  | 'unequal'
  | 'like'
  | 'needle'
  | 'inArray'
  | 'constantList'
  | 'inList'
  | 'inQuery'
  | 'inGivesNull'
  | 'asCondition'
>

export const CONDITIONS: Comparing = {
  operands({ left, right, ...node }, context, place) {
    if (left.node === 'tuple' && right.node === 'tuple' && place === 'on') {
      const items = left.items.map((item, index) =>
        CONDITIONS.operands({ ...node, left: item, right: right.items[index]! }, context, place),
      )
      return [0, 1].map((side) => `tuple(${items.map((pair) => pair[side]).join(', ')})`) as [string, string]
    }
    // ClickHouse finds no common type for integers and floats that join rows.
    const common = [left, right].find(
      ({ type: { kind } }) => kind === 'datetime' || (kind === 'float' && place === 'on'),
    )
    const print = (expr: Expr) => {
      const sql = instant(expr, context)
      return common ? convert(sql, expr.type, common.type, context) : sql
    }
    return [print(left), print(right)]
  },
  mayBeNull: ({ type }) => type.nullable,
  equal(a, b, { either, both }, place) {
    const sql = `(${a} = ${b})`
    if (both && place !== 'on') return orElse(sql, `isNull(${a}) AND isNull(${b})`, true)
    return orElse(sql, '0', either && place === 'value')
  },
  unequal: (a, b, { either, both }) =>
    orElse(`(${a} != ${b})`, both ? `isNull(${a}) != isNull(${b})` : '1', either),
  like: ({ op, left, right }, context) =>
    `${op.endsWith('ilike') ? 'ilike' : 'like'}(${list([left, right], context)})`,
  needle: (left, _, context) => instant(left, context),
  // ClickHouse builds a set once, and can use an index for it, only if it is constant.
  inArray: (needle, _, array, context) =>
    array.node === 'variable'
      ? `(${needle} IN ${context.expr(array)})`
      : `has(${context.expr(array)}, ${needle})`,
  constantList(needle, left, values, { parameters }) {
    const of = elementTypeOf(left, values)
    return of && `(${needle} IN JSONExtract(${parameters.bind(JSON.stringify(values))}, 'Array(${of})'))`
  },
  inList(needle, left, items, context) {
    if (!items.every(isConstant)) {
      return `(${items.map((item) => same(left, item, context)).join(' OR ')})`
    }
    const printed = items.map((item) => convert(context.expr(item), item.type, left.type, context))
    return `(${needle} IN (${printed.join(', ')}${printed.length === 1 ? ',' : ''}))`
  },
  inQuery(needle, left, query, context) {
    const lefts = left.type.kind === 'tuple' ? left.type.of : [left.type]
    const types = query.items.map(({ type }, index) => elementType(lefts[index] ?? type, type))
    return `(${mayBeAmong(query, needle, left.type)} IN ${withTypes(query, types, context)})`
  },
  inGivesNull: false,
  asCondition(sql, expr, place) {
    const isCombined = expr.node === 'and' || expr.node === 'or' || expr.node === 'not'
    if (isCombined) {
      // ClickHouse makes the result a Bool when the operands are Bools. It must be an integer where the type says so.
      const operands = expr.node === 'not' ? [expr.operand] : expr.operands
      const isBoolean = expr.type.kind === 'integer' && operands.some(({ type }) => type.kind === 'boolean')
      return place === 'value' && isBoolean ? `toInt64(${sql})` : sql
    }
    // A condition for rows or branches must be true or false. Any other number is true when it is not 0.
    const isTruth = expr.type.kind === 'boolean' || expr.node === 'isNull' || expr.node === 'exists'
    return place === 'value' || isTruth ? sql : `(${sql} != 0)`
  },
}

/**
 * Writes the left side of IN as a type that may be NULL where a value of the subquery may be: ClickHouse keeps a set of values as the type
 * of the left side, and fails at a NULL.
 */
function mayBeAmong({ items }: Query, needle: string, type: Type): string {
  const keyOf = (sql: string, key: Type | undefined, index: number) => {
    const of = items[index]!.type
    const isPlain = of.kind !== 'array' && of.kind !== 'tuple'
    return of.nullable && !key?.nullable && isPlain ? `toNullable(${sql})` : sql
  }
  if (type.kind !== 'tuple') return keyOf(needle, type, 0)
  if (items.every((item) => !item.type.nullable)) return needle
  const keys = items.map((_, index) => keyOf(`tupleElement(${needle}, ${index + 1})`, type.of[index], index))
  return `tuple(${keys.join(', ')})`
}

/** Returns SQL of whether two values are the same; NULL is the same as NULL. Tuples are compared item by item. */
function same(one: Expr, other: Expr, context: ClickhouseContext): string {
  if (one.node === 'tuple' && other.node === 'tuple' && one.items.length === other.items.length) {
    return `(${one.items.map((item, index) => same(item, other.items[index]!, context)).join(' AND ')})`
  }
  const [a, b] = [instant(one, context), context.expr(other)]
  const areNull = one.type.nullable && other.type.nullable
  return `ifNull(${a} = ${b}, ${areNull ? `isNull(${a}) AND isNull(${b})` : 0})`
}

export function columnText({ source, column }: Node<'column'>, { bare }: ClickhouseContext): string {
  const from = sourceName({ id: source })
  return bare.has(source) ? `${from}_${column}` : `${from}.${columnName(column)}`
}

export const isStoredMoment = ({ source, type }: Node<'column'>, { tables }: ClickhouseContext): boolean =>
  type.kind === 'datetime' && tables.has(source)

/**
 * Writes an expression of which only the instant counts. A datetime of a table is used as it is stored, because indexes have it in that
 * form.
 */
const instant = (expr: Expr, context: ClickhouseContext): string =>
  expr.node === 'column' && isStoredMoment(expr, context) ? columnText(expr, context) : context.expr(expr)

/** Returns the type of the elements of a list of texts or of numbers, or null for any other list. */
function elementTypeOf({ type: { kind } }: Expr, values: readonly Literal[]): string | null {
  const are = (type: string) => values.every((value) => typeof value === type)
  if (kind === 'string' && are('string')) return 'String'
  if ((kind !== 'integer' && kind !== 'float') || !are('number')) return null
  return values.every(Number.isSafeInteger) ? 'Int64' : 'Float64'
}

/**
 * Returns the type of a query's column in which a value is looked for. ClickHouse converts the value to it, which fails for a float among
 * integers, and for any value among NULLs, and takes 2 for true.
 */
function elementType(left: Type, column: Type): Type {
  if (column.kind === 'null') return nullable(left)
  const common = isNumber(left) && isNumber(column) ? commonType(left, column) : undefined
  return common ? { ...common, nullable: column.nullable } : column
}

function isConstant(expr: Expr): boolean {
  if (expr.node === 'tuple') return expr.items.every(isConstant)
  return expr.node === 'literal' || expr.node === 'variable' || expr.node === 'clock'
}
