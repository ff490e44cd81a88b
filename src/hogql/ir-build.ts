// Builds resolved expressions with their types.
import { findFunction } from './functions/catalogue'
import type { Aggregate, CompareOp, Expr, Item, Literal, Query, Select, Window } from './ir'
import { BOOLEAN, FLOAT, inZoneOf, INTEGER, NULL, nullable, STRING, type Type } from './types'

export const literal = (value: Literal, type: Type): Expr => ({ node: 'literal', value, type })

export const TRUE: Expr = literal(true, BOOLEAN)
export const NULL_LITERAL: Expr = literal(null, NULL)

export const integer = (value: number): Expr => literal(value, INTEGER)
export const text = (value: string): Expr => literal(value, STRING)

/** Returns a literal, which is an integer if numbers represent it exactly. */
export const number = (value: number): Expr => literal(value, Number.isSafeInteger(value) ? INTEGER : FLOAT)

/** Returns a call of a scalar function of the catalogue that the resolver itself adds. */
export function call(name: string, ...args: Expr[]): Expr {
  const spec = findFunction(name)
  if (spec?.kind !== 'scalar') throw new Error(`The catalogue has no scalar function ${name}`)
  const types = args.map((arg) => arg.type)
  const type = inZoneOf(spec.returns(types, args.map(literalOf)), types)
  return { node: 'call', fn: spec.name, args, type }
}

/** The type of a logical operation: an integer of 1 or 0, which may be NULL if an operand may be. */
const logical = (operands: readonly Expr[]): Type =>
  operands.some(({ type }) => type.nullable) ? nullable(INTEGER) : INTEGER

/** Joins operands with AND. The result for no operands is true. */
export function all(operands: readonly Expr[]): Expr {
  const [first, ...rest] = operands
  if (first === undefined) return TRUE
  return rest.length === 0 ? first : { node: 'and', operands: [...operands], type: logical(operands) }
}

/** Joins operands, at least one, with OR. */
export const any = (operands: readonly [Expr, ...Expr[]]): Expr =>
  operands.length === 1 ? operands[0] : { node: 'or', operands: [...operands], type: logical(operands) }

export const not = (operand: Expr): Expr => ({ node: 'not', operand, type: logical([operand]) })

export const isNull = (operand: Expr, negated = false): Expr => ({
  node: 'isNull',
  negated,
  operand,
  type: INTEGER,
})

type Branch = Extract<Expr, { node: 'case' }>['branches'][number]

/** Returns a branch of a `case`. Its field `then` does not make it a promise. */
// oxlint-disable-next-line unicorn/no-thenable
export const branch = (when: Expr, value: Expr): Branch => ({ when, then: value })

/** Returns the value of a literal, or undefined for any other expression. */
export const literalOf = (expr: Expr): Literal | undefined =>
  expr.node === 'literal' ? expr.value : undefined

export const isNullLiteral = (expr: Expr): boolean => literalOf(expr) === null

/** Returns a window function without arguments that numbers or counts rows. */
export const windowCall = (fn: 'row_number' | 'count', over: Window): Expr => ({
  node: 'window',
  fn,
  args: [],
  params: [],
  filter: null,
  over,
  type: INTEGER,
})

/** Returns a comparison of operands whose types are comparable. */
export const comparison = (op: CompareOp, left: Expr, right: Expr): Expr => ({
  node: 'compare',
  op,
  left,
  right,
  type: INTEGER,
})

export const column = (source: number, key: string, type: Type): Expr => ({
  node: 'column',
  source,
  column: key,
  type,
})

/** Returns an aggregate of all rows. */
export const aggregateCall = (fn: string, args: Expr[], type: Type): Aggregate => ({
  node: 'aggregate',
  fn,
  args,
  params: [],
  distinct: false,
  filter: null,
  type,
})

/** Returns an expression as a column without a name. */
export const unnamed = (expr: Expr): Item => ({ name: '', expr, type: expr.type })

/** Returns the columns of a query as items of the SELECT that reads it. */
export const columnsOf = ({ items }: Query, source: number): Item[] =>
  items.map(({ name, type }, index) => ({ name, type, expr: column(source, `c${index}`, type) }))

/** Returns a SELECT in which everything that is not given is absent. */
export const selectOf = (given: Pick<Select, 'items' | 'from'> & Partial<Select>): Select => ({
  kind: 'select',
  ctes: [],
  distinct: false,
  where: null,
  groupBy: [],
  aggregated: false,
  having: null,
  orderBy: [],
  limitBy: null,
  limit: null,
  offset: 0,
  ...given,
})
